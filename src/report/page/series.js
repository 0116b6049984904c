// SPDX-License-Identifier: MIT
// Series: the boards that a run of `solve` searched, with its wall time.

import { counted, sum } from './common/elements.js';
import { runName, searchOf } from './names.js';
import { groups, known } from './common/values.js';
import { full } from './common/text.js';

// A board that a batch gave to one worker has no schedule, and its neighbor in the same run may have one.
const setupOf = (run) => [run.engine, run.backend, run.ranks, run.threads, run.bounds, run.metric].join('\n');
const isTimed = (board) => known(board.begin) && known(board.end);

/** Seconds in which at least one of the boards was searched. */
function covered(boards) {
  let [total, until] = [0, -Infinity];
  for (const { begin, end } of boards.filter(isTimed).sort((a, b) => a.begin - b.begin)) {
    total += Math.max(0, end - Math.max(begin, until));
    until = Math.max(until, end);
  }
  return total;
}

// What earlier parts of resumed searches took: the interval of a row is that of its last part.
const earlierParts = (rows) => sum(rows.filter(isTimed)
  .map(({ begin, end, seconds }) => Math.max(0, (seconds ?? 0) - (end - begin)))
  .filter((seconds) => seconds > 1e-3)); // clocks are read one after the other

/** The wall time of some boards of an invocation: {seconds, exact}; null if it cannot be known. */
function wallOf(rows, { boards, overlap }) {
  if (!boards.some(isTimed)) { // an older file: boards that were searched at the same time count twice
    return { seconds: sum(rows.map((board) => board.seconds ?? 0)), exact: rows.length < 2 || !overlap };
  }
  const mine = new Set(rows);
  const others = boards.filter((board) => !mine.has(board));
  if (others.length === 0) {
    const timed = rows.filter(isTimed);
    const end = timed.reduce((last, board) => Math.max(last, board.end), 0);
    const first = timed.reduce((begin, board) => Math.min(begin, board.begin), end);
    return { seconds: end - first + earlierParts(timed), exact: true };
  }
  const apart = covered(rows) + covered(others) - covered(boards) < 2e-6 * boards.length; // times are in microseconds
  return { seconds: apart ? covered(rows) + earlierParts(rows) : null, exact: apart };
}

// Rows of one invocation: equal `run`, or, in older files, equal file and setup.
function invocationsOf(runs, boards) {
  const keyOf = ({ run }) => (known(runs[run].run) ? `run ${runs[run].run}`
    : ['file', runs[run].file, runs[run].heuristic, setupOf(runs[run])].join('\n'));
  return [...groups(boards, keyOf).values()].flatMap((rows) => {
    const schedules = new Set(rows.map(({ run }) => runs[run].schedule).filter(known));
    const alike = schedules.size > 1 && !known(runs[rows[0].run].run)
      ? [...groups(rows, ({ run }) => runs[run].schedule).values()] : [rows];
    return alike.map((members) => ({
      boards: members, overlap: members.some(({ run }) => !known(runs[run].schedule) && (runs[run].ranks ?? 1) * (runs[run].threads ?? 1) > 1),
    }));
  });
}

/** What makes two boards the same. */
export const boardKeyOf = (runs) => ({ run, tiles }) => [runs[run].width, runs[run].goal, runs[run].metric, tiles].join(' ');

// `auto` may take another heuristic for another size; but a board with two heuristics is two searches.
function partsOf(runs, invocation) {
  const keyOf = boardKeyOf(runs);
  const seen = new Map();
  const compares = invocation.boards.some((board) => {
    const heuristic = searchOf(runs[board.run]);
    const earlier = seen.get(keyOf(board));
    seen.set(keyOf(board), heuristic);
    return earlier !== undefined && earlier !== heuristic;
  });
  const parts = compares ? [...groups(invocation.boards, ({ run }) => searchOf(runs[run])).values()] : [invocation.boards];
  return parts.map((rows) => ({ rows, invocation }));
}

function runOf(runs, rows) {
  const all = [...new Set(rows.map(({ run }) => run))].map((run) => runs[run]);
  const heuristics = [...new Set(all.map((run) => run.heuristic))];
  const most = (key) => all.reduce((value, run) => (run[key] > value ? run[key] : value), all[0][key]);
  return {
    ...all[0], ranks: most('ranks'), threads: most('threads'),
    schedule: all.map((run) => run.schedule).find(known) ?? null,
    heuristic: heuristics.length === 1 ? heuristics[0] : `${heuristics.length} heuristics`,
  };
}

// Parts of one search: equal setups, and no board twice. A resumed file has several invocations; older files
// do not say which rows belong together.
function joined(runs, parts) {
  const keyOf = boardKeyOf(runs);
  const series = [];
  for (const part of parts) {
    const run = runOf(runs, part.rows);
    const key = [searchOf(run), setupOf(run), known(run.run) ? run.file : ''].join('\n');
    const keys = part.rows.map(keyOf);
    const whole = series.find((one) => one.key === key && !keys.some((board) => one.keys.has(board)));
    if (whole) {
      whole.parts.push(part);
      for (const board of keys) whole.keys.add(board);
    } else {
      series.push({ key, keys: new Set(keys), parts: [part] });
    }
  }
  return series;
}

/** All series; `searched` are not the deepest boards of a census, nor shortened solutions. Names differ. */
export function seriesOf(runs, boards, files) {
  const parts = invocationsOf(runs, boards).flatMap((invocation) => partsOf(runs, invocation));
  const series = joined(runs, parts).map(({ parts: members }) => {
    const rows = members.flatMap((part) => part.rows);
    const run = runOf(runs, rows);
    return { run, rows, parts: members, name: runName(run), searched: !['census', 'optimize'].includes(run.engine) };
  });
  for (const alike of groups(series, ({ name }) => name).values()) {
    if (alike.length === 1) continue;
    const apart = new Set(alike.map(({ run }) => run.file)).size === alike.length;
    alike.forEach((one, i) => { one.name += apart ? ` (${files[one.run.file]})` : ` (${i + 1})`; });
  }
  for (const one of series) for (const board of one.rows) board.series = one;
  return series;
}

/** The wall time of a series or of some of its boards. */
export function timeOf({ parts }, boards) {
  const wanted = new Set(boards);
  const walls = parts.map(({ rows, invocation }) => [rows.filter((board) => wanted.has(board)), invocation])
    .filter(([rows]) => rows.length > 0).map(([rows, invocation]) => wallOf(rows, invocation));
  return {
    seconds: walls.every((wall) => known(wall.seconds)) ? sum(walls.map((wall) => wall.seconds)) : null,
    exact: walls.every((wall) => wall.exact),
  };
}

/** What of several series can be compared: boards by series, and a sentence on those that are left out. */
export function compared(runs, series) {
  const keyOf = boardKeyOf(runs);
  const solved = series.map(({ rows }) => groups(rows.filter((board) => board.status === 'solved'), keyOf));
  const all = new Set(series.flatMap(({ rows }) => rows.map(keyOf)));
  const common = [...solved[0].keys()].filter((key) => solved.every((of) => of.has(key)));
  const out = all.size - common.length;
  return {
    number: common.length,
    boards: solved.map((of) => common.flatMap((key) => of.get(key))),
    about: out === 0 ? '' : common.length === 0 ? 'No board was solved by all runs, so they are not compared.'
      : `${full(common.length)} of ${counted(all.size, 'board')} ${common.length === 1 ? 'is' : 'are'} compared; ${full(out)} that not all runs solved ${out === 1 ? 'is' : 'are'} left out.`,
  };
}
