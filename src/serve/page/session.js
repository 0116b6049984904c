// SPDX-License-Identifier: MIT
// Times the games played on the page, and their averages as puzzle people count them.

import { byId as $, counted, element, minOf, sum } from './elements.js';
import { countMoves } from './puzzle.js';
import { keep, kept } from './storage.js';
import { clock, moves } from './text.js';

const mean = (numbers) => sum(numbers) / numbers.length;

/** The mean of the last `count` times without the best and the worst; null if there are fewer. */
export function average(times, count) {
  if (times.length < count) return null;
  const last = times.slice(-count).sort((a, b) => a - b);
  return mean(last.slice(1, -1));
}

export class Session {
  constructor(game) {
    this.game = game;
    this.games = this.load();
    game.addEventListener('board', () => this.reset({ aided: $('follow').checked }));
    game.addEventListener('restart', () => this.reset({ aided: this.aided }));
    game.addEventListener('help', () => this.reset({ aided: true }));
    game.addEventListener('goal', () => this.show());
    for (const input of document.getElementsByName('metric')) input.addEventListener('change', () => this.show());
    // The player moves the tiles of a solution: that is no game of one's own.
    game.addEventListener('place', () => { if (game.letters !== '') this.reset({ aided: true }); });
    $('follow').addEventListener('change', () => this.reset({ aided: true }));
    game.addEventListener('move', () => this.moved());
    $('session-clear').addEventListener('click', () => {
      this.games = this.games.filter((one) => one.kind !== this.kind);
      this.save();
      this.show();
      $('board').focus({ preventScroll: true }); // the button is hidden
    });
    this.reset();
    this.show();
  }

  get kind() { return `${this.game.size} ${this.game.goalText}`; }

  // A tab has its own session, which survives a reload.
  load() {
    try {
      return JSON.parse(kept('sessionStorage', 'games')) ?? [];
    } catch { // not ours
      return [];
    }
  }

  save() { keep('sessionStorage', 'games', JSON.stringify(this.games)); }

  reset({ aided = false } = {}) {
    clearInterval(this.ticking);
    this.aided = aided;
    this.finished = false;
    this.began = null;
    $('clock').textContent = '';
  }

  moved() {
    const { game } = this;
    if (this.aided || this.finished || game.editing) return;
    if (this.began === null) {
      // A board that begins solved is being scrambled by hand.
      if (game.solved || game.start.every((tile, cell) => tile === game.goal[cell])) return;
      this.began = performance.now();
      this.ticking = setInterval(() => this.tick(), 100);
    }
    this.tick();
    if (!game.solved) return;
    clearInterval(this.ticking);
    this.games.push({
      kind: this.kind, start: game.start, letters: game.letters, seconds: (performance.now() - this.began) / 1000,
    });
    this.finished = true; // more moves are not of this game
    this.save();
    this.show();
    game.dispatchEvent(new Event('finished'));
  }

  tick() {
    $('clock').textContent = clock((performance.now() - this.began) / 1000);
  }

  show() {
    const games = this.games.filter((one) => one.kind === this.kind);
    $('session').hidden = games.length === 0;
    if (games.length === 0) return;
    const times = games.map((one) => one.seconds);
    const figures = {
      mean: mean(times), best: minOf(times), 'average-5': average(times, 5), 'average-12': average(times, 12),
    };
    for (const [name, seconds] of Object.entries(figures)) {
      $(`session-${name}`).textContent = seconds === null ? '–' : clock(seconds);
    }
    $('session-title').textContent = `Session, ${counted(games.length, 'game')}`;
    $('session-rows').replaceChildren(...games.map((one, index) => this.row(one, index)).reverse());
  }

  row({ start, letters, seconds }, index) {
    const length = countMoves(letters, this.game.metric);
    const again = element('button', {
      type: 'button', class: 'quiet scramble',
      'aria-label': `Play board ${index + 1} again, ${moves(length)} in ${clock(seconds)} seconds`,
    }, start.join(' '));
    again.addEventListener('click', () => {
      this.game.begin(start);
      this.game.show();
    });
    return element('tr', {}, ...[index + 1, clock(seconds), length, again].map((cell) => element('td', {}, cell)));
  }
}
