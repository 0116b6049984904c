// SPDX-License-Identifier: MIT
// Plots of configurations, whether of `compare` or of several runs of `solve`: which is faster, by how much,
// and where the time goes.

import { barPlot, legendOf, linePlot } from './common/chart.js';
import { counted, element, maxOf, minOf, percent, sum } from './common/elements.js';
import { colorsOf, searchOf, workersText } from './names.js';
import { groups, known, middleOf } from './common/values.js';
import { full, seconds, short } from './common/text.js';

const sections = ['search', 'split', 'wait', 'communicate', 'other'];
const shownName = (one) => (one.answers ? `${one.name} (${one.answers})` : one.name);

function secondsPlot(configurations, what, colors) {
  const timed = configurations.filter((one) => one.seconds.median > 0);
  if (timed.length === 0) return null;
  const medians = timed.map((one) => one.seconds.median);
  const log = maxOf(medians) > 60 * minOf(medians);
  const fastest = timed.reduce((a, b) => (b.seconds.median < a.seconds.median ? b : a));
  const { entries } = colorsOf(timed);
  return barPlot({
    title: 'Time', wide: true, log,
    about: `${what}${log ? '; the axis is logarithmic' : ''}. Shorter is better.`,
    summary: `${counted(timed.length, 'configuration')}; the fastest is ${fastest.name} with ${seconds(fastest.seconds.median)}.`,
    bars: timed.map((one) => ({
      name: shownName(one), parts: [{ value: one.seconds.median, style: `c${colors.of(one) % 8}` }],
      low: one.seconds.min ?? 0, high: one.seconds.max ?? 0, text: seconds(one.seconds.median),
    })),
    legend: entries.length > 1 ? legendOf(entries) : null,
    columns: ['Configuration', 'Median', 'Minimum', 'Maximum'],
    rows: timed.map((one) => [shownName(one), ...['median', 'min', 'max'].map((key) => (known(one.seconds[key]) ? seconds(one.seconds[key]) : null))]),
  });
}

// ---- speedup

/** Runs that differ in the number of workers only; of ranks, those with as many threads each. */
function seriesKey(one) {
  const rest = (one.setup ?? one.name).replace(/\d+ (ranks?|threads?)( x)?/g, '');
  return [one.engine, one.heuristic, one.backend, one.backend === 'mpi' ? one.threads : '', one.schedule, one.bounds, one.split_depth, rest].join('\n');
}

function seriesName(one, all) {
  const differ = (key) => new Set(all.map((other) => other[key])).size > 1;
  const words = ['engine', 'heuristic', 'backend', 'schedule', 'bounds'].filter((key) => known(one[key]) && differ(key)).map((key) => one[key]);
  if (one.backend === 'mpi' && one.threads > 1) words.push(`with ${counted(one.threads, 'thread')} each`);
  if (known(one.split_depth) && differ('split_depth')) words.push(`cut at ${one.split_depth}`);
  return words.join(' ') || one.backend || 'time';
}

const median = (one) => one.seconds.median;

/** What a speedup refers to: serial search, else one worker, with the same engine and heuristic. */
export function referenceOf(one, all) {
  if (known(one.reference)) return all.find((other) => other.name === one.reference);
  const alike = all.filter((other) => searchOf(other) === searchOf(one) && other.workers === 1 && median(other) > 0);
  const serial = alike.filter((other) => other.backend === 'serial');
  return middleOf(serial.length > 0 ? serial : alike, median);
}

function pointOf(alike, reference) {
  const one = middleOf(alike, median); // of repeated runs
  const speedup = one === reference ? 1 : one.speedup ?? median(reference) / median(one);
  const work = one.work_ratio ?? (reference.nodes.expanded > 0 && known(one.nodes.expanded) ? one.nodes.expanded / reference.nodes.expanded : null);
  return { one, workers: one.workers, speedup, efficiency: speedup / one.workers, work };
}

/** Series over workers, each with its reference as its first point. Without one there is no speedup. */
function speedups(configurations) {
  const timed = configurations.filter((one) => one.workers > 0 && median(one) > 0 && !one.unknown_time);
  const parallel = timed.filter((one) => one.backend !== 'serial');
  const depths = new Set(parallel.map((one) => one.split_depth)).size > 1;
  const series = [];
  for (const members of groups(parallel, seriesKey).values()) {
    // A line per cutting depth would repeat the plot over depths.
    if (depths && new Set(members.map((member) => member.workers)).size < 2) continue;
    const reference = referenceOf(members[0], timed);
    if (!reference) continue;
    const all = members.some((member) => member.workers === 1) ? members : [reference, ...members];
    const points = [...groups(all, (member) => member.workers).values()].map((alike) => pointOf(alike, reference)).sort((a, b) => a.workers - b.workers);
    if (points.length > 1) series.push({ name: seriesName(members[0], parallel), one: members[0], reference, points });
  }
  return series;
}

// A series without a run on one worker begins with the reference, which is not its own.
const isBorrowed = (point, line) => point.one === line.reference && seriesKey(point.one) !== seriesKey(line.one);

const ratioText = (ratio) => (known(ratio) ? ratio.toPrecision(3) : null);

// "as ida manhattan, serial"
function referenceText(series) {
  const names = new Set(series.map(({ reference }) => reference.name));
  if (names.size === 1) return series[0].reference.name;
  const serial = series.every(({ reference }) => reference.backend === 'serial');
  return `${serial ? 'the serial search' : 'one worker'} with the same engine and heuristic`;
}

// Whether a speedup is partly one of less work.
function workText(points, finish) {
  const ratios = points.map(({ work }) => work).filter((work) => known(work) && Math.abs(work - 1) > 0.01);
  if (ratios.length === 0) return '';
  const [least, most] = [minOf(ratios), maxOf(ratios)].map((ratio) => ratio.toPrecision(3));
  const luck = finish ? '' : ' Where the last bound ends is luck: compare with --finish-iteration.';
  return ` Expanded nodes are ${least === most ? least : `${least} to ${most}`} times those of the reference: part of the difference is not speed.${luck}`;
}

function speedupPlots(configurations, colors, finish) {
  const series = speedups(configurations);
  if (series.length === 0) return [];
  const all = series.flatMap((line) => line.points);
  const most = maxOf(all.map((point) => point.workers));
  const least = minOf(all.map((point) => point.workers));
  const best = all.reduce((a, b) => (b.speedup > a.speedup ? b : a));
  const columns = ['Series', 'Workers', 'Speedup', 'Efficiency', 'Relative nodes'];
  const named = series.flatMap((line) => line.points.map((point) => [
    isBorrowed(point, line) ? line.reference.name : line.name, full(point.workers), point.speedup.toFixed(2), percent(point.efficiency), ratioText(point.work)]));
  const rows = [...new Map(named.map((row) => [row.join('\n'), row])).values()]; // one for a reference of several series
  const log = most >= 16 * least;
  const x = { label: 'workers', log };
  const lines = (key) => series.map((line) => ({
    name: line.name, color: colors.of(line.one),
    points: line.points.map((point) => ({
      x: point.workers, y: point[key],
      note: `${isBorrowed(point, line) ? `${line.reference.name}, the reference: ` : ''}${counted(point.workers, 'worker')}, speedup ${point.speedup.toFixed(2)}, efficiency ${percent(point.efficiency)}`,
    })),
  }));
  const work = workText(all, finish);
  return [
    linePlot({
      title: 'Speedup', about: `How many times as fast as ${referenceText(series)}.${work}`, x, columns, rows,
      summary: `The best is ${best.speedup.toFixed(2)} with ${counted(best.workers, 'worker')}.`,
      y: { label: 'times as fast', text: (value) => String(value), log },
      series: lines('speedup'),
      ideal: { name: 'ideal', points: [{ x: least, y: least }, { x: most, y: most }] },
    }),
    linePlot({
      title: 'Efficiency', about: 'Speedup per worker.', x, columns, rows,
      summary: `With ${counted(best.workers, 'worker')} it is ${percent(best.efficiency)} where the speedup is best.`,
      y: { label: 'of ideal', text: percent, most: Math.max(1, maxOf(all.map((point) => point.efficiency))) },
      series: lines('efficiency'),
      ideal: { name: 'ideal', points: [{ x: least, y: 1 }, { x: most, y: 1 }] },
    }),
  ];
}

// ---- what a run does

function sectionsPlot(configurations) {
  const spent = (one, name) => one.sections[name] ?? 0;
  const total = (one) => sum(sections.map((name) => spent(one, name)));
  const told = configurations.filter((one) => one.sections && total(one) > 0);
  if (told.length === 0) return null;
  return barPlot({
    title: 'Where the time goes', wide: true, most: 1,
    about: 'Shares of the total worker time; worker seconds on the right.',
    summary: told.map((one) => `${one.name}: ${percent(spent(one, 'search') / total(one))} search`).join(', ') + '.',
    bars: told.map((one) => ({
      name: one.name, text: seconds(total(one)),
      parts: sections.map((name) => ({
        value: spent(one, name) / total(one), style: `in-${name}`,
        note: `${name}: ${percent(spent(one, name) / total(one))}, ${seconds(spent(one, name))}`,
      })),
    })),
    legend: legendOf(sections.map((name) => ({ name, style: `in-${name}` }))),
    columns: ['Configuration', ...sections, 'all'],
    rows: told.map((one) => [one.name, ...sections.map((name) => seconds(spent(one, name))), seconds(total(one))]),
  });
}

function splitPlot(configurations, colors) {
  const cut = configurations.filter((one) => known(one.split_depth) && one.seconds.median > 0);
  if (new Set(cut.map((one) => one.split_depth)).size < 2) return null;
  const lines = [...groups(cut, (one) => [one.engine, one.heuristic, one.backend, one.workers, one.schedule].join('\n')).values()];
  const best = cut.reduce((a, b) => (b.seconds.median < a.seconds.median ? b : a));
  return linePlot({
    title: 'Depth of the cut', wide: true, about: 'Time against the depth at which the tree is cut into subtrees.',
    summary: `The fastest is a cut at depth ${best.split_depth} with ${seconds(best.seconds.median)}.`,
    x: { label: 'depth' }, y: { label: 'time', text: (value) => (value === 0 ? '0' : seconds(value)) },
    series: lines.map((members) => ({
      color: colors.of(members[0]),
      name: `${searchOf(members[0])}, ${workersText(members[0])}`,
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
function heuristicsPlot(configurations, colors) {
  const counted_ = configurations.filter((one) => one.nodes.generated > 0);
  const kinds = [...groups(counted_, (one) => [one.engine, one.heuristic].join('\n')).values()]
    .map((members) => members.reduce((a, b) => ((b.workers ?? 1) < (a.workers ?? 1) ? b : a)));
  if (kinds.length < 2) return null;
  const engines = new Set(kinds.map((one) => one.engine)).size > 1;
  const heuristics = new Set(kinds.map((one) => one.heuristic)).size > 1;
  const name = (one) => [engines ? one.engine : null, heuristics || !engines ? one.heuristic : null].filter(known).join(' ') || one.name;
  const named = (one) => (one.answers ? `${name(one)} (${one.answers})` : name(one));
  kinds.sort((a, b) => b.nodes.generated - a.nodes.generated);
  const [most, least] = [kinds[0], kinds.at(-1)];
  const rate = (one) => (one.seconds.median > 0 && !one.unknown_time ? `${short(one.nodes.generated / one.seconds.median)}/s` : null);
  return barPlot({
    title: heuristics ? (engines ? 'Engines and heuristics' : 'Heuristics') : 'Engines',
    about: 'Generated nodes for the same boards; the axis is logarithmic. Fewer nodes are not always less time.',
    wide: true, log: true,
    summary: `${name(most)} generates ${short(most.nodes.generated)} nodes, ${name(least)} ${short(least.nodes.generated)}.`,
    bars: kinds.map((one) => ({
      name: named(one), text: short(one.nodes.generated), parts: [{ value: one.nodes.generated, style: `c${colors.of(one) % 8}` }],
    })),
    columns: ['Search', 'Generated', 'Expanded', 'Time', 'Rate', 'Workers'],
    rows: kinds.map((one) => [named(one), full(one.nodes.generated), known(one.nodes.expanded) ? full(one.nodes.expanded) : null,
      known(one.seconds.median) ? seconds(one.seconds.median) : null, rate(one), known(one.workers) ? full(one.workers) : null]),
  });
}

export function plotsOf(configurations, what, finish) {
  const colors = colorsOf(configurations);
  return element('div', { class: 'plots' }, ...[
    splitPlot(configurations, colors), ...speedupPlots(configurations, colors, finish), secondsPlot(configurations, what, colors),
    sectionsPlot(configurations), heuristicsPlot(configurations, colors)].filter(known));
}
