// SPDX-License-Identifier: MIT
// Plots a trace: what each worker did over time and, above it, how many were searching.

import { legendOf, linearScale, plot } from './common/chart.js';
import { clipped, counted, element, maxOf, minOf, percent, section, shape, sum } from './common/elements.js';
import { groups } from './common/values.js';
import { seconds } from './common/text.js';

const styleByName = new Map(Object.entries({
  search: 'in-search', share: 'in-split', split: 'in-split', wait: 'in-wait', between: 'in-other', recover: 'c4',
  deal: 'in-communicate', attend: 'in-attend', settle: 'in-communicate', reduce: 'in-communicate', steal: 'in-communicate',
}));
const meanings = new Map(Object.entries({
  search: 'searches', share: 'gives branches away', split: 'cuts the tree', wait: 'waits', between: 'between executions',
  recover: 'recovers the solution', deal: 'deals', attend: 'answers messages', settle: 'settles', reduce: 'sums up',
}));

const styleOfActivity = (name, i) => styleByName.get(name) ?? `c${(i + 1) % 8}`;
const isMain = (track) => track.name === 'main';

/** Calls `use` with each of `pixels` equal times of a range, what a track does in it (an activity or -1) and the share of it. */
function eachShare({ parts }, step, from, to, pixels, use) {
  const each = (to - from) / pixels;
  let time = 0;
  for (let i = 0; i < parts.length; i += 2) {
    const begin = time;
    time += parts[i + 1] * step;
    if (time <= from || begin >= to) continue;
    const last = Math.min(pixels - 1, Math.floor((time - from) / each));
    for (let pixel = Math.max(0, Math.floor((begin - from) / each)); pixel <= last; ++pixel) {
      const overlap = Math.min(time, from + (pixel + 1) * each) - Math.max(begin, from + pixel * each);
      if (overlap > 0) use(pixel, parts[i], overlap / each);
    }
  }
}

/** What a track mostly does in each of `pixels` equal times of a range: the number of an activity or -1. */
function columnsOf(track, step, from, to, pixels, activities) {
  const shares = Array.from({ length: pixels }, () => new Float64Array(activities + 1));
  eachShare(track, step, from, to, pixels, (pixel, activity, share) => { shares[pixel][activity + 1] += share; });
  return shares.map((share) => share.indexOf(maxOf(share)) - 1);
}

/** How many tracks search in each of `pixels` times. */
function searching(trace, tracks, from, to, pixels) {
  const counts = new Float64Array(pixels);
  for (const track of tracks) {
    eachShare(track, trace.step, from, to, pixels, (pixel, activity, share) => {
      if (trace.activities[activity] === 'search') counts[pixel] += share;
    });
  }
  return counts;
}

function draw(trace, view, width) {
  const tracks = trace.tracks.filter((track) => view.main || !isMain(track));
  const several = new Set(tracks.map((track) => track.rank)).size > 1;
  const nameOf = (track) => (several ? `${track.rank}: ${track.name}` : track.name);
  const left = Math.min(width * 0.28, 14 + 7 * maxOf(tracks.map((track) => nameOf(track).length)));
  const right = width - 4;
  const row = Math.min(24, Math.max(3, Math.floor(480 / tracks.length)));
  const [profile, top] = [64, 22];
  const below = top + profile + 14;
  const height = below + row * tracks.length + 40;
  const { from, to } = view;
  const across = (time) => left + (time - from) / (to - from) * (right - left);
  const pixels = Math.max(1, Math.round(right - left));
  const svg = shape('svg', { viewBox: `0 0 ${width} ${height}`, class: 'chart timeline' });

  // Iterations in the background, with names if there is room.
  let free = left;
  for (const [begin, end, name] of trace.marks) {
    if (end <= from || begin >= to || !name.startsWith('bound')) continue;
    const x = Math.max(left, across(begin));
    if (across(end) - x > 2) svg.append(shape('path', { d: `M${x.toFixed(1)} ${top - 6}V${height - 38}`, class: 'rule' }));
    if (across(end) - x > 7 * name.length && x >= free && x + 7 * name.length < right) {
      svg.append(shape('text', { x: x + 4, y: 12, class: 'label' }, clipped(name, 20)));
      free = x + 7 * name.length;
    }
  }

  const workers = tracks.filter((track) => !isMain(track));
  const counted_ = workers.length > 0 ? workers : tracks;
  const counts = searching(trace, counted_, from, to, pixels);
  const base = top + profile;
  const area = [...counts].map((count, i) => `L${(left + i).toFixed(0)} ${(base - count / counted_.length * profile).toFixed(1)}H${(left + i + 1).toFixed(0)}`);
  svg.append(shape('rect', { x: left, y: top, width: right - left, height: profile, class: 'well' }),
    shape('path', { d: `M${left} ${base}${area.join('')}V${base}Z`, class: 'bar in-search' }),
    shape('text', { x: left - 7, y: top + 10, 'text-anchor': 'end' }, String(counted_.length)),
    shape('text', { x: left - 7, y: base, 'text-anchor': 'end' }, '0'));

  const named = Math.ceil(13 / row);
  tracks.forEach((track, i) => {
    const y = below + i * row;
    const gap = row > 8 ? 2 : row > 5 ? 1 : 0.5;
    svg.append(shape('rect', { x: left, y, width: right - left, height: row - gap, class: 'well' }));
    const columns = columnsOf(track, trace.step, from, to, pixels, trace.activities.length);
    const paths = new Map();
    for (let begin = 0; begin < pixels;) {
      let end = begin + 1;
      while (end < pixels && columns[end] === columns[begin]) ++end;
      if (columns[begin] >= 0) {
        const piece = `M${(left + begin).toFixed(1)} ${y}h${end - begin}v${row - gap}h${begin - end}Z`;
        paths.set(columns[begin], (paths.get(columns[begin]) ?? '') + piece);
      }
      begin = end;
    }
    for (const [activity, d] of paths) {
      const name = trace.activities[activity];
      svg.append(shape('path', { d, class: `bar ${styleOfActivity(name, activity)}` }, shape('title', {}, `${nameOf(track)}: ${meanings.get(name) ?? name}`)));
    }
    if (i % named === 0) {
      svg.append(shape('text', { x: left - 7, y: y + Math.min(row / 2 + 4, row + 3), 'text-anchor': 'end' }, clipped(nameOf(track), Math.floor((left - 10) / 6.6))));
    }
  });

  const scale = linearScale(0, to - from, Math.max(2, Math.floor((right - left) / 90)));
  for (const tick of scale.ticks) {
    const x = across(from + tick);
    if (x > right - 1) continue;
    svg.append(shape('path', { d: `M${x} ${height - 38}v5`, class: 'axis' }),
      shape('text', { x, y: height - 20, 'text-anchor': 'middle' }, tick === 0 ? '0' : seconds(tick)));
  }
  svg.append(shape('text', { x: right, y: height - 3, 'text-anchor': 'end', class: 'label' }, from > 0 ? `time since ${seconds(from)}` : 'time'));
  return svg;
}

// When the first bound or the first work of a search thread begins: before it, tables are loaded and threads started.
function workBegins(trace, workers) {
  const begins = trace.marks.filter(([, , name]) => name.startsWith('bound')).map(([begin]) => begin);
  for (const { parts } of workers) {
    const idle = parts[0] < 0 ? parts[1] * trace.step : 0;
    if (parts.length > 2 || parts[0] >= 0) begins.push(idle);
  }
  return Math.min(trace.seconds, minOf(begins));
}

export function showTimeline(trace, number, several, file) {
  const { other } = trace;
  const end = Math.max(trace.seconds, 1e-9);
  const workers = trace.tracks.filter((track) => !isMain(track));
  const begin = workers.length === 0 ? 0 : workBegins(trace, workers);
  const view = { from: begin, to: end, main: workers.length === 0 };
  const range = element('select', {});
  // If there are many, the longest ones.
  const longest = trace.marks.map((mark, i) => ({ mark, i })).sort((a, b) => (b.mark[1] - b.mark[0]) - (a.mark[1] - a.mark[0]))
    .slice(0, 200).sort((a, b) => a.i - b.i);
  range.append(new Option(`whole search, ${seconds(end - begin)}`, ''),
    ...longest.map(({ mark: [begin, finish, name], i }) => new Option(`${name}, ${seconds(finish - begin)}`, i)));
  const main = element('input', { type: 'checkbox' });
  const controls = element('div', { class: 'row controls' }, trace.marks.length > 0 ? element('label', {}, 'Show ', range) : null,
    workers.length > 0 && workers.length < trace.tracks.length ? element('label', { class: 'check' }, main, ' main threads too') : null);

  const shown = workers.length > 0 ? workers : trace.tracks;
  const spent = (track, name) => track.seconds[trace.activities.indexOf(name)] ?? 0;
  const searchingShare = sum(shown.map((track) => spent(track, 'search'))) / (end * shown.length);
  const figure = plot({
    title: 'Workers over time', wide: true,
    about: `Top: how many of ${counted(shown.length, 'search thread')} are searching; below: what each thread does.`,
    summary: `${counted(shown.length, 'thread')} over ${seconds(end)}; searching ${percent(searchingShare)} of the time.`,
    controls,
    draw: (width) => draw(trace, view, width),
    legend: legendOf([...groups(trace.activities.map((name, i) => ({ name: meanings.get(name) ?? name, style: styleOfActivity(name, i) })), ({ style }) => style)]
      .map(([style, alike]) => ({ name: alike.map(({ name }) => name).join(', '), style }))),
    columns: ['Thread', ...trace.activities, 'searching'],
    rows: trace.tracks.map((track) => [`${track.process || `rank ${track.rank}`}, ${track.name}`,
      ...track.seconds.map((time) => (time > 0 ? seconds(time) : null)), percent(spent(track, 'search') / end)]),
  });
  range.addEventListener('change', () => {
    const [from, to] = range.value === '' ? [begin, end] : trace.marks[Number(range.value)];
    Object.assign(view, { from, to: Math.max(to, from + 1e-9) });
    figure.redraw();
  });
  main.addEventListener('change', () => {
    view.main = main.checked;
    figure.redraw();
  });
  const facts = [file, other.engine, other.backend, other.ranks === null ? null : counted(other.ranks, 'rank'),
    other.threads === null ? null : `${counted(other.threads, 'thread')} each`, other.schedule].filter((fact) => fact);
  section(`timeline-${number}`, several ? `Timeline ${number}` : 'Timeline',
    element('p', { class: 'about' }, facts.join(' · ')), element('div', { class: 'plots' }, figure));
}
