// SPDX-License-Identifier: MIT
// The distance from the goal after each move of a game, with its mistakes.

import { linePlot } from './chart.js';
import { counted } from './elements.js';
import { full, moves } from './text.js';
import { known } from './values.js';

const bracketText = ([lower, upper]) => (lower === upper ? String(lower) : `${lower} to ${upper ?? '?'}`);

/** Whether all mistakes are known: they are found where both distances are. */
export const mistakesKnown = ({ brackets }) => brackets.every(([lower, upper]) => lower === upper);

/** The plot of an analysis (tessera.analysis/1); `single`: of the only game shown. */
export function gamePlot(game, single) {
  const { brackets, mistakes } = game;
  const at = (move) => ({ x: move, y: brackets[move][0], low: brackets[move][0], high: brackets[move][1],
    note: `after ${moves(move)}: ${bracketText(brackets[move])} to go` });
  const mistakeCount = `${mistakesKnown(game) ? '' : 'at least '}${counted(mistakes.length, 'mistake')}`;
  const facts = [
    moves(game.length), known(game.optimal_length) ? `${game.optimal_length} optimal` : null,
    game.solves ? null : 'not solved', mistakeCount, game.size, game.metric === 'multi' ? 'a move is a run of tiles' : null,
  ];
  const mistakeAt = new Map(mistakes.map((mistake) => [mistake.move, mistake]));
  return linePlot({
    title: single ? 'Distance from the goal' : `Distance from the goal, ${game.id}`, wide: single,
    about: facts.filter(known).join(' · '),
    summary: `${moves(game.length)}, ${mistakeCount}.`,
    x: { label: 'moves made' }, y: { label: 'moves to go', text: full },
    series: [
      { name: 'distance', points: brackets.map((_, move) => at(move)) },
      { name: 'mistakes', color: 5, loose: true, points: mistakes.map((mistake) => ({
        x: mistake.move, y: mistake.after,
        note: `move ${mistake.move}: ${mistake.before} became ${mistake.after}${mistake.better ? `; better ${mistake.better}` : ''}`,
      })) },
    ].filter(({ points }) => points.length > 0),
    columns: ['After move', 'To go', 'Better'],
    rows: brackets.map((bracket, move) => [String(move), bracketText(bracket), mistakeAt.get(move)?.better ?? null]),
  });
}
