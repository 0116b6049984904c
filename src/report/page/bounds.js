// SPDX-License-Identifier: MIT
// Nodes of each bound: how the search grows.

import { linePlot } from './chart.js';
import { counted, element, section, sum } from './elements.js';
import { groups, runName } from './speed.js';
import { full, short } from './common/text.js';

const most = 8; // boards with their own line

function lineOf(name, boards) {
  const sums = new Map();
  for (const board of boards) {
    for (const { bound, generated } of board.iterations) sums.set(bound, (sums.get(bound) ?? 0) + generated);
  }
  const points = [...sums].filter(([, nodes]) => nodes > 0).sort((a, b) => a[0] - b[0])
    .map(([bound, nodes]) => ({ x: bound, y: nodes, note: `bound ${bound}, ${counted(nodes, 'node')}` }));
  return { name, points };
}

export function showBounds(runs, boards) {
  const searched = boards.filter((board) => board.iterations.some((row) => row.generated > 0));
  if (searched.length === 0) return;
  // An engine and heuristic have the same counts for any number of workers: use the first run.
  const kinds = groups(searched, (board) => {
    const run = runs[board.run];
    return [run.engine, run.heuristic, run.bounds, run.metric, run.width, run.goal].join('\n');
  });
  const series = [];
  for (const members of kinds.values()) {
    const { run } = members[0];
    const first = members.filter((board) => board.run === run);
    const name = `${runs[run].engine ?? ''} ${runs[run].heuristic ?? ''}`.trim() || runName(runs[run]);
    if (kinds.size === 1 && first.length <= most) first.forEach((board) => series.push(lineOf(`board ${board.id}`, [board])));
    else series.push(lineOf(`${name}, ${counted(first.length, 'board')}`, first));
  }
  // In the same order as elsewhere on the page, so that each heuristic keeps its color.
  const total = (line) => sum(line.points.map((point) => point.y));
  if (kinds.size > 1) series.sort((a, b) => total(b) - total(a));
  const last = series.flatMap((line) => line.points).reduce((a, b) => (b.y > a.y ? b : a));
  const plotted = linePlot({
    title: 'Generated nodes', wide: true,
    about: 'Nodes generated in each iteration. On a steeper line each further move costs more.',
    summary: `The largest iteration has bound ${last.x} and ${short(last.y)} nodes.`,
    x: { label: 'bound' }, y: { label: 'generated nodes', text: short, log: true },
    series, columns: ['Search', 'Bound', 'Generated'],
    rows: series.flatMap((line) => line.points.map((point) => [line.name, String(point.x), full(point.y)])),
  });
  section('bounds', 'Nodes per bound', element('div', { class: 'plots' }, plotted));
}
