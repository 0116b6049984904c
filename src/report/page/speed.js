// SPDX-License-Identifier: MIT
// Which configuration is faster, by how much, and where the time goes: for `compare`, and for
// result files with the same boards.

import { barPlot, legendOf, linePlot } from './chart.js';
import { counted, element, percent, section, sum, table } from './elements.js';
import { full, seconds, short } from './common/text.js';

const sections = ['search', 'split', 'wait', 'communicate', 'other'];
const backends = { serial: 'c7', threads: 'c0', mpi: 'c2' };
const styleOf = (backend) => backends[backend] ?? 'c4';
const known = (value) => value !== null && value !== undefined;

function workersText({ backend, ranks, threads }) {
  if (backend === 'serial') return 'serial';
  const each = known(threads) ? counted(threads, 'thread') : 'threads';
  return ranks > 1 || backend === 'mpi' ? `${counted(ranks ?? 1, 'rank')} x ${each}` : each;
}

/** A run in words; what is as usual is left out. */
export function runName(run) {
  if (run.engine === 'census') return 'deepest boards of a census';
  const words = [`${run.engine ?? ''} ${run.heuristic ?? ''}`.trim() || 'unknown engine', workersText(run)];
  if (run.schedule && run.schedule !== 'stealing') words.push(run.schedule);
  if (run.bounds && run.bounds !== 'shared') words.push(`${run.bounds} bounds`);
  if (run.metric === 'multi') words.push('runs of tiles');
  return words.join(', ');
}

/** Keys of things in a Map, so that no name of a file can meddle with an object's own. */
export function groups(items, keyOf) {
  const map = new Map();
  for (const item of items) {
    const key = keyOf(item);
    if (!map.has(key)) map.set(key, []);
    map.get(key).push(item);
  }
  return map;
}

// ---- plots of configurations

function secondsPlot(configurations, what) {
  const timed = configurations.filter((one) => one.seconds.median > 0);
  if (timed.length === 0) return null;
  const medians = timed.map((one) => one.seconds.median);
  const log = Math.max(...medians) > 60 * Math.min(...medians);
  const fastest = timed.reduce((a, b) => (b.seconds.median < a.seconds.median ? b : a));
  const used = [...new Set(timed.map((one) => one.backend))];
  return barPlot({
    title: 'Time', wide: true, log,
    about: `${what}${log ? '; the axis is logarithmic' : ''}. Shorter is better.`,
    summary: `${counted(timed.length, 'configuration')}; the fastest is ${fastest.name} with ${seconds(fastest.seconds.median)}.`,
    bars: timed.map((one) => ({
      name: one.name, parts: [{ value: one.seconds.median, style: styleOf(one.backend) }],
      low: one.seconds.min ?? 0, high: one.seconds.max ?? 0, text: seconds(one.seconds.median),
    })),
    legend: used.length > 1 ? legendOf(used.map((backend) => ({ name: backend ?? 'unknown', style: styleOf(backend) }))) : null,
    columns: ['Configuration', 'Median', 'Least', 'Most'],
    rows: timed.map((one) => [one.name, ...['median', 'min', 'max'].map((key) => (known(one.seconds[key]) ? seconds(one.seconds[key]) : null))]),
  });
}

/** Runs that differ in the number of workers only; of ranks, those with as many threads each. */
function seriesKey(one) {
  const rest = one.name.replace(/\d+ (ranks?|threads?)( x)?/g, '');
  return [one.engine, one.heuristic, one.backend, one.backend === 'mpi' ? one.threads : '', one.schedule, one.bounds, one.split_depth, rest].join('\n');
}

function seriesName(one, all) {
  const differ = (key) => new Set(all.map((other) => other[key])).size > 1;
  const words = ['engine', 'heuristic', 'backend', 'schedule', 'bounds'].filter((key) => known(one[key]) && differ(key)).map((key) => one[key]);
  if (one.backend === 'mpi' && one.threads > 1) words.push(`with ${counted(one.threads, 'thread')} each`);
  if (known(one.split_depth) && differ('split_depth')) words.push(`cut at ${one.split_depth}`);
  return words.join(' ') || one.backend || 'time';
}

/** Series over workers, each with the serial run of its engine and heuristic as its first point. */
function speedups(configurations) {
  const counted_ = configurations.filter((one) => one.workers > 0 && one.seconds.median > 0);
  const parallel = counted_.filter((one) => one.backend !== 'serial');
  const depths = new Set(parallel.map((one) => one.split_depth)).size > 1;
  const series = [];
  for (const members of groups(parallel, seriesKey).values()) {
    const [one] = members;
    // A line per cutting depth would repeat the plot over depths.
    if (depths && new Set(members.map((member) => member.workers)).size < 2) continue;
    const serial = counted_.find((other) => other.backend === 'serial' && other.engine === one.engine && other.heuristic === one.heuristic);
    const all = members.some((member) => member.workers === 1) || !serial ? members : [serial, ...members];
    all.sort((a, b) => a.workers - b.workers);
    if (new Set(all.map((member) => member.workers)).size < 2) continue;
    const base = serial ?? all[0];
    const points = all.map((member) => {
      const speedup = member.speedup ?? (serial ? 1 : base.workers) * base.seconds.median / member.seconds.median;
      return { workers: member.workers, speedup, efficiency: member.efficiency ?? speedup / member.workers, name: member.name };
    });
    series.push({ name: seriesName(one, parallel), points });
  }
  return series;
}

function speedupPlots(configurations) {
  const series = speedups(configurations);
  if (series.length === 0) return [];
  const most = Math.max(...series.flatMap((line) => line.points.map((point) => point.workers)));
  const least = Math.min(...series.flatMap((line) => line.points.map((point) => point.workers)));
  const best = series.flatMap((line) => line.points).reduce((a, b) => (b.speedup > a.speedup ? b : a));
  const rows = series.flatMap((line) => line.points.map((point) => [
    line.name, full(point.workers), point.speedup.toFixed(2), percent(point.efficiency)]));
  const columns = ['Series', 'Workers', 'Speedup', 'Efficiency'];
  const log = most >= 16 * least;
  const x = { label: 'workers', log };
  const lines = (key) => series.map((line) => ({
    name: line.name,
    points: line.points.map((point) => ({
      x: point.workers, y: point[key],
      note: `${counted(point.workers, 'worker')}, speedup ${point.speedup.toFixed(2)}, efficiency ${percent(point.efficiency)}`,
    })),
  }));
  return [
    linePlot({
      title: 'Speedup', about: 'How many times as fast as the serial search with the same engine and heuristic.', x, columns, rows,
      summary: `The best is ${best.speedup.toFixed(2)} with ${counted(best.workers, 'worker')}.`,
      y: { label: 'times as fast', text: (value) => String(value), log },
      series: lines('speedup'),
      ideal: { name: 'ideal', points: [{ x: least, y: least }, { x: most, y: most }] },
    }),
    linePlot({
      title: 'Efficiency', about: 'Speedup per worker.', x, columns, rows,
      summary: `With ${counted(best.workers, 'worker')} it is ${percent(best.efficiency)} where the speedup is best.`,
      y: { label: 'of ideal', text: percent, most: Math.max(1, ...series.flatMap((line) => line.points.map((point) => point.efficiency))) },
      series: lines('efficiency'),
      ideal: { name: 'ideal', points: [{ x: least, y: 1 }, { x: most, y: 1 }] },
    }),
  ];
}

function sectionsPlot(configurations) {
  const told = configurations.filter((one) => one.sections && sum(sections.map((name) => one.sections[name] ?? 0)) > 0);
  if (told.length === 0) return null;
  const total = (one) => sum(sections.map((name) => one.sections[name] ?? 0));
  return barPlot({
    title: 'Where the time goes', wide: true, most: 1,
    about: 'Shares of the total worker time; worker seconds on the right.',
    summary: told.map((one) => `${one.name}: ${percent((one.sections.search ?? 0) / total(one))} search`).join(', ') + '.',
    bars: told.map((one) => ({
      name: one.name, text: seconds(total(one)),
      parts: sections.map((name) => ({
        value: (one.sections[name] ?? 0) / total(one), style: `in-${name}`,
        note: `${name}: ${percent((one.sections[name] ?? 0) / total(one))}, ${seconds(one.sections[name] ?? 0)}`,
      })),
    })),
    legend: legendOf(sections.map((name) => ({ name, style: `in-${name}` }))),
    columns: ['Configuration', ...sections, 'all'],
    rows: told.map((one) => [one.name, ...sections.map((name) => seconds(one.sections[name] ?? 0)), seconds(total(one))]),
  });
}

function splitPlot(configurations) {
  const cut = configurations.filter((one) => known(one.split_depth) && one.seconds.median > 0);
  if (new Set(cut.map((one) => one.split_depth)).size < 2) return null;
  const lines = [...groups(cut, (one) => [one.engine, one.heuristic, one.backend, one.workers, one.schedule].join('\n')).values()];
  const best = cut.reduce((a, b) => (b.seconds.median < a.seconds.median ? b : a));
  return linePlot({
    title: 'Depth of the cut', wide: true, about: 'Time against the depth at which the tree is cut into subtrees.',
    summary: `The fastest is a cut at depth ${best.split_depth} with ${seconds(best.seconds.median)}.`,
    x: { label: 'depth' }, y: { label: 'time', text: (value) => (value === 0 ? '0' : seconds(value)) },
    series: lines.map((members) => ({
      name: `${members[0].engine ?? ''} ${members[0].heuristic ?? ''}, ${workersText(members[0])}`,
      points: members.sort((a, b) => a.split_depth - b.split_depth).map((one) => ({
        x: one.split_depth, y: one.seconds.median, low: one.seconds.min, high: one.seconds.max,
        note: `depth ${one.split_depth}, ${seconds(one.seconds.median)}`,
      })),
    })),
    columns: ['Configuration', 'Depth', 'Median'],
    rows: cut.map((one) => [one.name, String(one.split_depth), seconds(one.seconds.median)]),
  });
}

/** What a search costs, whoever does it: nodes by engine and heuristic. */
function heuristicsPlot(configurations) {
  const counted_ = configurations.filter((one) => one.nodes.generated > 0);
  const kinds = [...groups(counted_, (one) => [one.engine, one.heuristic].join('\n')).values()]
    .map((members) => members.reduce((a, b) => ((b.workers ?? 1) < (a.workers ?? 1) ? b : a)));
  if (kinds.length < 2) return null;
  const engines = new Set(kinds.map((one) => one.engine)).size > 1;
  const heuristics = new Set(kinds.map((one) => one.heuristic)).size > 1;
  const name = (one) => [engines ? one.engine : null, heuristics || !engines ? one.heuristic : null].filter(known).join(' ') || one.name;
  kinds.sort((a, b) => b.nodes.generated - a.nodes.generated);
  const [most, least] = [kinds[0], kinds.at(-1)];
  const rate = (one) => (one.seconds.median > 0 ? `${short(one.nodes.generated / one.seconds.median)}/s` : null);
  return barPlot({
    title: heuristics ? (engines ? 'Engines and heuristics' : 'Heuristics') : 'Engines',
    about: 'Generated nodes for the same boards; the axis is logarithmic. Fewer nodes are not always less time.',
    wide: true, log: true,
    summary: `${name(most)} generates ${short(most.nodes.generated)} nodes, ${name(least)} ${short(least.nodes.generated)}.`,
    bars: kinds.map((one, i) => ({
      name: name(one), text: short(one.nodes.generated), parts: [{ value: one.nodes.generated, style: `c${i % 8}` }],
    })),
    columns: ['Search', 'Generated', 'Expanded', 'Time', 'Rate', 'Workers'],
    rows: kinds.map((one) => [name(one), full(one.nodes.generated), known(one.nodes.expanded) ? full(one.nodes.expanded) : null,
      known(one.seconds.median) ? seconds(one.seconds.median) : null, rate(one), known(one.workers) ? full(one.workers) : null]),
  });
}

function plotsOf(configurations, what) {
  return element('div', { class: 'plots' }, ...[
    splitPlot(configurations), ...speedupPlots(configurations), secondsPlot(configurations, what),
    sectionsPlot(configurations), heuristicsPlot(configurations)].filter(known));
}

// ---- sections of the page

const first = 4; // verdicts shown without a click, for files without a summary
const verdictList = (verdicts) => element('ul', { class: 'verdicts' }, ...verdicts.map((verdict) => element('li', {}, verdict)));

export function showComparison(comparison, number, titles) {
  const { configurations, machine } = comparison;
  const repeat = !known(comparison.repeat) ? ''
    : comparison.interrupted ? `, interrupted before all of ${counted(comparison.repeat, 'repetition')} were done`
      : `, medians of ${counted(comparison.repeat, 'repetition')}`;
  const facts = [
    comparison.boards ? `${counted(comparison.boards, 'board')}${repeat}` : null, machine.cpu,
    known(machine.cpus) ? counted(machine.cpus, 'CPU') : null,
    machine.hosts > 1 ? counted(machine.hosts, 'host') : null, machine.date?.slice(0, 16).replace('T', ' ')].filter(known);
  const share = (value) => (known(value) ? percent(value) : null);
  const all = element('details', { class: 'card' }, element('summary', {}, 'All figures'), table('All figures of the comparison',
    ['Configuration', 'Workers', 'Median', 'Least', 'Most', 'Speedup', 'Efficiency', 'Search overhead', 'Idle', 'Imbalance', 'Generated'],
    configurations.map((one) => [known(one.cut) ? `${one.name} (stopped: ${one.cut})` : one.name, known(one.workers) ? full(one.workers) : null,
      ...['median', 'min', 'max'].map((key) => (known(one.seconds[key]) ? seconds(one.seconds[key]) : null)),
      known(one.speedup) ? one.speedup.toFixed(2) : null, share(one.efficiency), share(one.search_overhead),
      share(one.idle), share(one.imbalance), known(one.nodes.generated) ? full(one.nodes.generated) : null])));
  const title = comparison.study ? `Study of ${comparison.study}` : 'Comparison';
  const alike = titles.filter((other) => other === title).length;
  titles.push(title);
  const { summary, verdicts } = comparison;
  const shown = summary.length ? summary : verdicts.slice(0, first);
  const others = verdicts.filter((verdict) => !shown.includes(verdict));
  section(`comparison-${number}`, alike > 0 ? `${title} ${alike + 1}` : title,
    element('p', { class: 'about' }, facts.join(' · ')),
    known(machine.cpu_share) && machine.cpu_share <= 0.9 ? element('p', {},
      `Search threads had a CPU for only ${percent(machine.cpu_share)} of their time: repeat this on an idle machine, with no more workers than CPUs.`) : null,
    shown.length ? verdictList(shown) : null,
    others.length ? element('details', { class: 'card' },
      element('summary', {}, `${full(others.length)} more`), verdictList(others)) : null,
    plotsOf(configurations, `Seconds for ${comparison.boards ? counted(comparison.boards, 'board') : 'the boards'}${repeat}`), all);
}

/** Runs of `solve`: a table, and plots where several solved the same boards. */
export function showRuns(runs, boards) {
  const mine = boards.filter((board) => runs[board.run].engine !== 'census');
  if (mine.length === 0) return;
  const kinds = [...groups(mine, (board) => {
    const run = runs[board.run];
    return [run.engine, run.heuristic, run.backend, run.ranks, run.threads, run.schedule, run.bounds, run.metric].join('\n');
  }).values()];
  const boardKey = (board) => [runs[board.run].width, runs[board.run].goal, runs[board.run].metric, board.tiles].join(' ');
  const solved = (rows) => rows.filter((board) => board.status === 'solved');
  const solvedOf = kinds.map((rows) => new Map(solved(rows).map((board) => [boardKey(board), board])));
  const common = [...solvedOf[0].keys()].filter((key) => solvedOf.every((boardsOf) => boardsOf.has(key)));
  const total = (rows, key) => sum(rows.map((board) => board[key] ?? 0));
  const rows = kinds.map((members) => {
    const [time, nodes] = [total(members, 'seconds'), total(members, 'generated')];
    return [runName(runs[members[0].run]), full(members.length), full(solved(members).length), seconds(time), full(nodes), time > 0 ? `${short(nodes / time)}/s` : null];
  });
  const content = [table('Runs', ['Run', 'Boards', 'Solved', 'Time', 'Generated', 'Rate'], rows)];
  if (kinds.length > 1 && common.length > 0) {
    const configurations = kinds.map((members, i) => {
      const run = runs[members[0].run];
      const same = common.map((key) => solvedOf[i].get(key));
      return {
        ...run, name: runName(run), workers: run.backend === 'serial' ? 1 : (run.ranks ?? 1) * (run.threads ?? 1),
        seconds: { median: total(same, 'seconds'), min: null, max: null },
        nodes: { generated: total(same, 'generated'), expanded: total(same, 'expanded') },
      };
    });
    content.push(plotsOf(configurations, `Seconds for ${counted(common.length, 'board')} that all runs solved`));
  }
  section('runs', 'Runs', element('div', { class: 'card' }, content[0]), content[1]);
}
