// SPDX-License-Identifier: MIT
// Runs of `solve`: a table, and plots where several solved the same boards.

import { counted, element, percent, section, sum, table } from './common/elements.js';
import { runName } from './names.js';
import { compared, timeOf } from './series.js';
import { plotsOf } from './speed.js';
import { known } from './common/values.js';
import { full, seconds, short } from './common/text.js';

const total = (rows, key) => sum(rows.map((board) => board[key] ?? 0));
const workersOf = ({ backend, ranks, threads }) => (backend === 'serial' ? 1 : (ranks ?? 1) * (threads ?? 1));

// Of its search time; boards without a share are left out.
function cpuShareOf({ rows }) {
  const told = rows.filter((board) => known(board.share) && board.seconds > 0);
  const time = sum(told.map((board) => board.seconds));
  return time > 0 ? sum(told.map((board) => board.share * board.seconds)) / time : null;
}

function rowOf(one) {
  const time = timeOf(one, one.rows);
  const wall = known(time.seconds) ? `${seconds(time.seconds)}${time.exact ? '' : ' (sum)'}` : null;
  const nodes = total(one.rows, 'generated');
  return [one.name, full(one.rows.length), full(one.rows.filter((board) => board.status === 'solved').length), wall, full(nodes),
    time.exact && time.seconds > 0 ? `${short(nodes / time.seconds)}/s` : null];
}

function notesOf(series) {
  const notes = [];
  const times = series.map((one) => timeOf(one, one.rows));
  if (times.some((time) => known(time.seconds) && !time.exact)) {
    notes.push('(sum): the times of boards that may have been searched at the same time, added up; this file does not hold the wall time.');
  }
  for (const one of series) {
    const share = cpuShareOf(one);
    if (known(share) && share <= 0.9) notes.push(`${one.name}: search threads had a CPU for only ${percent(share)} of their time.`);
  }
  for (const [key, what] of [['cpu', 'CPUs'], ['revision', 'revisions of the program']]) {
    const values = new Set(series.map(({ run }) => run[key]).filter(known));
    if (values.size > 1) notes.push(`These runs used different ${what}: ${[...values].join('; ')}.`);
  }
  return notes;
}

function configurationOf(one, rows) {
  const { run } = one;
  const time = timeOf(one, rows);
  return {
    ...run, name: one.name, setup: runName(run), workers: workersOf(run), unknown_time: !time.exact,
    schedule: run.schedule === 'stealing' ? null : run.schedule, // a batch without boards to share has none
    answers: rows.some((board) => !board.optimal) ? 'not proven optimal' : null,
    seconds: { median: time.seconds, min: null, max: null },
    nodes: { generated: total(rows, 'generated'), expanded: total(rows, 'expanded') },
  };
}

function comparisonOf(runs, series) {
  const { number, boards, about } = compared(runs, series);
  if (number === 0) return [element('p', { class: 'about' }, about)];
  const configurations = series.map((one, i) => configurationOf(one, boards[i]));
  const timeless = configurations.filter((one) => !known(one.seconds.median)).map((one) => one.name);
  const notes = [about];
  if (timeless.length > 0) notes.push(`No time of these boards alone is known for ${timeless.join('; ')}: others were searched meanwhile.`);
  const workers = new Set(configurations.map((one) => one.workers));
  if (workers.size > 1 && !workers.has(1)) notes.push('Speedup is not shown: no run has one worker.');
  const finish = series.every(({ run }) => run.finish_iteration);
  const text = notes.filter((note) => note !== '').join(' ');
  return [text === '' ? null : element('p', { class: 'about' }, text),
    plotsOf(configurations, `Wall time for ${counted(number, 'board')} that all runs solved`, finish)];
}

export function showRuns(runs, all) {
  const series = all.filter((one) => one.searched);
  if (series.length === 0) return;
  const card = element('div', { class: 'card' },
    table('Runs', ['Run', 'Boards', 'Solved', 'Wall time', 'Generated', 'Rate'], series.map(rowOf)),
    ...notesOf(series).map((note) => element('p', { class: 'about' }, note)));
  section('runs', 'Runs', card, ...(series.length > 1 ? comparisonOf(runs, series) : []));
}
