// SPDX-License-Identifier: MIT
// Games that `analyse` followed: the distance from the goal after each move, and mistakes.

import { columnPlot } from './common/chart.js';
import { counted, element, maxOf, section } from './common/elements.js';
import { gamePlot, mistakesKnown } from './common/game_plot.js';
import { full } from './common/text.js';
import { known } from './common/values.js';

const mostPlots = 12;

const over = (game) => (game.solves && known(game.optimal_length) ? game.length - game.optimal_length : null);

export function showGames(all) {
  const games = all.filter(({ brackets }) => brackets.length > 0);
  if (games.length === 0) return;
  const exact = games.map(over).filter((moves) => known(moves) && moves >= 0);
  const histogram = Array(Math.max(0, maxOf(exact)) + 1).fill(0);
  for (const moves of exact) ++histogram[moves];
  const summaryPlot = games.length === 1 || exact.length === 0 ? null : columnPlot({
    title: 'Moves over the optimum', wide: true, about: `${counted(exact.length, 'game')} solved, with known optimal length.`,
    summary: `${full(histogram[0])} optimal.`, values: histogram, options: { log: false },
    x: { label: 'moves over the optimum' }, y: { label: 'games', text: full, note: (value) => counted(value, 'game') },
    columns: ['Game', 'Moves', 'Optimal', 'Over', 'Mistakes'],
    rows: games.map((game) => [game.id, full(game.length), known(game.optimal_length) ? full(game.optimal_length) : null,
      known(over(game)) ? full(over(game)) : null, mistakesKnown(game) ? full(game.mistakes.length) : null]),
  });
  const left = games.length - mostPlots;
  section('games', games.length === 1 ? 'Game' : 'Games',
    left > 0 ? element('p', { class: 'about' }, `Distances of the first ${mostPlots}; ${counted(left, 'game is', 'games are')} left out.`) : null,
    element('div', { class: 'plots' }, ...[summaryPlot, ...games.slice(0, mostPlots).map((game) => gamePlot(game, games.length === 1))].filter(known)));
}
