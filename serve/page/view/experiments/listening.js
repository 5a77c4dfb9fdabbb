/**
 * The jobs that this page has started. It keeps listening to them from any view, since the server stops a
 * job without listeners. Only a few connections are held, since a browser allows six.
 */
import { listen } from "/page/api.js";

const heard = new Map();
const MOST_HEARD = 1;

/** Listens to a job in the background. @param {string} id */
export function hear(id) {
  if (heard.has(id)) return;
  while (heard.size >= MOST_HEARD) {
    const [oldest, close] = heard.entries().next().value;
    close();
    heard.delete(oldest);
  }
  const close = listen(`/api/jobs/${id}/events`, (job) => job.state !== "running" && unhear(id), {
    onClosed: () => unhear(id),
  });
  heard.set(id, close);
}

/** No longer listens to a job in the background. @param {string} id */
export function unhear(id) {
  heard.get(id)?.();
  heard.delete(id);
}
