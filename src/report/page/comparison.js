// SPDX-License-Identifier: MIT
// A section for each file of `compare`.

import { counted, element, percent, section, table } from './common/elements.js';
import { plotsOf } from './speed.js';
import { known } from './common/values.js';
import { full, seconds } from './common/text.js';

const mostVerdicts = 4; // verdicts shown without a click, for files without a summary
const verdictList = (verdicts) => element('ul', { class: 'verdicts' }, ...verdicts.map((verdict) => element('li', {}, verdict)));

export function showComparison(comparison, number, titles) {
  const { configurations, machine } = comparison;
  const repeat = !known(comparison.repeat) ? ''
    : comparison.interrupted ? `, interrupted before all of ${counted(comparison.repeat, 'repetition')} were done`
      : `, medians of ${counted(comparison.repeat, 'repetition')}`;
  const facts = [
    comparison.boards ? `${counted(comparison.boards, 'board')}${repeat}` : null, machine.cpu,
    known(machine.cpus) ? counted(machine.cpus, 'CPU') : null,
    machine.hosts > 1 ? counted(machine.hosts, 'host') : null, machine.date?.slice(0, 16).replace('T', ' '),
    comparison.version ? `tessera ${comparison.version}` : null].filter(known);
  const workOf = (one) => (known(one.work_ratio) ? one.work_ratio : known(one.search_overhead) ? 1 + one.search_overhead : null)?.toPrecision(3);
  const share = (value) => (known(value) ? percent(value) : null);
  const all = element('details', { class: 'card' }, element('summary', {}, 'All figures'), table('All figures of the comparison',
    ['Configuration', 'Workers', 'Median', 'Minimum', 'Maximum', 'Moves', 'Speedup', 'Reference', 'Efficiency', 'Relative nodes', 'Idle', 'Imbalance', 'Generated'],
    configurations.map((one) => [known(one.cut) ? `${one.name} (stopped: ${one.cut})` : one.name, known(one.workers) ? full(one.workers) : null,
      ...['median', 'min', 'max'].map((key) => (known(one.seconds[key]) ? seconds(one.seconds[key]) : null)),
      known(one.moves) ? `${full(one.moves)}${one.answers ? `, ${one.answers}` : ''}` : null,
      known(one.speedup) ? one.speedup.toFixed(2) : null, one.reference, share(one.efficiency), workOf(one),
      share(one.idle), share(one.imbalance), known(one.nodes.generated) ? full(one.nodes.generated) : null])));
  const title = comparison.study ? `Study of ${comparison.study}` : 'Comparison';
  const alike = titles.filter((other) => other === title).length;
  titles.push(title);
  const { summary, verdicts } = comparison;
  const shown = summary.length ? summary : verdicts.slice(0, mostVerdicts);
  const others = verdicts.filter((verdict) => !shown.includes(verdict));
  section(`comparison-${number}`, alike > 0 ? `${title} ${alike + 1}` : title,
    element('p', { class: 'about' }, facts.join(' · ')),
    comparison.command ? element('p', { class: 'about' }, element('code', {}, comparison.command)) : null,
    known(machine.cpu_share) && machine.cpu_share <= 0.9 ? element('p', {},
      `Search threads had a CPU for only ${percent(machine.cpu_share)} of their time: repeat this on an idle machine, with no more workers than CPUs.`) : null,
    shown.length ? verdictList(shown) : null,
    others.length ? element('details', { class: 'card' },
      element('summary', {}, `${full(others.length)} more`), verdictList(others)) : null,
    ...(configurations.length ? [plotsOf(configurations, `Seconds for ${comparison.boards ? counted(comparison.boards, 'board') : 'the boards'}${repeat}`, comparison.finish_iteration), all] : []));
}
