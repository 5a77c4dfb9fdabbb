/** Waits, and puts off. */

/** Milliseconds after the last letter, before a question is asked. */
export const TYPING = 300;

/**
 * A function that runs when it has not been called for a while.
 * @param {function} work @param {number} milliseconds @param {AbortSignal} [signal] calls it off
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
