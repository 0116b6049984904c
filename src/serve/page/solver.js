// SPDX-License-Identifier: MIT
// Requests the optimal solution: choice of heuristic, progress of the search, its answer.

import * as api from './api.js';
import { byId as $, counted, element } from './elements.js';
import { countMoves } from './puzzle.js';
import { bracket, bytes, capitalized, full, moves, seconds, short } from './text.js';

export class Solver {
  constructor(game, player) {
    this.game = game;
    this.player = player;
    this.search = null; // shown in the card
    this.distance = null; // for 'How far am I?'
    this.heuristics = [];
    this.heuristic = 'auto'; // the user's choice, for all boards that have it
    this.optimal = true; // the solution shown
    $('ask').addEventListener('submit', (event) => event.preventDefault()); // Enter on a choice starts no search
    $('solve').addEventListener('click', () => this.solve());
    $('stop').addEventListener('click', () => this.search?.stop());
    $('heuristic').addEventListener('change', () => {
      this.heuristic = $('heuristic').value;
      this.showHeuristic();
    });
    $('time-limit').addEventListener('change', () => this.list());
    for (const input of document.getElementsByName('metric')) {
      input.addEventListener('change', () => {
        game.metric = input.value;
        game.show();
        this.dropAnswer();
        this.forgetDistance();
        this.list();
        this.follow();
      });
    }
    $('distance').addEventListener('click', () => this.askDistance());
    $('good').addEventListener('click', () => this.askGoodMoves());
    game.addEventListener('goal', () => this.list());
    game.addEventListener('board', () => {
      this.dropAnswer();
      this.forgetDistance();
    });
    for (const type of ['move', 'place', 'restart']) {
      game.addEventListener(type, () => {
        if (game.tiles.join() !== this.distanceOf) this.forgetDistance();
        this.moveOn();
      });
    }
    game.addEventListener('checked', () => {
      this.allow();
      this.follow();
    });
    game.addEventListener('edit', () => this.follow()); // once it has ended
    $('follow').addEventListener('change', () => this.follow());
    window.addEventListener('pagehide', () => {
      this.search?.stop();
      this.distance?.stop();
    });
    this.list();
  }

  // ---- heuristics

  async list() {
    const { game } = this;
    const boards = { size: game.size, goal: game.goalText, metric: game.metric };
    if (this.boards !== Object.values(boards).join()) { // the heuristics listed are those of other boards
      $('heuristic').replaceChildren(new Option('auto'));
      $('heuristic-about').textContent = 'looking…';
    }
    this.boards = Object.values(boards).join();
    const asked = this.asked = Symbol('list');
    try {
      const list = await api.heuristics({ ...boards, time_limit: $('time-limit').value });
      if (this.asked !== asked) return;
      this.heuristics = list;
    } catch (error) {
      if (this.asked === asked) $('heuristic-about').textContent = error.message;
      return;
    }
    $('heuristic').replaceChildren(...this.heuristics.map(({ name, bytes: size, ready, stands_for: meant }) =>
      new Option(name === 'auto' ? `auto: ${meant}`
        : size > 0 ? `${name} (${bytes(size)}${ready ? '' : ', not built yet'})` : name, name)));
    if (this.heuristics.some(({ name }) => name === this.heuristic)) $('heuristic').value = this.heuristic;
    this.showHeuristic();
  }

  showHeuristic() {
    const chosen = this.heuristics.find(({ name }) => name === $('heuristic').value);
    if (!chosen) return;
    const time = chosen.seconds_to_make;
    const tables = chosen.bytes === 0 ? 'It needs no table.'
      : chosen.ready ? `Its table of ${bytes(chosen.bytes)} is ready.`
        : `Its table of ${bytes(chosen.bytes)} is built first, once: ${time < 1 ? 'less than a second' : `about ${seconds(time)}`}.`;
    $('heuristic-about').textContent = `${capitalized(chosen.summary)}. ${tables}`;
  }

  // ---- a search

  allow() {
    $('solve').disabled = this.game.solvable === false;
    $('distance').disabled = $('good').disabled = this.game.solvable === false;
  }

  request(board, heuristic, timeLimit) {
    const { game } = this;
    return {
      board, size: game.size, goal: game.goalText, metric: game.metric, heuristic, time_limit: timeLimit,
    };
  }

  solve() {
    const { game } = this;
    this.search?.drop();
    const start = game.tiles.slice();
    const { metric } = game;
    $('answer').hidden = true;
    this.player.drop();
    this.begin();
    this.search = new api.Search(this.request(start, $('heuristic').value, $('time-limit').value), {
      open: () => this.begin(), // all events are sent again
      state: ({ state }) => this.enter(state),
      tables: ({ done }) => this.tables(done),
      bound: ({ bound }) => this.bound(bound),
      iteration: (row) => this.row(row),
      bracket: (row) => this.bracket(row),
      progress: (now) => this.progress(now),
      beam: (now) => this.beam(now),
      yielded: () => { this.yielded = true; },
      result: (row) => this.result(row, start, metric),
      lost: () => { $('search-title').textContent = 'The server does not answer, trying again'; },
      failure: ({ error }) => this.fail(error),
    });
  }

  begin() {
    const focused = document.activeElement === $('solve');
    $('stop').hidden = false;
    if (focused) $('stop').focus();
    $('solve').hidden = true;
    $('search').hidden = false;
    $('search').classList.add('running');
    $('search-title').textContent = 'Searching';
    this.yielded = false;
    $('search-progress').hidden = true;
    $('bracket').hidden = true;
    this.clearRows();
    $('rate').textContent = $('total').textContent = $('elapsed').textContent = '–';
  }

  clearRows() {
    $('rows').replaceChildren();
    this.live = null;
    this.before = { expanded: 0, generated: 0 };
  }

  enter(state) {
    $('search-progress').hidden = state !== 'tables';
    if (state === 'tables') this.tables(0);
    const titles = { waiting: 'Waiting for other searches', searching: 'Searching' };
    if (titles[state]) $('search-title').textContent = titles[state];
  }

  tables(done) {
    $('search-progress').value = done;
    $('search-title').textContent = `Building the table: ${Math.floor(100 * done)} %`;
  }

  bound(bound) {
    this.live = element('tr', { class: 'live' }, element('th', { scope: 'row' }, bound),
        element('td'), element('td'), element('td'));
    $('rows').append(this.live);
    const box = this.live.closest('.rows');
    box.scrollTop = box.scrollHeight;
  }

  fill(row, expanded, generated, time) {
    const [, a, b, c] = row.children;
    a.textContent = full(expanded);
    b.textContent = full(generated);
    c.textContent = time;
    // Orders of magnitude, up to 10^12.
    row.style.setProperty('--share', Math.min(1, Math.log10(generated + 1) / 12));
  }

  row(row) {
    if (!this.live) return;
    const time = row.seconds < 0.0005 ? '0' : row.seconds.toFixed(3);
    this.fill(this.live, row.expanded, row.generated, row.complete ? time : `${time}, cut`);
    this.live.className = row.complete ? '' : 'cut';
    this.live = null;
    this.before.expanded += row.expanded;
    this.before.generated += row.generated;
    this.totals(this.before.generated);
  }

  progress(now) {
    $('rate').textContent = short(now.nodes_per_second);
    $('elapsed').textContent = seconds(now.seconds);
    $('search-title').textContent = 'Searching';
    this.totals(now.generated);
    if (!this.live) return;
    this.fill(this.live, Math.max(0, now.expanded - this.before.expanded),
        Math.max(0, now.generated - this.before.generated), '…');
  }

  bracket({ lower_bound: lower, upper_bound: upper }) {
    $('bracket').hidden = false;
    $('bracket').textContent = bracket(lower, upper);
  }

  /** A beam search looks for a solution; rate and total are of the proof. */
  beam(now) {
    $('elapsed').textContent = seconds(now.seconds);
    $('search-title').textContent = `Beam search: ${full(now.width)} boards wide, ${moves(now.layer)} deep`;
  }

  totals(generated) { $('total').textContent = short(generated); }

  end(title) {
    const focused = document.activeElement === $('stop');
    $('solve').hidden = false;
    $('stop').hidden = true;
    if (focused) $('solve').focus();
    $('search').classList.remove('running');
    $('search-progress').hidden = $('bracket').hidden = true;
    $('search-title').textContent = title;
    this.search = null;
    this.list(); // tables may exist now
  }

  fail(error) {
    this.end('Search failed');
    this.title('The request failed', error);
  }

  title(title, about) {
    $('answer').hidden = false;
    $('player').hidden = true;
    $('answer-title').textContent = title;
    $('answer-about').textContent = about;
    $('say').textContent = `${title}. ${about}`;
  }

  result(row, start, metric) {
    this.clearRows(); // a tab that nobody looks at has heard of none
    for (const iteration of row.iterations) {
      this.bound(iteration.bound);
      this.row(iteration);
    }
    $('elapsed').textContent = seconds(row.seconds);
    $('total').textContent = short(row.nodes.generated);
    if (row.seconds > 0) $('rate').textContent = short(row.nodes.generated / row.seconds);
    const searched = `${full(row.nodes.generated)} nodes in ${seconds(row.seconds)}`;
    switch (row.status) {
      case 'solved':
        this.end('Search');
        this.title(row.length === 0 ? 'Solved already' : moves(row.length),
            `${row.optimal ? 'Optimal' : 'Not proven optimal'}${row.verified ? ', verified' : ''}. ${searched}, ${row.heuristic}.` +
            (metric === 'multi' ? ` ${row.moves.length} tiles slide.` : ''));
        this.play(row, start);
        break;
      case 'unsolvable':
        this.end('Search');
        $('search').hidden = true;
        this.title('Unsolvable', 'No moves lead from this board to the goal.');
        break;
      default: {
        this.end('Search stopped');
        const lower = row.lower_bound;
        const stopped = row.status !== 'limit' ? ''
          : this.yielded ? 'Another search was waiting, so this one was stopped. ' : 'The time limit was reached. ';
        if (row.upper_bound !== null) {
          this.title(bracket(lower, row.upper_bound), `${stopped}This solution is verified, a shorter one may exist. ${searched}.`);
          this.play(row, start);
        } else {
          const least = lower === null ? '' : `It takes at least ${moves(lower)}. `;
          const done = row.seconds > 0 ? searched
            : row.setup_seconds > 0 ? `The table was not finished after ${seconds(row.setup_seconds)}` : 'It had not begun';
          this.title('No answer yet', `${stopped}${least}${done}.`);
        }
      }
    }
  }

  play(row, start) {
    if (row.length === 0) return;
    $('player').hidden = false;
    this.optimal = row.optimal;
    this.player.take(start, row.moves, { midGame: $('follow').checked });
    this.game.help();
    if (row.optimal) this.follow(); // else the title has both bounds
  }

  /** A solution that is known already, in the player: it stays, also where the rest is solved while one plays. */
  showWay(title, about, start, letters) {
    this.dropAnswer();
    this.title(title, about);
    $('player').hidden = false;
    this.optimal = true;
    this.player.take(start, letters, { midGame: true });
    this.game.help();
    clearTimeout(this.following);
  }

  /** Another board: the answer is not its. */
  dropAnswer() {
    this.search?.drop();
    if (this.search) this.end('Search stopped');
    $('answer').hidden = $('search').hidden = true;
    this.player.drop();
  }

  /** A move while a search runs: its answer would be of a board that is not there any more. */
  moveOn() {
    if ($('follow').checked) this.follow();
    else if (this.search) this.stopAsTheBoardChanged();
  }

  stopAsTheBoardChanged() {
    this.dropAnswer();
    this.title('Stopped', 'The board has changed since. Press Solve for the board shown.');
  }

  // ---- while one plays

  /** Shows the solution of the board as it stands: the rest of the solution shown, or a new one. */
  follow() {
    clearTimeout(this.following);
    if (!$('follow').checked || this.game.solvable === false || this.game.editing) return;
    const { solution, at } = this.player;
    if (solution && at >= 0) {
      const left = countMoves(solution.letters.slice(at), this.game.metric);
      $('answer-title').textContent = left === 0 ? 'Solved' : `${this.optimal ? '' : 'At most '}${moves(left)} to go`;
      return;
    }
    const pause = 150; // milliseconds: not at each of many quick moves
    this.following = setTimeout(() => this.solve(), pause);
  }

  // ---- 'How far am I?'

  askDistance() {
    this.ask({}, (tell) => ({
      bound: ({ bound }) => tell(`at least ${moves(bound)}…`),
      result: (row) => tell(this.unsolved(row) ?? `${moves(row.length)} to go`),
    }));
  }

  askGoodMoves() {
    this.ask({ good_moves: true }, (tell) => ({
      result: (row) => {
        const { length, solutions, good_moves: good } = row;
        tell(this.unsolved(row) ?? `${moves(length)} to go, ${counted(solutions, 'optimal solution')}`);
        if (row.status === 'solved' && length > 0) this.game.mark(Object.keys(good));
      },
    }));
  }

  /** What to say where there is nothing left to count; null: there is. */
  unsolved({ status, length, lower_bound: lower }) {
    if (status === 'solved') return length === 0 ? 'You are there.' : null;
    if (status === 'unsolvable') return 'This goal cannot be reached.';
    return lower === null ? 'not found in 10 s' : `at least ${moves(lower)}; not found in 10 s`;
  }

  /** Searches for at most 10 s; `on(tell)` are the events that change the answer. */
  ask(more, on) {
    this.forgetDistance();
    const tell = (text) => { $('distance-answer').textContent = text; };
    tell('looking…');
    this.distanceOf = this.game.tiles.join();
    const body = { ...this.request(this.game.tiles.slice(), 'auto', '10s'), ...more };
    this.distance = new api.Search(body, { ...on(tell), failure: ({ error }) => tell(error) });
  }

  forgetDistance() {
    this.distance?.drop();
    this.distance = null;
    $('distance-answer').textContent = '';
  }
}
