/** Delays. */

/** Milliseconds after the last key press before a request is sent. */
export const TYPING = 300;

/**
 * Debounces a function: it runs once it has not been called for this long.
 * @param {function} work @param {number} milliseconds @param {AbortSignal} [signal] cancels it
 */
export function later(work, milliseconds, signal) {
  let timer = 0;
  signal?.addEventListener("abort", () => clearTimeout(timer), { once: true });
  return (...values) => {
    clearTimeout(timer);
    if (!signal?.aborted) timer = setTimeout(() => work(...values), milliseconds);
  };
}

/** Waits. @param {number} milliseconds @param {AbortSignal} [signal] @returns {Promise<void>} */
export function wait(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(new DOMException("called off", "AbortError"));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}
