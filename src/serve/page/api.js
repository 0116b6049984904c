// SPDX-License-Identifier: MIT
// The JSON interface of the server that serves this page.

// The token of `serve --token` is in the address that it prints. It is kept for this tab and
// removed from the address, so that a shared link does not contain it.
const query = new URLSearchParams(location.search);
const token = query.get('token') ?? sessionStorage.getItem('token');
if (query.has('token')) {
  sessionStorage.setItem('token', token);
  history.replaceState(null, '', location.pathname + location.hash);
}

const send = (path, options = {}) => fetch(path, token
  ? { ...options, headers: { ...options.headers, Authorization: `Bearer ${token}` } } : options);

async function ask(path, options) {
  let response;
  try {
    response = await send(path, options);
  } catch {
    throw new Error('The server does not answer. Is tessera serve still running?');
  }
  const json = await response.json();
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
export const heuristics = (size, goal, metric) =>
  ask(`/api/heuristics?${new URLSearchParams({ size, goal, metric })}`);

/** One search on the server: `on` has a function for each event that it wants to hear of. */
export class Search {
  /** Begins immediately, and can be stopped before the server has given it a name. */
  constructor(body, on, address = '/api/solve') {
    this.on = on;
    this.path = null;
    this.ended = this.stopped = false;
    this.failures = 0;
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
    if (document.hidden) this.look();
    else this.listen();
  }

  listen() {
    const source = this.source = new EventSource(`${this.path}/events${token ? `?token=${token}` : ''}`);
    source.onopen = () => this.on.open?.();
    for (const type of ['state', 'tables', 'bound', 'iteration', 'bracket', 'progress', 'beam', 'distance', 'result', 'failure']) {
      source.addEventListener(type, (event) => {
        const data = JSON.parse(event.data);
        if (type === 'result' || type === 'failure') this.end(type, data);
        else this.on[type]?.(data);
      });
    }
    source.onerror = () => {
      if (source.readyState !== EventSource.CLOSED && ++this.failures < 3) return;
      this.leave();
      this.look();
    };
  }

  async look() {
    try {
      const { state, result, error } = await ask(this.path);
      if (this.ended) return;
      if (error) this.end('failure', { error });
      else if (state === 'ended') this.end('result', result);
      else this.timer = setTimeout(this.follow, 3000);
    } catch (error) {
      this.end('failure', { error: error.message });
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
