// SPDX-License-Identifier: MIT
// Searches that `simulate` replayed on more ranks than there are.

import { linePlot } from './common/chart.js';
import { counted, element, maxOf, minOf, percent, section } from './common/elements.js';
import { groups, known } from './common/values.js';
import { full, seconds } from './common/text.js';

const speedupText = (speedup) => (speedup < 100 ? speedup.toFixed(2) : full(Math.round(speedup)));

// One machine and search: what differs between lines.
const axes = [
  ['id', (one) => `board ${one.id}`], ['heuristic', (one) => one.heuristic], ['bound', (one) => `bound ${one.bound}`],
  ['schedule', (one) => one.schedule], ['threads', (one) => `${counted(one.threads, 'thread')} per rank`],
  ['latency_seconds', (one) => `latency ${seconds(one.latency_seconds)}`], ['slow_ranks', (one) => counted(one.slow_ranks, 'slow rank')],
];

export function showSimulations(simulations, files) {
  const all = simulations.filter((one) => one.ranks > 0 && one.makespan_seconds > 0).map((one) => {
    const workers = one.ranks * (one.threads ?? 1);
    // Earlier versions wrote no speedup; without slow ranks it follows.
    return { ...one, workers, speedup: one.speedup ?? (known(one.efficiency) && !one.slow_ranks ? one.efficiency * workers : null) };
  });
  if (all.length === 0) return;
  const differing = [...axes, ['file', (one) => files[one.file]]].filter(([key]) => new Set(all.map((one) => one[key])).size > 1);
  const nameOf = (one) => differing.filter(([key]) => known(one[key])).map(([, text]) => text(one)).join(', ') || 'simulated';
  const lines = [...groups(all, nameOf)].map(([name, members]) => ({ name, members: [...members].sort((a, b) => a.ranks - b.ranks) }));
  const ranks = all.map((one) => one.ranks);
  const x = { label: 'ranks', log: maxOf(ranks) >= 16 * minOf(ranks) };
  const columns = ['Series', 'Ranks', 'Makespan', 'Speedup', 'Efficiency', 'Limited by'];
  const rows = lines.flatMap(({ name, members }) => members.map((one) => [name, full(one.ranks), seconds(one.makespan_seconds),
    known(one.speedup) ? speedupText(one.speedup) : null, known(one.efficiency) ? percent(one.efficiency) : null, one.limit]));
  const series = (key) => lines.map(({ name, members }) => ({
    name,
    points: members.filter((one) => known(one[key])).map((one) => ({
      x: one.ranks, y: one[key],
      note: [counted(one.ranks, 'rank'), seconds(one.makespan_seconds), known(one.efficiency) ? `efficiency ${percent(one.efficiency)}` : null].filter(known).join(', '),
    })),
  })).filter((line) => line.points.length > 0);
  const least = minOf(all.map((one) => one.makespan_seconds));
  const most = maxOf(all.map((one) => one.makespan_seconds));
  const speedups = all.map((one) => one.speedup).filter(known);
  const efficiencies = all.map((one) => one.efficiency).filter(known);
  const scaled = all.some((one) => known(one.scale) && one.scale !== 1);
  const log = (values) => maxOf(values) >= 16 * minOf(values.filter((value) => value > 0));
  const workers = new Set(all.map((one) => one.threads ?? 1));
  const ideal = workers.size === 1 && all.length > 1 ? [minOf(ranks), maxOf(ranks)].map((n) => ({ x: n, y: n * [...workers][0] })) : null;
  const plots = [
    linePlot({
      title: 'Simulated makespan', x, columns, rows, series: series('makespan_seconds'),
      about: `Wall time of an iteration.${scaled ? ' Costs are scaled with the number of ranks, so that each has as much work: a flat line is ideal.' : ''}`,
      summary: `From ${seconds(least)} to ${seconds(most)}.`,
      y: { label: 'seconds', text: (value) => (value === 0 ? '0' : seconds(value)), log: log(all.map((one) => one.makespan_seconds)) },
    }),
    speedups.length === 0 ? null : linePlot({
      title: 'Simulated speedup', x, columns, rows, series: series('speedup'),
      about: 'How many times as fast as one thread with the same work.', summary: `The best is ${speedupText(maxOf(speedups))}.`,
      y: { label: 'times as fast', text: (value) => full(value), log: x.log }, // else the ideal is no line
      ideal: ideal ? { name: 'ideal', points: ideal } : undefined,
    }),
    efficiencies.length === 0 ? null : linePlot({
      title: 'Simulated efficiency', x, columns, rows, series: series('efficiency'), wide: true,
      about: 'Work done, as a share of what all threads could do in that time.', summary: `From ${percent(minOf(efficiencies))} to ${percent(maxOf(efficiencies))}.`,
      y: { label: 'of ideal', text: percent, most: Math.max(1, maxOf(efficiencies)) },
      ideal: { name: 'ideal', points: [minOf(ranks), maxOf(ranks)].map((n) => ({ x: n, y: 1 })) },
    }),
  ].filter(known);
  const facts = axes.filter(([key]) => !differing.some(([other]) => other === key) && known(all[0][key]))
    .filter(([key]) => key !== 'slow_ranks' || all[0].slow_ranks > 0).map(([, text]) => text(all[0]));
  section('simulation', 'Simulation', element('p', { class: 'about' }, [all[0].size, ...facts].filter(known).join(' · ')),
    element('div', { class: 'plots' }, ...plots));
}
