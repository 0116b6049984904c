// SPDX-License-Identifier: MIT
// Runs in words, and their colors.

import { counted } from './common/elements.js';
import { groups, known } from './common/values.js';

export function workersText({ backend, ranks, threads }) {
  if (backend === 'serial') return 'serial';
  const each = known(threads) ? counted(threads, 'thread') : 'threads';
  return ranks > 1 || backend === 'mpi' ? `${counted(ranks ?? 1, 'rank')} x ${each}` : each;
}

/** Engine and heuristic. */
export const searchOf = ({ engine, heuristic }) => `${engine ?? ''} ${heuristic ?? ''}`.trim();

/** A run in words; what is as usual is left out. */
export function runName(run) {
  if (run.engine === 'census') return 'deepest boards of a census';
  if (run.engine === 'optimize') return 'shortened by optimize';
  const words = [searchOf(run) || 'unknown engine', workersText(run)];
  if (run.schedule && run.schedule !== 'stealing') words.push(run.schedule);
  if (run.bounds && run.bounds !== 'shared') words.push(`${run.bounds} bounds`);
  if (run.metric === 'multi') words.push('runs of tiles');
  return words.join(', ');
}

// ---- colors

const searches = new Map(); // an engine and heuristic have one color on the whole page
export function colorOfSearch(one) {
  const name = searchOf(one);
  if (!searches.has(name)) searches.set(name, searches.size);
  return searches.get(name);
}

const backends = new Map([['serial', 7], ['threads', 0], ['mpi', 2]]);

/** The same colors in all plots of some configurations: by search if these differ, else by backend. */
export function colorsOf(configurations) {
  const differ = new Set(configurations.map(searchOf)).size > 1;
  const of = (one) => (differ ? colorOfSearch(one) : backends.get(one.backend) ?? 4);
  const nameOf = (one) => (differ ? searchOf(one) : one.backend) ?? 'unknown';
  const entries = [...groups(configurations, nameOf)].map(([name, [one]]) => ({ name: name || 'unknown', style: `c${of(one) % 8}` }));
  return { of, entries };
}
