// SPDX-License-Identifier: MIT
// The JSON interface of the server that this page comes from.

async function ask(path, options) {
  let response;
  try {
    response = await fetch(path, options);
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
  static async start(body, on) {
    const { id } = await post('/api/solve', body);
    return new Search(id, on);
  }

  constructor(id, on) {
    this.path = `/api/solve/${id}`;
    this.ended = false;
    this.finished = new Promise((resolve) => { this.resolve = resolve; });
    this.source = new EventSource(`${this.path}/events`);
    this.source.onopen = () => on.open?.();
    for (const type of ['state', 'tables', 'bound', 'iteration', 'progress', 'result', 'failure']) {
      this.source.addEventListener(type, (event) => {
        const data = JSON.parse(event.data);
        if (type === 'result' || type === 'failure') this.end();
        on[type]?.(data);
      });
    }
    this.failures = 0;
    this.source.onerror = () => {
      if (this.ended || (++this.failures < 3 && this.source.readyState !== EventSource.CLOSED)) return;
      this.end();
      on.failure?.({ error: 'The server does not answer any more.' });
    };
  }

  end() {
    this.ended = true;
    this.source.close();
    this.resolve();
  }

  /** The server stops the search; its result says so. */
  stop() {
    if (!this.ended) fetch(this.path, { method: 'DELETE', keepalive: true }).catch(() => {});
  }
}
