// SPDX-License-Identifier: MIT
import { showBounds } from './bounds.js';
import { showCensuses } from './census.js';
import { prepareForPrint } from './common/chart.js';
import { showComparison } from './comparison.js';
import { byId, counted } from './common/elements.js';
import { showFigures } from './figures.js';
import { showGames } from './games.js';
import { showRuns } from './runs.js';
import { seriesOf } from './series.js';
import { showShortened } from './shortened.js';
import { showSimulations } from './simulations.js';
import { Solutions } from './solutions.js';
import { showTimeline } from './timeline.js';

const data = JSON.parse(byId('data').textContent);
data.files = data.files.map((path) => path.slice(path.lastIndexOf('/') + 1) || path);

const boards = data.boards.map(([run, id, tiles, status, length, letters, optimal, verified, time, expanded, generated, solutions, lower, workers, begin, end, share, flat]) => {
  const iterations = [];
  for (let i = 0; i < flat.length; i += 6) {
    const [bound, expandedOf, generatedOf, secondsOf, idle, complete] = flat.slice(i, i + 6);
    iterations.push({ bound: bound ?? 0, expanded: expandedOf ?? 0, generated: generatedOf ?? 0, seconds: secondsOf ?? 0, idle, complete });
  }
  return { run, id, tiles, status, length, moves: letters, optimal, verified, seconds: time, expanded, generated, solutions, lower, workers, begin, end, share, iterations };
});
for (const one of data.comparisons.flatMap(({ configurations }) => configurations)) if (one.answers === 'optimal') one.answers = null;
const series = seriesOf(data.runs, boards, data.files);

byId('about').textContent = data.files.length === 1 ? data.files[0] : counted(data.files.length, 'file');
const titles = [];
data.comparisons.forEach((comparison, i) => showComparison(comparison, i + 1, titles));
showRuns(data.runs, series);
if (data.simulations.length > 0) showSimulations(data.simulations, data.files);
data.traces.forEach((trace, i) => showTimeline(trace, i + 1, data.traces.length > 1, data.files[trace.file]));
showBounds(data.runs, series);
if (data.censuses.length > 0) showCensuses(data.censuses);
if (data.games.length > 0) showGames(data.games);
if (data.shortened.length > 0) showShortened(data.shortened);
if (boards.length > 0) new Solutions(data.runs, boards, series);
showFigures(data, series);
byId('contents').hidden = byId('contents').children.length < 2;
byId('sources').textContent = `Made by tessera ${data.version} from ${data.files.join(', ')}.`;
prepareForPrint();
