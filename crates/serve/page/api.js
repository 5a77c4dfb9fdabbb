/** Requests to the server. */
import { wait } from "/page/timing.js";

/** An error from the server: `message` is a sentence to be shown as it is. */
export class ApiError extends Error {
  /**
   * @param {string} message @param {number} status 0 when the server did not answer at all
   * @param {Object} [unsolved] the endgame that must be solved first
   */
  constructor(message, status, unsolved) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.unsolved = unsolved;
  }
}

/** True for the error of an aborted request. @param {*} error */
export function isAbort(error) {
  return error?.name === "AbortError";
}

const PAUSE = 200;

/** Events of the window: the server has stopped answering; it answers again. */
export const GONE = "lucena:gone";
export const BACK = "lucena:back";
let isThere = true;

function tellWhetherThere(answers) {
  if (isThere === answers) return;
  isThere = answers;
  dispatchEvent(new Event(answers ? BACK : GONE));
}

/** Asks whether the server answers. The shell says so if it does not. */
export async function askWhetherThere() {
  try {
    await fetch("/api/about", { method: "HEAD" });
    tellWhetherThere(true);
  } catch {
    tellWhetherThere(false);
  }
}

/**
 * A URL of the API; null, undefined and "" are left out.
 * @param {string} path
 * @param {Object} [query]
 */
export function apiUrl(path, query = {}) {
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== null && value !== "")
    .map(([key, value]) => [key, String(value)]);
  return pairs.length ? `${path}?${new URLSearchParams(pairs)}` : path;
}

/** The longest address that every server and browser takes. A longer question is sent as a form. */
const LONGEST_ADDRESS = 8000;

function question(path, query) {
  const url = apiUrl(path, query);
  if (url.length <= LONGEST_ADDRESS) return [url, { headers: { Accept: "application/json" } }];
  const form = new URLSearchParams(url.slice(path.length + 1));
  return [path, { method: "POST", body: form, headers: { Accept: "application/json" } }];
}

/**
 * GET, or POST if the query is too long for an address. While the server solves a table (202), the request is repeated, and `onProgress` is called.
 * @param {string} path
 * @param {Object} [query]
 * @param {{signal?: AbortSignal, onProgress?: function({what: string, done: number, total:
 *   number|null}|null)}} [options]
 *   onProgress is called with null at the end of the waiting, even after an error.
 * @returns {Promise<*>} throws ApiError or an AbortError
 */
export async function get(path, query, { signal, onProgress } = {}) {
  let waited = false;
  const asked = question(path, query);
  try {
    for (;;) {
      const { status, body } = await request(...asked, { signal });
      if (status !== 202) return body;
      waited = true;
      onProgress?.({ what: `solving ${body.solving}`, done: 0, total: null, ...body.progress });
      await wait(PAUSE, signal);
    }
  } finally {
    if (waited && !signal?.aborted) onProgress?.(null);
  }
}

/**
 * POST.
 * @param {string} path
 * @param {*} [body]
 * @param {{signal?: AbortSignal}} [options]
 * @returns {Promise<*>}
 */
export async function post(path, body = {}, { signal } = {}) {
  const asked = {
    method: "POST",
    signal,
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  };
  return (await request(path, asked)).body;
}

async function request(url, asked, more) {
  let response;
  try {
    response = await fetch(url, { ...asked, ...more });
  } catch (error) {
    if (isAbort(error)) throw error;
    tellWhetherThere(false);
    throw new ApiError("The server does not answer.", 0);
  }
  tellWhetherThere(true);
  let body;
  try {
    body = await response.json();
  } catch (error) {
    if (isAbort(error)) throw error;
    throw new ApiError(`The server's answer cannot be read (status ${response.status}).`, response.status);
  }
  if (!response.ok)
    throw new ApiError(
      body?.error ?? `The server answers with status ${response.status}.`,
      response.status,
      body?.unsolved,
    );
  return { status: response.status, body };
}

/**
 * A `get` that aborts the previous request when a new one starts.
 * @param {AbortSignal} [signal] aborts any request
 * @returns {function(string, Object=, Object=): Promise<*>} its `stop` aborts the request
 */
export function latest(signal) {
  let control = null;
  const ask = (path, query, options = {}) => {
    control?.abort();
    control = new AbortController();
    const signals = [control.signal, signal, options.signal].filter(Boolean);
    return get(path, query, { ...options, signal: AbortSignal.any(signals) });
  };
  ask.stop = () => control?.abort();
  return ask;
}

/**
 * Listens to server-sent events.
 * @param {string} path
 * @param {function(*)} onData is called with the JSON of each event
 * @param {{signal?: AbortSignal, onLost?: function(), onClosed?: function()}} [options] onLost: the
 *   connection broke and the browser reconnects by itself; onClosed: it does not reconnect
 * @returns {function()} closes the connection
 */
export function listen(path, onData, { signal, onLost, onClosed } = {}) {
  const source = new EventSource(path);
  const close = () => source.close();
  source.onmessage = (event) => onData(JSON.parse(event.data), close);
  source.onerror = () => (source.readyState === EventSource.CLOSED ? onClosed?.() : onLost?.());
  signal?.addEventListener("abort", close, { once: true });
  return close;
}

let known = null;

/** Makes the next `about` ask again: there are other players now. */
export function forgetAbout() {
  known = null;
}

/** The answer of /api/about, requested once. @returns {Promise<*>} */
export function about() {
  known ??= get("/api/about").catch((error) => {
    known = null;
    throw error;
  });
  return known;
}
