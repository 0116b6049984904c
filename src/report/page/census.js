// SPDX-License-Identifier: MIT
// The number of boards at each depth.

import { columnPlot } from './common/chart.js';
import { counted, element, maxOf, section, sum } from './common/elements.js';
import { full, seconds, short } from './common/text.js';

export function showCensuses(censuses) {
  const figures = censuses.map((census) => {
    const { widths } = census;
    const all = sum(widths);
    const widest = widths.indexOf(maxOf(widths));
    const options = { log: false };
    const log = element('input', { type: 'checkbox' });
    const metric = census.metric === 'multi' ? ', a move is a run of tiles' : '';
    const facts = [
      `${full(all)} states${census.complete === false ? ' so far' : ''}`,
      census.radius === null ? null : `radius ${census.radius}`,
      census.seconds === null ? null : seconds(census.seconds),
      counted((census.ranks ?? 1) * (census.threads ?? 1), 'worker'),
    ].filter((fact) => fact);
    const figure = columnPlot({
      wide: censuses.length === 1,
      title: `${census.size}, goal ${census.goal}${metric}`, about: facts.join(' · '),
      summary: `${counted(widths.length, 'depth')}; most states, ${full(widths[widest])}, lie at depth ${widest}.`,
      values: widths, options, x: { label: 'depth' },
      y: { label: 'states', text: short, note: (value) => `${full(value)} states` },
      controls: element('div', { class: 'row controls' }, element('label', { class: 'check' }, log, ' logarithmic')),
      columns: ['Depth', 'States', 'Share'],
      rows: widths.map((width, depth) => [String(depth), full(width), `${(100 * width / all).toPrecision(3)} %`]),
    });
    log.addEventListener('change', () => {
      options.log = log.checked;
      figure.redraw();
    });
    return figure;
  });
  section('census', censuses.length > 1 ? 'Complete searches' : 'Complete search', element('div', { class: 'plots' }, ...figures));
}
