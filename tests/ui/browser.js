// What the modules of the page expect of a browser when they are loaded: the constants that the service writes into
// index.html, and events of the window. Node provides everything else.

const constants = {
  systemFields: ['_id', 'revision', 'version', 'status', 'author', 'contradictions', 'hints', 'dismissed'],
  statusesByHand: ['in_development', 'published'],
};

/**
 * The answers of the service, in order, or promises of them. The connection breaks in the body of an answer with
 * `breaks`. If none is left, the service cannot be reached.
 */
export const answers = [];
/** The requests that were sent. */
export const requests = [];

const kept = new Map();

/** Gives the next answer to a request, after the body was sent. */
class XMLHttpRequest {
  upload = { onprogress: () => undefined };
  headers = {};
  open(method, path) {
    Object.assign(this, { method, path });
  }
  setRequestHeader(name, value) {
    this.headers[name] = value;
  }
  async send(body) {
    requests.push({
      method: this.method,
      path: this.path,
      type: this.headers['content-type'],
      body: await body.text(),
    });
    this.upload.onprogress({ loaded: 1, total: 2 });
    const answer = answers.shift();
    if (!answer) return this.onerror();
    Object.assign(this, { status: answer.status, responseText: JSON.stringify(answer.body) });
    this.onload();
  }
}

/** A channel to other tabs that delivers no messages. */
class BroadcastChannel extends EventTarget {
  postMessage() {}
}

const globals = {
  BroadcastChannel,
  XMLHttpRequest,
  addEventListener: () => undefined,
  dispatchEvent: () => true,
  document: { getElementById: () => ({ textContent: JSON.stringify(constants) }) },
  navigator: {},
  localStorage: {
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => kept.set(name, value),
    removeItem: (name) => kept.delete(name),
  },
  fetch: async (path, { method, headers, body }) => {
    const request = { method, path, ifMatch: headers['if-match'], body: body && JSON.parse(body) };
    if (headers['idempotency-key']) request.key = headers['idempotency-key'];
    requests.push(request);
    const answer = await answers.shift();
    if (!answer) throw new TypeError('Failed to fetch');
    const broken = () => new ReadableStream({ start: (reader) => reader.error(new TypeError('terminated')) });
    return new Response(answer.breaks ? broken() : JSON.stringify(answer.body), { status: answer.status });
  },
};
for (const [name, value] of Object.entries(globals)) Object.defineProperty(globalThis, name, { value });
