// SPDX-License-Identifier: MIT
// Nodes of each bound: how the search grows.

import { linePlot } from './common/chart.js';
import { counted, element, section, sum } from './common/elements.js';
import { colorOfSearch, searchOf } from './names.js';
import { compared } from './series.js';
import { groups } from './common/values.js';
import { full, short } from './common/text.js';

const mostLines = 8; // boards with their own line

const stepsOf = (board) => board.iterations.filter((row) => row.generated > 0);

/** The bounds of a board as they are, or above its first one, which is h of the start. */
function lineOfBoard(name, board, above) {
  const steps = stepsOf(board);
  const first = above ? steps[0].bound : 0;
  return {
    name, points: steps.map(({ bound, generated }) => (
      { x: bound - first, y: generated, boards: 1, note: `bound ${bound}, ${counted(generated, 'node')}` })),
  };
}

/**
 * A typical board: the geometric mean of those that reached a step. Their number falls towards the end, and
 * few hard boards would bend the line, so it ends where fewer than half are left.
 */
function lineOfBoards(name, boards) {
  const steps = groups(boards.flatMap((board) => lineOfBoard('', board, true).points), ({ x }) => x);
  const points = [...steps].filter(([, reached]) => 2 * reached.length >= boards.length).sort((a, b) => a[0] - b[0])
    .map(([x, reached]) => {
      const y = Math.exp(sum(reached.map((point) => Math.log(point.y))) / reached.length);
      return { x, y, boards: reached.length, note: `${x} above h, ${short(y)} nodes per board, ${counted(reached.length, 'board')}` };
    });
  return { name, points };
}

function plotOf(series, several, text) {
  const last = series.flatMap((line) => line.points).reduce((a, b) => (b.y > a.y ? b : a));
  const typical = series.some((line) => line.points.some((point) => point.boards > 1));
  return linePlot({
    title: 'Generated nodes', wide: true,
    about: [
      `Nodes generated in each iteration${typical ? ', per board: the geometric mean of the boards that reached it, while they are at least half' : ''}.`,
      several ? 'Bounds count from h of the start, because boards differ in it.' : 'On a steeper line each further move costs more.',
      text].filter((sentence) => sentence !== '').join(' '),
    summary: `The largest iteration has ${several ? `a bound ${last.x} above h` : `bound ${last.x}`} and ${short(last.y)} nodes.`,
    x: { label: several ? 'bound - h of the start' : 'bound' }, y: { label: 'generated nodes', text: short, log: true },
    series, columns: ['Search', several ? 'Bound - h' : 'Bound', 'Generated', 'Boards'],
    rows: series.flatMap((line) => line.points.map((point) => [line.name, String(point.x), full(Math.round(point.y)), full(point.boards)])),
  });
}

// The plots of searches that have boards in common, else one for each.
function plotsOfKinds(runs, kinds) {
  if (kinds.length === 1) {
    const boards = kinds[0].rows;
    const several = boards.length > 1;
    const lines = boards.length <= mostLines
      ? boards.map((board) => lineOfBoard(`board ${board.id}`, board, several))
      : [lineOfBoards(`${searchOf(kinds[0].run)}, ${counted(boards.length, 'board')}`, boards)];
    return [plotOf(lines, several, '')];
  }
  const { number, boards, about } = compared(runs, kinds);
  if (number === 0) return kinds.slice(0, 4).flatMap((kind) => plotsOfKinds(runs, [kind]));
  // A board that has two rows in a series is taken once.
  const lines = kinds.map(({ run }, i) => {
    const once = [...groups(boards[i], (board) => board.tiles).values()].map(([board]) => board);
    const name = searchOf(run) || 'unknown search';
    const line = number === 1 ? lineOfBoard(name, once[0], false) : lineOfBoards(`${name}, ${counted(number, 'board')}`, once);
    return { ...line, color: colorOfSearch(run) };
  });
  return [plotOf(lines, number > 1, about)];
}

export function showBounds(runs, all) {
  const searched = all.filter((one) => one.searched)
    .map((one) => ({ ...one, rows: one.rows.filter((board) => stepsOf(board).length > 0) })).filter(({ rows }) => rows.length > 0);
  if (searched.length === 0) return;
  // An engine and heuristic have the same counts for any number of workers: use the first run.
  const kinds = [...groups(searched, ({ run }) => [searchOf(run), run.bounds, run.metric, run.width, run.goal].join('\n')).values()].map(([one]) => one);
  section('bounds', 'Nodes per bound', element('div', { class: 'plots' }, ...plotsOfKinds(runs, kinds)));
}
