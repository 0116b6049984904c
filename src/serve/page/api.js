// SPDX-License-Identifier: MIT
// The JSON interface of the server that serves this page.

import { keep, kept } from './storage.js';

// The token of `serve --token` is in the address that it prints. It is kept for this tab and
// removed from the address, so that a shared link does not contain it.
const query = new URLSearchParams(location.search);
const token = query.get('token') ?? kept('sessionStorage', 'token');
if (query.has('token')) {
  keep('sessionStorage', 'token', token);
  history.replaceState(null, '', location.pathname + location.hash);
}

const send = (path, options = {}) => fetch(path, token
  ? { ...options, headers: { ...options.headers, Authorization: `Bearer ${token}` } } : options);

export class NoAnswer extends Error {
  constructor() { super('The server does not answer. Is tessera serve still running?'); }
}

async function ask(path, options) {
  let response, json;
  try {
    response = await send(path, options);
    json = await response.json();
  } catch { // no network, or a proxy that answers by itself
    throw new NoAnswer();
  }
  if (!response.ok) throw new Error(json.error);
  return json;
}

const post = (path, body) => ask(path, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
});

export const check = (body) => post('/api/check', body);
export const scramble = (body) => post('/api/scramble', body);
export const heuristics = (search) => ask(`/api/heuristics?${new URLSearchParams(search)}`);

export const pause = 3000; // milliseconds between two questions
const patience = 60000; // milliseconds without an answer, after which a search counts as lost

/** One search on the server: `on` has a function for each event that it wants to hear of. */
export class Search {
  /** Begins immediately, and can be stopped before the server has given it a name. */
  constructor(body, on, address = '/api/solve') {
    this.on = on;
    this.path = null;
    this.ended = this.stopped = false;
    this.silentSince = null; // when the server first did not answer
    this.follow = this.follow.bind(this);
    this.begin(address, body);
  }

  async begin(address, body) {
    try {
      this.path = `/api/solve/${(await post(address, body)).id}`;
    } catch (error) {
      this.end('failure', { error: error.message });
      return;
    }
    if (this.stopped) this.stop();
    document.addEventListener('visibilitychange', this.follow);
    this.follow();
  }

  /**
   * A browser has six connections to a server, for all tabs: one that nobody looks at asks now and
   * then instead of keeping one.
   */
  follow() {
    this.leave();
    this.turn = Symbol('turn'); // answers to earlier questions come late
    if (document.hidden) this.look();
    else this.listen();
  }

  listen() {
    const source = this.source = new EventSource(`${this.path}/events${token ? `?token=${token}` : ''}`);
    let errors = 0;
    source.onopen = () => {
      this.silentSince = null;
      if (this.stopped) this.stop(); // the server may not have heard of it
      this.on.open?.();
    };
    for (const type of ['state', 'tables', 'bound', 'iteration', 'bracket', 'progress', 'beam', 'distance', 'yielded', 'result', 'failure']) {
      source.addEventListener(type, (event) => {
        const data = JSON.parse(event.data);
        if (type === 'result' || type === 'failure') this.end(type, data);
        else this.on[type]?.(data);
      });
    }
    source.onerror = () => {
      if (source.readyState !== EventSource.CLOSED && ++errors < 3) return;
      this.leave();
      this.look();
    };
  }

  async look() {
    const { turn } = this;
    try {
      const { state, result, error, yielded } = await ask(this.path);
      if (this.ended || turn !== this.turn) return;
      this.silentSince = null;
      if (yielded) this.on.yielded?.();
      if (error) this.end('failure', { error });
      else if (state === 'ended') this.end('result', result);
      else this.timer = setTimeout(this.follow, pause);
      if (this.stopped) this.stop(); // the server may not have heard of it
    } catch (error) {
      // The search goes on while a notebook sleeps or changes its network.
      if (this.ended || turn !== this.turn) return;
      this.silentSince ??= performance.now();
      if (error instanceof NoAnswer && performance.now() - this.silentSince < patience) {
        this.on.lost?.();
        this.timer = setTimeout(this.follow, pause);
      } else {
        this.end('failure', { error: error.message });
      }
    }
  }

  leave() {
    clearTimeout(this.timer);
    this.source?.close();
  }

  end(type, data) {
    if (this.ended) return;
    this.ended = true;
    this.leave();
    document.removeEventListener('visibilitychange', this.follow);
    this.on[type]?.(data);
  }

  /** The server stops the search; its result says so. */
  stop() {
    this.stopped = true;
    if (this.path && !this.ended) send(this.path, { method: 'DELETE', keepalive: true }).catch(() => {});
  }

  /** Stops it, and no more is heard of it. */
  drop() {
    this.on = {};
    this.stop();
  }
}
