// SPDX-License-Identifier: MIT
// The board to play on: its state, and the user's actions.

import * as api from './api.js';
import { byId as $, element, enable } from './elements.js';
import { Grid } from './grid.js';
import {
  blankTarget, countMoves, fromAddress, goalNames, lettersOf, lettersTo, moved, movesOf, namedGoal, opposite,
  replayed, toAddress,
} from './puzzle.js';
import { moves as movesText } from './text.js';

const largest = 8; // columns or rows
const shortestSwipe = 24; // pixels; browsers take less for a tap
const arrows = {
  ArrowUp: 'U', ArrowDown: 'D', ArrowLeft: 'L', ArrowRight: 'R', KeyW: 'U', KeyS: 'D', KeyA: 'L', KeyD: 'R',
};
const directions = { U: 'up', D: 'down', L: 'left', R: 'right' };

export class Game extends EventTarget {
  constructor() {
    super();
    this.metric = 'single';
    this.grid = new Grid($('board'), { interactive: true });
    this.picture = new Grid($('goal-picture'));
    this.editing = ''; // '', 'board' or 'goal'
    this.kept = ''; // the tiles of the board that was unsolvable when another goal was chosen
    this.chosen = -1;
    this.cursor = 0;
    this.good = []; // cells of tiles with which an optimal solution begins
    this.setSize(4, 4, 'last');
    this.listen();
    if (!this.load()) this.show();
  }

  get size() { return `${this.width}x${this.height}`; }
  get solved() { return this.tiles.every((tile, cell) => tile === this.goal[cell]); }
  get address() { return toAddress(this); }
  get goalText() { return this.goalName === 'drawn' ? this.goal.join(' ') : this.goalName; }

  // ---- state

  setSize(width, height, goalName) {
    this.width = width;
    this.height = height;
    this.goalName = goalName;
    this.goal = namedGoal(goalName, width, height);
    this.begin(this.goal.slice());
  }

  /** Another board to play from; `remark` stands above it while it is played. */
  begin(tiles, remark = '') {
    this.remark = remark;
    this.start = tiles;
    this.tiles = tiles.slice();
    this.letters = '';
    this.editing = '';
    this.boardChanged();
  }

  load() {
    const state = fromAddress(location.hash);
    if (!state) {
      if (location.hash.length > 1) this.note(this.remark = 'The address holds no board.');
      return false;
    }
    const { tiles, ...shape } = state;
    Object.assign(this, shape);
    this.begin(tiles);
    this.show();
    this.goalChanged();
    return true;
  }

  boardChanged() {
    this.solvable = undefined;
    this.checked = this.scrambled = null; // answers to come are of another board
    clearTimeout(this.checking);
    this.checking = setTimeout(() => this.check(), 0);
    this.dispatchEvent(new Event('board'));
  }

  goalChanged() {
    this.dispatchEvent(new Event('goal'));
  }

  async check(again = false) {
    // Moves do not change the answer, which is for the initial board.
    const asked = this.checked = Symbol('check');
    try {
      const answer = await api.check({ size: this.size, board: this.start, goal: this.goalText });
      if (asked !== this.checked) return;
      this.solvable = answer.solvable;
      if (answer.solvable) this.note(this.remark);
      else this.note(`${answer.reason} ${this.remark}`, 'Unsolvable. ');
      if (again) this.goalChanged(); // the list of heuristics is missing, too
    } catch (error) {
      if (asked !== this.checked) return;
      this.failed(error);
      if (again) return;
    }
    this.dispatchEvent(new Event('checked'));
  }

  /** Asks again until the server answers. */
  failed(error) {
    this.note(error.message);
    if (!(error instanceof api.NoAnswer)) return;
    clearTimeout(this.checking);
    this.checking = setTimeout(() => this.check(true), api.pause);
  }

  // ---- moves

  move(letters) {
    if (letters !== '') this.slide(letters, this.letters + letters);
  }

  undo() {
    const last = movesOf(this.letters, this.metric).at(-1);
    if (last) this.slide(opposite[last[0]].repeat(last.length), this.letters.slice(0, -last.length));
  }

  /** Slides tiles, where they can; `played` then leads to the board. */
  slide(letters, played) {
    const tiles = replayed(this.width, this.height, this.tiles, letters);
    if (!tiles) return;
    const slid = letters.length === 1 ? `tile ${tiles[this.tiles.indexOf(0)]}` : `${letters.length} tiles`;
    this.tiles = tiles;
    this.letters = played;
    this.show();
    this.say(`${slid} ${directions[letters[0]]}`);
    this.dispatchEvent(new Event('move'));
  }

  /** Stands where `letters` lead to from `start`. */
  place(start, letters) {
    const tiles = replayed(this.width, this.height, start, letters);
    if (tiles.join() !== this.tiles.join()) this.editing = ''; // another board is shown
    this.start = start;
    this.letters = letters;
    this.tiles = tiles;
    this.show();
    this.dispatchEvent(new Event('place'));
  }

  /** Marks the tiles to press for these moves, until the board changes. */
  mark(choices) {
    const step = (blank, letter) => blankTarget(this.width, this.height, blank, letter);
    this.good = choices.map((letters) => [...letters].reduce(step, this.tiles.indexOf(0)));
    this.show();
    this.help();
  }

  /** The person has seen what to play: from here on it is no game of one's own. */
  help() { this.dispatchEvent(new Event('help')); }

  // ---- editing

  edit(what) {
    this.editing = this.editing === what ? '' : what;
    this.chosen = -1;
    this.cursor = 0;
    this.show();
    $('board').focus();
    this.dispatchEvent(new Event('edit'));
  }

  choose(cell) {
    const tiles = (this.editing === 'goal' ? this.goal : this.tiles).slice();
    const name = (at) => (tiles[at] === 0 ? 'blank' : `tile ${tiles[at]}`);
    this.cursor = cell;
    if (this.chosen < 0 || this.chosen === cell) {
      this.chosen = this.chosen === cell ? -1 : cell;
      $('say').textContent = this.chosen < 0 ? `${name(cell)} deselected` : `${name(cell)} selected`;
      this.show();
      return;
    }
    $('say').textContent = `${name(this.chosen)} and ${name(cell)} swapped`;
    [tiles[this.chosen], tiles[cell]] = [tiles[cell], tiles[this.chosen]];
    this.chosen = -1;
    const editing = this.editing;
    if (editing === 'goal') {
      this.goal = tiles;
      this.goalName = goalNames.find((named) => namedGoal(named, this.width, this.height).join() === tiles.join()) ?? 'drawn';
      this.begin(this.tiles, this.remark); // moves towards another goal are another game
      this.goalChanged();
    } else {
      this.begin(tiles);
    }
    this.editing = editing;
    this.show();
  }

  // ---- display

  show() {
    const { width, height } = this;
    const editing = this.editing !== '';
    const shown = this.editing === 'goal' ? this.goal : this.tiles;
    const marks = editing ? { editing, chosen: this.chosen, cursor: this.cursor } : { good: this.good };
    this.good = [];
    const solved = this.grid.draw(width, height, shown, this.goal, marks) && !editing;
    $('board').classList.toggle('editing', editing);
    $('board').classList.toggle('solved', solved && this.letters !== '');
    $('board').setAttribute('aria-label', this.editing === 'goal'
      ? `Goal, ${width} by ${height}, being edited`
      : `Board, ${width} by ${height}${solved ? ', solved' : ''}`);
    this.picture.draw(width, height, this.goal, this.goal);
    $('goal-picture').setAttribute('aria-label', `Edit the goal, now ${this.goal.join(' ')}`);
    $('board-hint').textContent = editing
      ? 'Arrow keys move between tiles. Enter selects a tile, or swaps it with the selected one. Escape ends editing.'
      : 'Arrow keys slide tiles. A tile in line with the blank can be pressed.';
    const count = countMoves(this.letters, this.metric);
    $('moves').textContent = count;
    $('moves-word').textContent = `${count === 1 ? 'move' : 'moves'}${solved && count ? ', solved' : ''}`;
    $('width').value = width;
    $('height').value = height;
    $('goal').value = this.goalName;
    for (const id of ['undo', 'restart', 'analyse']) enable($(id), this.letters !== '' && !editing, $('board'));
    $('edit').setAttribute('aria-pressed', this.editing === 'board');
    $('editing').hidden = !editing;
    $('editing-text').textContent = `Press two tiles to swap them${this.editing === 'goal' ? ' in the goal' : ''}, or use the arrow keys and Enter.`;
    clearTimeout(this.addressing);
    this.addressing = setTimeout(() => history.replaceState(null, '', this.address), 150);
  }

  /** The line above the board; empty hides it. */
  note(text, lead = '') {
    $('notice').hidden = text === '';
    $('notice').replaceChildren(element('strong', {}, lead), text);
  }

  say(slid) {
    const count = movesText(countMoves(this.letters, this.metric));
    $('say').textContent = this.solved && this.letters !== '' ? `Solved in ${count}.` : `${slid}, ${count}`;
  }

  // ---- events

  listen() {
    for (const id of ['width', 'height']) {
      for (let i = 2; i <= largest; ++i) $(id).append(new Option(i, i));
      $(id).addEventListener('change', () => {
        const goalName = this.goalName === 'drawn' ? 'last' : this.goalName;
        this.setSize(Number($('width').value), Number($('height').value), goalName);
        this.show();
        this.goalChanged();
      });
    }
    $('goal').addEventListener('change', () => {
      this.goalName = $('goal').value;
      if (this.goalName !== 'drawn') this.goal = namedGoal(this.goalName, this.width, this.height);
      // An unsolvable board may be solvable for this goal, or for the next one.
      if (this.solvable === false) this.kept = this.tiles.join();
      if (this.kept === this.tiles.join()) this.begin(this.tiles, this.remark);
      else this.begin(this.goal.slice());
      if (this.goalName === 'drawn') this.edit('goal');
      this.show();
      this.goalChanged();
    });
    $('goal-picture').addEventListener('click', () => this.edit('goal'));
    $('board').addEventListener('click', (event) => {
      const piece = event.target.closest('.tile');
      if (!piece) return;
      const cell = Number(piece.dataset.cell);
      if (this.editing) this.choose(cell);
      else this.move(lettersTo(this.width, this.tiles, cell));
      $('board').focus({ preventScroll: true });
    });
    let touched; // where the finger began
    $('board').addEventListener('pointerdown', ({ pointerType, isPrimary, clientX: x, clientY: y }) => {
      touched = pointerType === 'touch' && isPrimary && { x, y }; // a second finger ends the swipe
    });
    $('board').addEventListener('pointerup', ({ clientX: x, clientY: y }) => {
      if (touched && !this.editing) this.swipe(x - touched.x, y - touched.y);
      touched = null;
    });
    document.addEventListener('keydown', (event) => this.key(event));
    $('undo').addEventListener('click', () => this.undo());
    $('restart').addEventListener('click', () => {
      this.place(this.start, '');
      this.dispatchEvent(new Event('restart'));
    });
    $('scramble').addEventListener('click', () => this.scramble());
    $('edit').addEventListener('click', () => this.edit('board'));
    $('editing-done').addEventListener('click', () => this.edit(this.editing));
    $('paste').addEventListener('click', () => {
      this.pasted = null; // what was asked before it was closed
      $('paste-error').textContent = '';
      $('paste-dialog').showModal();
      $('paste-text').focus();
    });
    $('paste-ok').addEventListener('click', () => this.paste($('paste-text').value));
    window.addEventListener('hashchange', () => this.load());
  }

  swipe(dx, dy) {
    if (Math.max(Math.abs(dx), Math.abs(dy)) < shortestSwipe) return;
    if (Math.abs(dx) > Math.abs(dy)) this.move(dx > 0 ? 'R' : 'L');
    else this.move(dy > 0 ? 'D' : 'U');
  }

  key(event) {
    if (event.altKey || $('paste-dialog').open) return;
    if (event.ctrlKey || event.metaKey) {
      if (event.key.toLowerCase() !== 'z' || event.shiftKey || this.editing) return;
      event.preventDefault();
      this.undo();
      return;
    }
    if (event.target.closest('input, select, textarea') || event.target.matches('.rows, .letters')) return; // arrows are theirs
    const letter = arrows[event.key] ?? arrows[event.code]; // WASD by place, whatever the layout
    if (letter) {
      event.preventDefault();
      if (this.editing) this.moveCursor(letter);
      else this.move(letter);
    } else if (this.editing && event.target === $('board') && [' ', 'Enter'].includes(event.key)) {
      event.preventDefault();
      this.choose(this.cursor);
    } else if (this.editing && event.key === 'Escape') {
      this.edit(this.editing);
    }
  }

  moveCursor(letter) {
    const [x, y] = [this.cursor % this.width, Math.floor(this.cursor / this.width)];
    const dx = { L: -1, R: 1 }[letter] ?? 0;
    const dy = { U: -1, D: 1 }[letter] ?? 0;
    const inside = (value, most) => Math.min(Math.max(value, 0), most - 1);
    this.cursor = inside(y + dy, this.height) * this.width + inside(x + dx, this.width);
    this.show();
    const tiles = this.editing === 'goal' ? this.goal : this.tiles;
    $('say').textContent = this.grid.tiles.get(tiles[this.cursor]).getAttribute('aria-label');
  }

  async scramble() {
    const asked = this.scrambled = Symbol('scramble');
    try {
      const answer = await api.scramble({ size: this.size, goal: this.goalText, moves: Number($('scramble-moves').value) });
      if (asked !== this.scrambled) return;
      this.begin(answer.board);
      this.show();
    } catch (error) {
      if (asked === this.scrambled) this.failed(error);
    }
  }

  /** A scramble: the board to which these moves lead from the goal. */
  pasteMoves(letters) {
    let tiles = this.goal;
    for (let i = 0; i < letters.length; ++i) {
      tiles = moved(this.width, this.height, tiles, letters[i]);
      if (!tiles) {
        $('paste-error').textContent = `Move ${i + 1} of the scramble, ${letters[i]}, is impossible on the ${this.size} board.`;
        return;
      }
    }
    this.begin(tiles);
    this.show();
    $('paste-dialog').close();
  }

  async paste(text) {
    const asked = this.pasted = Symbol('paste');
    const letters = lettersOf(text);
    if (letters !== null) {
      this.pasteMoves(letters);
      return;
    }
    $('paste-error').textContent = '';
    let answer;
    try {
      answer = await api.check({ board: text });
      // If the number of tiles is no square, assume the current size.
      if (answer.error) {
        const again = await api.check({ board: text, size: this.size });
        if (!again.error) answer = again;
      }
    } catch (error) {
      answer = { error: error.message };
    }
    if (asked !== this.pasted || !$('paste-dialog').open) return; // another text, or closed
    const [width, height] = (answer.size ?? '0x0').split('x').map(Number);
    if (!answer.error && (width > largest || height > largest)) answer.error = `${answer.size} is too large for this page, expected at most ${largest}x${largest}`;
    $('paste-error').textContent = answer.error ?? '';
    if (answer.error) return;
    const keepsGoal = !answer.names_goal && this.size === answer.size;
    this.width = width;
    this.height = height;
    if (!keepsGoal) {
      this.goalName = goalNames.includes(answer.goal) ? answer.goal : 'drawn';
      this.goal = answer.goal_board;
    }
    this.begin(answer.board, answer.others > 0 ? `${answer.others + 1} boards, of which this is the first.` : '');
    this.show();
    this.goalChanged();
    $('paste-dialog').close();
  }
}
