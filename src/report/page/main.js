// SPDX-License-Identifier: MIT
import { showBounds } from './bounds.js';
import { showCensuses } from './census.js';
import { prepareForPrint } from './chart.js';
import { byId, counted, element, sum } from './elements.js';
import { Solutions } from './solutions.js';
import { showComparison, showRuns } from './speed.js';
import { showTimeline } from './timeline.js';
import { full, moves, seconds, short } from './common/text.js';

const data = JSON.parse(byId('data').textContent);
data.files = data.files.map((path) => path.slice(path.lastIndexOf('/') + 1) || path);

const boards = data.boards.map(([run, id, tiles, status, length, letters, optimal, verified, time, expanded, generated, solutions, lower, flat]) => {
  const iterations = [];
  for (let i = 0; i < flat.length; i += 6) {
    const [bound, expandedOf, generatedOf, secondsOf, idle, complete] = flat.slice(i, i + 6);
    iterations.push({ bound: bound ?? 0, expanded: expandedOf ?? 0, generated: generatedOf ?? 0, seconds: secondsOf ?? 0, idle, complete });
  }
  return { run, id, tiles, status, length, moves: letters, optimal, verified, seconds: time, expanded, generated, solutions, lower, iterations };
});

function showFigures() {
  const searched = boards.filter((board) => data.runs[board.run].engine !== 'census');
  const solved = searched.filter((board) => board.status === 'solved');
  const nodes = sum(searched.map((board) => board.generated ?? 0));
  const time = sum(searched.map((board) => board.seconds ?? 0));
  const best = Math.max(0, ...data.comparisons.flatMap(({ configurations }) => configurations.map((one) => one.speedup ?? 0)));
  const figures = [];
  if (best > 0) figures.push([best.toFixed(2), 'best speedup']);
  if (searched.length > 0) {
    const all = solved.length === searched.length;
    const optimal = solved.length > 0 && solved.every((board) => board.optimal) ? ', proven optimal' : '';
    const used = new Set(searched.map((board) => board.run)).size;
    const results = searched.length === 1 ? 'board' : used > 1 ? `results of ${used} runs` : 'boards';
    figures.push([full(searched.length), `${results}, ${all ? 'all' : full(solved.length)} solved${optimal}`]);
    figures.push([short(nodes), 'nodes generated']);
    if (time > 0) figures.push([short(nodes / time), 'nodes per second'], [seconds(time), 'search time']);
    if (solved.length > 0) figures.push([moves(solved.reduce((most, board) => Math.max(most, board.length), 0)), 'longest solution']);
  }
  for (const census of data.censuses) {
    if (census.radius !== null) figures.push([String(census.radius), `radius of ${census.size}${census.metric === 'multi' ? ', multi' : ''}`]);
  }
  if (figures.length === 0) return;
  byId('main').prepend(element('dl', { class: 'overview' }, ...figures.slice(0, 6).map(([figure, name]) =>
    element('div', {}, element('dt', {}, name), element('dd', {}, figure)))));
}

byId('about').textContent = data.files.length === 1 ? data.files[0] : counted(data.files.length, 'file');
const titles = [];
data.comparisons.forEach((comparison, i) => showComparison(comparison, i + 1, titles));
showRuns(data.runs, boards);
data.traces.forEach((trace, i) => showTimeline(trace, i + 1, data.traces.length > 1, data.files[trace.file]));
showBounds(data.runs, boards);
if (data.censuses.length > 0) showCensuses(data.censuses);
if (boards.length > 0) new Solutions(data.runs, boards);
showFigures();
byId('contents').hidden = byId('contents').children.length < 2;
byId('sources').textContent = `Made by tessera ${data.version} from ${data.files.join(', ')}.`;
prepareForPrint();
