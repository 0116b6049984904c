// SPDX-License-Identifier: MIT
// The figures at the top: only what no sentence below takes back.

import { byId, element, maxOf, minOf, sum } from './common/elements.js';
import { boardKeyOf, timeOf } from './series.js';
import { referenceOf } from './speed.js';
import { groups, known } from './common/values.js';
import { full, moves, seconds, short } from './common/text.js';

// The best speedup of a comparison that is beyond the noise, and not one of fewer nodes.
function bestSpeedup({ configurations, pairs }) {
  const sure = configurations.filter((one) => {
    const reference = one.workers > 1 && one.speedup > 1 ? referenceOf(one, configurations) : null;
    return reference && one.speedup <= one.workers && pairs.some(({ faster, slower, beyond_noise: beyond }) =>
      beyond && faster === one.name && slower === reference.name);
  });
  return sure.length === 0 ? null : sure.reduce((a, b) => (b.speedup > a.speedup ? b : a));
}

function figuresOfBoards(runs, all) {
  const series = all.filter((one) => one.searched);
  if (series.length === 0) return [];
  const rows = series.flatMap((one) => one.rows);
  const boards = [...groups(rows, boardKeyOf(runs)).values()];
  const solved = boards.filter((alike) => alike.some((board) => board.status === 'solved'));
  const optimal = solved.length > 0 && solved.every((alike) => alike.some((board) => board.status === 'solved' && board.optimal));
  const figures = [[full(boards.length), [
    boards.length === 1 ? 'board' : 'boards', series.length > 1 ? ` in ${full(series.length)} runs` : '',
    solved.length === boards.length ? boards.length === 1 ? ', solved' : ', all solved' : `, ${full(solved.length)} solved`,
    optimal ? ', proven optimal' : ''].join('')]];
  if (series.length === 1) { // sums over several runs mean nothing
    const nodes = sum(rows.map((board) => board.generated ?? 0));
    const time = timeOf(series[0], rows);
    figures.push([short(nodes), 'nodes generated']);
    if (time.exact && time.seconds > 0) figures.push([short(nodes / time.seconds), 'nodes per second'], [seconds(time.seconds), 'wall time']);
  }
  // The shortest that is known of each board.
  const lengths = solved.map((alike) => minOf(alike.filter((board) => board.status === 'solved').map((board) => board.length)));
  if (lengths.length > 0) figures.push([moves(maxOf(lengths)), lengths.length > 1 ? 'longest solution' : 'in the solution']);
  return figures;
}

export function showFigures(data, series) {
  const best = data.comparisons.map(bestSpeedup).filter(known);
  const figures = best.slice(0, 1).map((one) => [one.speedup.toFixed(2), `speedup of ${one.name}`]);
  figures.push(...figuresOfBoards(data.runs, series));
  for (const census of data.censuses) {
    if (census.radius !== null) figures.push([String(census.radius), `radius of ${census.size}${census.metric === 'multi' ? ', multi' : ''}`]);
  }
  if (figures.length === 0) return;
  byId('main').prepend(element('dl', { class: 'overview' }, ...figures.slice(0, 6).map(([figure, name]) =>
    element('div', {}, element('dt', {}, name), element('dd', {}, figure)))));
}
