// SPDX-License-Identifier: MIT
// Games that `analyse` followed: the distance from the goal after each move, and mistakes.

import { columnPlot, linePlot } from './chart.js';
import { counted, element, section } from './elements.js';
import { known } from './values.js';
import { full, moves } from './common/text.js';

const mostPlots = 12;

const bracketText = ([lower, upper]) => (lower === upper ? String(lower) : `${lower} to ${upper ?? '?'}`);
const over = (game) => (game.solves && known(game.optimal_length) ? game.length - game.optimal_length : null);

function gamePlot(game, single) {
  const { brackets, mistakes } = game;
  const at = (move) => ({ x: move, y: brackets[move][0], low: brackets[move][0], high: brackets[move][1],
    note: `after ${moves(move)}: ${bracketText(brackets[move])} to go` });
  const facts = [
    moves(game.length), known(game.optimal_length) ? `${game.optimal_length} optimal` : null,
    game.solves ? null : 'not solved', counted(mistakes.length, 'mistake'), game.size, game.metric === 'multi' ? 'a move is a run of tiles' : null,
  ];
  const mistakeAt = new Map(mistakes.map((mistake) => [mistake.move, mistake]));
  return linePlot({
    title: single ? 'Distance from the goal' : `Distance from the goal, ${game.id}`, wide: single,
    about: facts.filter(known).join(' · '),
    summary: `${moves(game.length)}, ${counted(mistakes.length, 'mistake')}.`,
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

export function showGames(all) {
  const games = all.filter(({ brackets }) => brackets.length > 0);
  if (games.length === 0) return;
  const exact = games.map(over).filter((moves) => known(moves) && moves >= 0);
  const histogram = Array(Math.max(0, ...exact) + 1).fill(0);
  for (const moves of exact) ++histogram[moves];
  const summaryPlot = games.length === 1 || exact.length === 0 ? null : columnPlot({
    title: 'Moves over the optimum', wide: true, about: `${counted(exact.length, 'game')} solved, with known optimal length.`,
    summary: `${full(histogram[0])} optimal.`, values: histogram, options: { log: false },
    x: { label: 'moves over the optimum' }, y: { label: 'games', text: full, note: (value) => counted(value, 'game') },
    columns: ['Game', 'Moves', 'Optimal', 'Over', 'Mistakes'],
    rows: games.map((game) => [game.id, full(game.length), known(game.optimal_length) ? full(game.optimal_length) : null,
      known(over(game)) ? full(over(game)) : null, full(game.mistakes.length)]),
  });
  const left = games.length - mostPlots;
  section('games', games.length === 1 ? 'Game' : 'Games',
    left > 0 ? element('p', { class: 'about' }, `Distances of the first ${mostPlots}; ${counted(left, 'game is', 'games are')} left out.`) : null,
    element('div', { class: 'plots' }, ...[summaryPlot, ...games.slice(0, mostPlots).map((game) => gamePlot(game, games.length === 1))].filter(known)));
}
