// SPDX-License-Identifier: MIT
import { Analysis } from './analysis.js';
import { byId as $ } from './elements.js';
import { Game } from './game.js';
import { Player } from './player.js';
import { Session } from './session.js';
import { Solver } from './solver.js';
import { keep, kept } from './storage.js';

const game = new Game();
const player = new Player(game);
const solver = new Solver(game, player);
new Analysis(game, solver);
new Session(game);

// Dark or light: follows the system until the user chooses.
const root = document.documentElement;
const chosen = kept('localStorage', 'theme');
if (chosen) root.dataset.theme = chosen;
$('theme').addEventListener('click', () => {
  const dark = root.dataset.theme
    ? root.dataset.theme === 'dark'
    : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = dark ? 'light' : 'dark';
  keep('localStorage', 'theme', root.dataset.theme);
});

$('share').addEventListener('click', async () => {
  try {
    await navigator.clipboard.writeText(new URL(game.address, location.href).href);
    $('share').textContent = 'Copied';
  } catch {
    $('share').textContent = 'See the address bar';
  }
  setTimeout(() => { $('share').textContent = 'Copy link'; }, 1800);
});
