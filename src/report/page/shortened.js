// SPDX-License-Identifier: MIT
// Solutions that `optimize` shortened: their lengths before and after.

import { barPlot, legendOf } from './common/chart.js';
import { element, percent, section, sum } from './common/elements.js';
import { full, moves } from './common/text.js';

const mostBars = 60;

export function showShortened(all) {
  const before = sum(all.map((one) => one.length_before));
  const after = sum(all.map((one) => one.length));
  const share = (one) => (one.length_before > 0 ? percent(1 - one.length / one.length_before) : '0 %');
  const left = all.length - mostBars;
  section('shortened', 'Shortened solutions', element('div', { class: 'plots' }, barPlot({
    title: 'Moves before and after', wide: true,
    about: `${moves(after)} instead of ${full(before)}, ${share({ length: after, length_before: before })} less.${left > 0 ? ` The first ${mostBars} are drawn.` : ''}`,
    summary: `${moves(after)} instead of ${full(before)}.`,
    bars: all.slice(0, mostBars).map((one) => ({
      name: one.id, text: `${full(one.length)} of ${full(one.length_before)}`,
      parts: [{ value: one.length, style: 'c0' }, { value: one.length_before - one.length, style: 'c5', note: `${moves(one.length_before - one.length)} less` }],
    })),
    legend: legendOf([{ name: 'moves now', style: 'c0' }, { name: 'left out', style: 'c5' }]),
    columns: ['Board', 'Before', 'After', 'Less', 'Optimal'],
    rows: all.map((one) => [one.id, full(one.length_before), full(one.length), share(one), one.optimal ? 'yes' : null]),
  })));
}
