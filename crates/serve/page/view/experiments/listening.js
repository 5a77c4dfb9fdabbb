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

/**
 * Listens to a job that is shown. There is one connection for each job: the one in the background ends here, and begins
 * again once the job is no longer shown.
 * @param {string} id
 * @param {{signal: AbortSignal, panel: Object, onNext: function(Object)}} options panel: the job's panel, of job.js;
 *   onNext gets the job after each change
 */
export function follow(id, { signal, panel, onNext }) {
  unhear(id);
  listen(
    `/api/jobs/${id}/events`,
    (job, close) => {
      if (signal.aborted) return close();
      onNext(job);
      if (job.state !== "running") close();
    },
    { signal, onLost: () => panel.lost(), onClosed: () => panel.ask() },
  );
  signal.addEventListener("abort", () => panel.state === "running" && hear(id), { once: true });
}

/** No longer listens to a job in the background. @param {string} id */
export function unhear(id) {
  heard.get(id)?.();
  heard.delete(id);
}
