/** Experiments: forms, running jobs, results. */
import { ApiError, get, isAbort, listen, post } from "/page/api.js";
import { href, linkTo } from "/page/address.js";
import { copyButton, tabLinks } from "/page/controls.js";
import { button, fill, h } from "/page/dom.js";
import { capital, count, sentence } from "/page/game.js";
import { notices, progressBar } from "/page/notice.js";
import { table } from "/page/table.js";
import { experimentForm, FIELD } from "/page/view/experiments/form.js";

/** The number of rows in the table of points. */
const POINTS = 50;
const LOOK_AGAIN = 3000;
const STATES = { running: "runs", done: "done", failed: "failed", stopped: "stopped" };

/**
 * The jobs that this page has started. It keeps listening to them from any view, since the server stops a
 * job without listeners. Only a few connections are held, since a browser allows six.
 */
const heard = new Map();
const MOST_HEARD = 1;

function hear(id) {
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

function unhear(id) {
  heard.get(id)?.();
  heard.delete(id);
}

export async function show(main, first, go, signal) {
  let state = first;
  let shown = null; // what the body shows
  let leaveBody = () => {};
  const notice = notices({ again: () => draw() });
  const menuPlace = h("div");
  let menu = null;
  const body = h("div", { class: "stack" });
  const jobs = jobsPart();
  fill(
    main,
    h("h1", {}, "Experiments"),
    menuPlace,
    notice.element,
    h("div", { class: "with-jobs" }, body, jobs.element),
  );
  let experiments = null;
  jobs.begin();
  return {
    ready: draw(),
    update(next) {
      state = next;
      return draw();
    },
    leave: () => leaveBody(),
  };

  async function draw() {
    if (!experiments) {
      const answer = await notice.run((options) => get("/api/experiments", {}, { ...options, signal }));
      if (!answer) return;
      ({ experiments } = answer);
      menu = tabLinks(
        "Experiments",
        experiments.map((one) => [one.verb, one.title]),
      );
    }
    const verb = state.job ? null : state.verb;
    const key = state.job ? `job ${state.job}` : verb ? `verb ${verb}` : "";
    // The cards below are already a menu.
    if (!key) fill(menuPlace);
    else if (!menuPlace.firstChild) fill(menuPlace, menu.element);
    menu.set(verb, (one) => href({ view: "experiments", verb: one }, {}));
    jobs.mark(state.job);
    if (key === shown) return;
    shown = key;
    leaveBody();
    leaveBody = () => {};
    notice.clear();
    if (state.job) await drawJob(state.job);
    else if (verb) await drawForm(experiments.find((one) => one.verb === verb));
    else drawChoice();
  }

  function drawChoice() {
    fill(
      body,
      h(
        "ul",
        { class: "cards" },
        experiments.map((one) =>
          h(
            "li",
            {},
            h(
              "a",
              { class: "card", href: href({ view: "experiments", verb: one.verb }, {}) },
              h("b", {}, one.title),
              h("span", {}, sentence(one.about)),
            ),
          ),
        ),
      ),
    );
  }

  // A form

  function drawForm(experiment) {
    if (!experiment) {
      fill(body, h("p", { class: "notice" }, "There is no such experiment. Choose one above."));
      return undefined;
    }
    const control = new AbortController();
    leaveBody = () => control.abort();
    const empty = Object.fromEntries(experiment.fields.map((one) => [FIELD + one.name, null]));
    const form = experimentForm(experiment, {
      state,
      go,
      signal: AbortSignal.any([control.signal, signal]),
      onStart(job) {
        hear(job.id);
        jobs.look();
        go({ view: "experiments", job: job.id, verb: null, ...empty });
      },
      onReset() {
        go(empty);
        shown = null;
        draw();
      },
    });
    fill(body, form.element);
    return form.ready;
  }

  // A job

  async function drawJob(id) {
    const control = new AbortController();
    const both = AbortSignal.any([control.signal, signal]);
    leaveBody = () => control.abort();
    const job = await notice.run((options) =>
      get(`/api/jobs/${encodeURIComponent(id)}`, {}, { ...options, signal: both }),
    );
    if (both.aborted) return;
    if (!job) return void fill(body);
    const part = jobPart(both, () => {
      shown = null;
      go({ job: null, verb: null });
    });
    fill(body, part.element);
    part.draw(job);
    if (job.state !== "running") return;
    // There is one connection for each job: the one in the background ends here.
    unhear(job.id);
    listen(
      `/api/jobs/${job.id}/events`,
      (next, close) => {
        if (both.aborted) return close();
        part.draw(next);
        if (next.state !== "running") {
          close();
          jobs.look();
        }
      },
      {
        signal: both,
        onLost: () => part.lost(true),
        onClosed: () => part.ask(),
      },
    );
    both.addEventListener("abort", () => part.state === "running" && hear(job.id), { once: true });
  }

  function jobPart(both, gone) {
    let job = null;
    let since = 0;
    let drawn = {};
    const wrong = notices();
    const bar = progressBar();
    const heading = h("h2", {});
    const badge = h("p", { class: "job-state", role: "status" });
    const command = h("pre", { class: "code", tabindex: "0", "aria-label": "Command line" });
    const notes = h("ul", { class: "notes" });
    const stopButton = button("Stop", () => act("stop"));
    const forgetButton = button("Forget", () => act("forget"));
    const again = h("a", { class: "button" }, "Change and run again");
    const image = h("img", { alt: "", class: "chart", hidden: true });
    const points = h("div", { class: "points" });
    const chartBox = h(
      "section",
      { class: "panel", hidden: true },
      h("h2", {}, "Chart"),
      h("div", { class: "chart-and-points" }, image, points),
    );
    const result = h("section", { class: "panel", hidden: true });
    const failure = h("div");
    const element = h(
      "div",
      { class: "stack" },
      h(
        "section",
        { class: "panel" },
        h("div", { class: "heading" }, heading, badge),
        bar.element,
        wrong.element,
        failure,
        notes,
        h("div", { class: "row" }, stopButton, forgetButton, again),
        h(
          "details",
          {},
          h("summary", {}, "Command line"),
          command,
          copyButton(() => command.textContent, "Copy the command"),
        ),
      ),
      chartBox,
      result,
    );

    async function act(what) {
      const answer = await wrong.run(() => post(`/api/jobs/${job.id}/${what}`, {}, { signal: both }));
      if (!answer) return;
      jobs.look();
      if (what === "forget") gone();
      else if (answer.id) draw(answer);
    }

    /** Requests the state of the job after the stream has broken for good. */
    async function ask() {
      const answer = await wrong.run((options) =>
        get(`/api/jobs/${job.id}`, {}, { ...options, signal: both }),
      );
      if (answer) draw(answer);
    }

    function draw(next) {
      job = next;
      const running = job.state === "running";
      wrong.clear();
      heading.textContent = titleOf(job);
      since = performance.now() - 1000 * job.seconds;
      // Screen readers announce the end, not every second.
      badge.setAttribute("aria-live", running ? "off" : "polite");
      drawTime();
      badge.dataset.state = job.state;
      // Once all steps are done, the total says nothing about the work that follows.
      const { what = "working", done = 0, total = null } = job.progress ?? {};
      bar.show(running ? { what, done, total: total && done < total ? total : null } : null);
      command.textContent = job.command;
      stopButton.hidden = !running;
      forgetButton.hidden = running;
      again.href = href({ view: "experiments", verb: job.verb, ...prefixed(job.fields) }, {});
      if (changed("notes", job.notes))
        fill(
          notes,
          job.notes.map((note) => h("li", {}, note)),
        );
      if (changed("error", job.error))
        fill(failure, job.error && h("p", { class: "error", role: "alert" }, job.error));
      drawChart();
      if (changed("result", [job.summary, job.files, job.player])) drawResult();
    }

    /** Updates the time between events from the server. */
    function drawTime() {
      const passed = job.state === "running" ? (performance.now() - since) / 1000 : job.seconds;
      badge.textContent = `${capital(STATES[job.state] ?? job.state)}, ${seconds(passed)}`;
    }

    const clock = setInterval(() => job?.state === "running" && drawTime(), 500);
    both.addEventListener("abort", () => clearInterval(clock), { once: true });

    function changed(key, value) {
      const text = JSON.stringify(value);
      if (drawn[key] === text) return false;
      drawn[key] = text;
      return true;
    }

    function drawChart() {
      chartBox.hidden = !job.chart && !job.points?.rows.length;
      if (job.chart && changed("chart", job.chart.version)) {
        // The old chart stays until the new one is loaded.
        const next = new Image();
        const version = job.chart.version;
        next.onload = () => {
          if ((image.version ?? -1) > version) return;
          image.version = version;
          image.src = next.src;
          image.hidden = false;
        };
        next.src = `/api/jobs/${encodeURIComponent(job.id)}/chart.svg?version=${version}`;
        image.alt = `Chart of ${job.title}. The table beside it holds its points.`;
      }
      if (!job.points || !changed("points", job.points)) return;
      const { columns, rows } = job.points;
      const scrolled = points.firstElementChild?.scrollTop;
      const hadFocus = points.contains(document.activeElement);
      const last = rows.slice(-POINTS);
      fill(
        points,
        table({
          caption:
            rows.length > POINTS
              ? `The last ${POINTS} of ${count(rows.length, "point")}`
              : count(rows.length, "point"),
          columns: columns.map((name, i) => ({
            name,
            number: rows.every((row) => row[i] === null || typeof row[i] === "number"),
          })),
          rows: last,
        }),
      );
      if (scrolled) points.firstElementChild.scrollTop = scrolled;
      if (hadFocus) points.firstElementChild.focus({ preventScroll: true });
    }

    function drawResult() {
      result.hidden = !job.summary && !job.files?.length && !job.player;
      const material = materialOf(job);
      const failed = (job.report?.refutation ?? job.report?.worth?.refutation) || null;
      const player = job.player;
      const reads = player && /^(tree|strategy|measure)[:]/.test(player);
      fill(
        result,
        h("h2", {}, "Results"),
        player &&
          h(
            "div",
            { class: "row" },
            reads &&
              h(
                "a",
                { class: "button primary", href: href({ view: "trees", player, material }, {}) },
                "Look at it",
              ),
            h(
              "a",
              {
                class: "button",
                href: href(
                  { view: "arena", white: player, black: "tablebase", material, start: "random" },
                  {},
                ),
              },
              "Let it play",
            ),
            reads &&
              h("a", { class: "button", href: href({ view: "why", player, material }, {}) }, "Ask it why"),
          ),
        failed &&
          h(
            "p",
            {},
            "A position is not won: ",
            h(
              "a",
              {
                href: linkTo({
                  view: "explore",
                  fen: failed.fen,
                  moves: failed.line?.join(",") || null,
                  at: failed.line ? 0 : null,
                }),
              },
              "see the line that shows why",
            ),
            ".",
          ),
        job.summary && h("pre", { class: "code report", tabindex: "0", "aria-label": "Report" }, job.summary),
        job.files?.length
          ? h(
              "div",
              {},
              h("h3", {}, "Files"),
              h(
                "ul",
                { class: "files" },
                job.files.map(({ name, bytes }) =>
                  h(
                    "li",
                    {},
                    h(
                      "a",
                      {
                        href: `/api/jobs/${encodeURIComponent(job.id)}/files/${encodeURIComponent(name)}`,
                        download: name,
                      },
                      name,
                    ),
                    h("span", { class: "small" }, ` ${size(bytes)}`),
                  ),
                ),
              ),
            )
          : null,
      );
    }

    return {
      element,
      draw,
      ask,
      lost: () => wrong.show("The connection was lost. The browser is trying again."),
      get state() {
        return job?.state;
      },
    };
  }

  // All jobs

  function jobsPart() {
    const list = h("div", {});
    const element = h("aside", { class: "panel jobs", "aria-label": "Jobs" }, h("h2", {}, "Jobs"), list);
    let chosen = null;
    let known = [];
    let drawn = "";
    let timer = 0;
    const soon = () => {
      clearTimeout(timer);
      if (!signal.aborted) timer = setTimeout(look, LOOK_AGAIN);
    };
    async function look() {
      clearTimeout(timer);
      if (document.hidden) return soon();
      try {
        ({ jobs: known } = await get("/api/jobs", {}, { signal }));
        drawList();
      } catch (error) {
        if (isAbort(error)) return undefined;
        fill(
          list,
          h("p", { class: "small" }, error instanceof ApiError ? error.message : "The list cannot be read."),
        );
        drawn = "";
      }
      return soon();
    }
    function drawList() {
      const text = JSON.stringify([chosen, known.map((job) => [job.id, job.title, job.state])]);
      if (text === drawn) return;
      drawn = text;
      const focused = list.contains(document.activeElement) ? document.activeElement.dataset.job : null;
      fill(
        list,
        known.length
          ? h(
              "ul",
              { class: "job-list" },
              [...known].reverse().map((job) =>
                h(
                  "li",
                  {},
                  h(
                    "a",
                    {
                      href: href({ view: "experiments", job: job.id }, {}),
                      "data-job": job.id,
                      "aria-current": job.id === chosen ? "page" : null,
                    },
                    `${job.id}. ${titleOf(job)}`,
                  ),
                  h("span", { class: "job-state", "data-state": job.state }, STATES[job.state] ?? job.state),
                ),
              ),
            )
          : h("p", { class: "small" }, "No experiment has been started."),
      );
      if (focused) list.querySelector(`[data-job="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
    }
    signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
    document.addEventListener("visibilitychange", () => document.hidden || look(), { signal });
    fill(list, h("p", { class: "small" }, "Loading..."));
    return {
      element,
      begin: look,
      look,
      mark(id) {
        chosen = id ?? null;
        drawList();
      },
    };
  }
}

/** The endgame of a job, if it has one. */
function materialOf({ fields }) {
  return [fields?.material, fields?.what].find((name) => /^K\w*vK\w*$/.test(name ?? ""));
}

/** The title, with the endgame unless it contains it. */
function titleOf(job) {
  const material = materialOf(job);
  return material && !job.title.includes(material) ? `${job.title}: ${material}` : job.title;
}

const asText = (value) => (value === null || value === undefined ? "" : String(value));
const prefixed = (fields) =>
  Object.fromEntries(Object.entries(fields ?? {}).map(([key, value]) => [FIELD + key, asText(value)]));

function seconds(number) {
  if (number < 60) return `${number.toFixed(1)} s`;
  return `${Math.floor(number / 60)} min ${Math.floor(number % 60)} s`;
}

function size(bytes) {
  if (bytes < 1024) return count(bytes, "byte");
  return bytes < 1024 ** 2 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1024 ** 2).toFixed(1)} MiB`;
}
