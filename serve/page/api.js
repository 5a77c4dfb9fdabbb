/** Asks the server. */
import { wait } from "/page/timing.js";

/** What the server says is wrong: `message` is its own sentence, to be shown as it is. */
export class ApiError extends Error {
  /** @param {string} message @param {number} status 0 when the server did not answer at all */
  constructor(message, status) {
    super(message);
    this.name = "ApiError";
    this.status = status;
  }
}

/** True for the error of a question that was called off. @param {*} error */
export function isAbort(error) {
  return error?.name === "AbortError";
}

const PAUSE = 200;

/**
 * An address of the API; null, undefined and "" are left out.
 * @param {string} path
 * @param {Object} [query]
 */
export function apiUrl(path, query = {}) {
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== null && value !== "")
    .map(([key, value]) => [key, String(value)]);
  return pairs.length ? `${path}?${new URLSearchParams(pairs)}` : path;
}

/**
 * GET. While the server solves a table (202) the question is asked again, and `onProgress` hears of it.
 * @param {string} path
 * @param {Object} [query]
 * @param {{signal?: AbortSignal, onProgress?: function({what: string, done: number, total:
 *   number|null}|null)}} [options]
 *   onProgress is called with null when the waiting is over, also by an error.
 * @returns {Promise<*>} throws ApiError or an AbortError
 */
export async function get(path, query, { signal, onProgress } = {}) {
  let waited = false;
  try {
    for (;;) {
      const { status, body } = await request(apiUrl(path, query), {
        signal,
        headers: { Accept: "application/json" },
      });
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

async function request(url, options) {
  let response;
  try {
    response = await fetch(url, options);
  } catch (error) {
    if (isAbort(error)) throw error;
    throw new ApiError("The server does not answer. Is lucena serve still running?", 0);
  }
  let body;
  try {
    body = await response.json();
  } catch (error) {
    if (isAbort(error)) throw error;
    throw new ApiError(`The server's answer cannot be read (status ${response.status}).`, response.status);
  }
  if (!response.ok)
    throw new ApiError(body?.error ?? `The server answers with status ${response.status}.`, response.status);
  return { status: response.status, body };
}

/**
 * A `get` of which only the latest question counts: a new one calls the one before it off.
 * @param {AbortSignal} [signal] calls off all of them
 * @returns {function(string, Object=, Object=): Promise<*>} its `stop` calls the question off
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
 * @param {function(*)} onData hears the JSON of each event
 * @param {{signal?: AbortSignal, onLost?: function(), onClosed?: function()}} [options] onLost: the
 *   connection
 *   broke, the browser tries again by itself; onClosed: it does not try again
 * @returns {function()} stops listening
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

/** What /api/about says; asked once. @returns {Promise<*>} */
export function about() {
  known ??= get("/api/about").catch((error) => {
    known = null;
    throw error;
  });
  return known;
}
