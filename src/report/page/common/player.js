// SPDX-License-Identifier: MIT
// Plays, steps through and copies a solution. The board may leave its path and return to it.

import { byId, element, enable } from './elements.js';
import { countMoves, moved } from './puzzle.js';

const pauses = [900, 550, 300, 160, 80]; // milliseconds per move, by speed
const shapes = { play: 'M7 4l13 8-13 8z', pause: 'M6 4h4v16H6zM14 4h4v16h-4z' };

export class Player {
  constructor(game) {
    this.game = game;
    this.solution = null; // start, letters
    this.at = 0;
    this.timer = 0;
    byId('to-start').addEventListener('click', () => this.go(0));
    byId('to-end').addEventListener('click', () => this.go(this.solution.letters.length));
    byId('back').addEventListener('click', () => this.go(this.at - 1));
    byId('forth').addEventListener('click', () => this.go(this.at + 1));
    byId('run').addEventListener('click', () => (this.timer ? this.pause() : this.play()));
    byId('place').addEventListener('input', () => this.go(Number(byId('place').value)));
    byId('copy').addEventListener('click', () => this.copy());
    for (const type of ['move', 'restart']) game.addEventListener(type, () => this.follow());
    game.addEventListener('edit', () => this.pause());
  }

  /** A new solution from a board; `midGame`: of a game that goes on, whose moves still count. */
  take(start, letters, { midGame = false } = {}) {
    this.pause();
    this.solution = { start, letters };
    this.at = this.find();
    if (this.at === 0 && !midGame) this.game.place(start, '');
    byId('letters').replaceChildren();
    for (const letter of letters) byId('letters').append(element('span', {}, letter));
    byId('place').max = letters.length;
    this.show();
  }

  drop() {
    this.pause();
    this.solution = null;
  }

  go(at) {
    this.pause();
    this.step(at);
  }

  step(at) {
    const { start, letters } = this.solution;
    this.at = Math.min(Math.max(at, 0), letters.length);
    this.game.place(start, letters.slice(0, this.at));
    this.show();
  }

  play() {
    if (this.at < 0 || this.at === this.solution.letters.length) this.step(0);
    const next = () => {
      this.step(this.at + 1);
      if (this.at < this.solution.letters.length) this.timer = setTimeout(next, this.wait());
      else this.pause();
    };
    this.timer = setTimeout(next, this.wait() / 2);
    this.show();
  }

  wait() { return pauses[Number(byId('speed').value) - 1]; }

  pause() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.show();
  }

  /** A person has moved: along the way, back, off it, or to it again. */
  follow() {
    if (!this.solution) return;
    this.at = this.find();
    this.pause();
  }

  /** After how many letters of the solution the board stands as it does; -1: it is not on its path. */
  find() {
    const { width, height, tiles } = this.game;
    const { start, letters } = this.solution;
    const here = tiles.join();
    let board = start;
    for (let at = 0; ; ++at) {
      if (board.join() === here) return at;
      if (at === letters.length) return -1;
      board = moved(width, height, board, letters[at]);
    }
  }

  show() {
    if (!this.solution) return;
    const { letters } = this.solution;
    byId('run-shape').setAttribute('d', this.timer ? shapes.pause : shapes.play);
    byId('run').setAttribute('aria-label', this.timer ? 'Pause' : 'Play');
    const place = Math.max(this.at, 0);
    byId('place').value = place;
    byId('place').setAttribute('aria-valuetext', `move ${place} of ${letters.length}`);
    enable(byId('to-start'), this.at !== 0, byId('place'));
    enable(byId('back'), this.at > 0, byId('place'));
    for (const id of ['forth', 'to-end']) enable(byId(id), this.at < letters.length, byId('place'));
    enable(byId('run'), letters.length > 0, byId('place'));
    byId('player').classList.toggle('aside', this.at < 0);
    const box = byId('letters');
    [...box.children].forEach((span, i) => {
      span.className = i < this.at ? 'done' : i === this.at ? 'next' : '';
    });
    const next = box.children[this.at]; // long solutions scroll
    if (next) box.scrollTop = next.offsetTop - box.offsetTop - box.clientHeight / 2;
  }

  async copy() {
    const text = this.solution.letters;
    try {
      await navigator.clipboard.writeText(text);
    } catch { // not a secure context: use the old API
      const area = Object.assign(document.createElement('textarea'), { value: text });
      document.body.append(area);
      area.select();
      document.execCommand('copy');
      area.remove();
      byId('copy').focus({ preventScroll: true });
    }
    byId('copy').textContent = 'Copied';
    byId('say').textContent = `${countMoves(text, 'single')} letters copied`;
    setTimeout(() => { byId('copy').textContent = 'Copy moves'; }, 1500);
  }
}
