// Helpers of the page's tests: one browser, pages that record errors, and the check with axe.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { after, before } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { chromium } from "playwright-core";
import { serve } from "./server.mjs";

const require = createRequire(import.meta.url);
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const ARGUMENTS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync"];

/** @returns {Promise<import("playwright-core").Browser>} */
export const launch = () => chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS });

/**
 * A page in its own context. Errors, refused content and missing files are recorded.
 * @param {import("playwright-core").Browser} browser
 * @param {string} url
 * @param {import("playwright-core").BrowserContextOptions} [options]
 * @returns {Promise<import("playwright-core").Page & {errors: string[], asked: Set}>}
 */
export async function open(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 800, height: 900 }, ...options });
  return openTab(context, url);
}

/** Another page in the same context, which shares its storage. */
export async function openTab(context, url) {
  const page = await context.newPage();
  page.setDefaultTimeout(4000);
  page.errors = [];
  page.asked = new Set();
  page.on("pageerror", (error) => page.errors.push(String(error)));
  page.on("console", (message) =>
    message.type() === "error" && page.errors.push(`${message.text()} ${message.location().url}`));
  page.on("request", (request) => isStream(request) || page.asked.add(request));
  for (const end of ["requestfinished", "requestfailed"]) {
    page.on(end, (request) => page.asked.delete(request));
  }
  await page.goto(url);
  return page;
}

const isStream = (request) => request.resourceType() === "eventsource";

/** Waits until all requests are answered and no table is being solved. */
export async function quiet(page, milliseconds = 10000) {
  const end = Date.now() + milliseconds;
  for (let still = 0; still < 3; ) {
    await page.waitForTimeout(15);
    const isBusy = page.asked.size > 0
      || (await page.locator(".notices .progress:not([hidden]), [aria-busy]").count()) > 0;
    still = isBusy ? 0 : still + 1;
    assert.ok(Date.now() < end, `still waits for ${[...page.asked].map((one) => one.url())}`);
  }
}

/** Closes the page; fails if it has had errors. */
export async function close(page) {
  const { errors } = page;
  await page.context().close();
  assert.deepEqual(errors, [], "the page's console has errors");
}

let source;

/**
 * Fails on the violations that axe finds.
 * @param {import("playwright-core").Page} page
 * @param {string} [within] a selector
 * @param {string[]} [rules] the only rules to check
 */
export async function axe(page, within = "body", rules = null) {
  source ??= await readFile(require.resolve("axe-core/axe.min.js"), "utf8");
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(source);
  const { violations } = await page.evaluate(
    ([where, only]) => window.axe.run(where,
      {
        resultTypes: ["violations"],
        rules: { "target-size": { enabled: true } },
        ...(only && { runOnly: { type: "rule", values: only } }),
      }),
    [within, rules]);
  const lines = violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id}: ${help}: ${node.html} ${node.any[0]?.message ?? ""}`));
  assert.deepEqual(lines, []);
}

/**
 * The content of the view: its text, the state of its controls, the men and the marks.
 * @param {import("playwright-core").Page} page
 */
export async function shown(page) {
  await quiet(page);
  return page.evaluate(() => {
    const main = document.querySelector("#main");
    const all = (selector) => [...main.querySelectorAll(selector)].filter((one) => one.checkVisibility());
    const box = (one) => (one.type === "checkbox" ? one.checked : one.value);
    const said = all(".board-live").map((one) => one.textContent.trim());
    return {
      address: location.search,
      words: main.innerText.split(/\s*\n\s*/).filter((line) => line && !said.includes(line)),
      values: all("input, select, textarea").map(box),
      set: all("[aria-current], [aria-pressed=true], [aria-expanded=true], [aria-selected=true]")
        .map((one) => one.ariaLabel ?? one.textContent),
      men: all(".board-cell").map((one) => one.ariaLabel).filter((words) => !words.includes(", empty")),
      marks: all(".board-picture .mark").map((one) => one.dataset.shape),
    };
  });
}

/**
 * Fails unless the view comes to show this content. On a busy machine the page may still have to read an answer that was
 * sent.
 * @param {import("playwright-core").Page} page
 * @param {Object} content from {@link shown}
 * @param {string} [message]
 */
export async function shows(page, content, message) {
  const end = Date.now() + 4000;
  let now = await shown(page);
  while (!isDeepStrictEqual(now, content) && Date.now() < end) now = await shown(page);
  assert.deepEqual(now, content, message);
}

/** Reloads the page, which must show the same content. @param {import("playwright-core").Page} page */
export async function reload(page) {
  const before = await shown(page);
  await page.reload();
  await shows(page, before, "another thing is shown after a reload");
}

/**
 * The state in the address.
 * @param {import("playwright-core").Page} page
 * @returns {Object<string, string>}
 */
export const state = (page) => Object.fromEntries(new URL(page.url()).searchParams);

/**
 * The real server and a browser for the tests of a file. `open` opens an address on it.
 * @param {function(): Promise<string[]>} [options] more options of the server
 * @returns {{open: function(string, Object=): Promise<import("playwright-core").Page>, address: string}}
 */
export function house(options = async () => []) {
  const one = { open: (query, options) => open(one.browser, `${one.address}/?${query}`, { ...options }) };
  before(async () => {
    const [server, browser] = await Promise.all([options().then((more) => serve({ more })), launch()]);
    Object.assign(one, { server, browser, address: server.address });
  });
  after(async () => {
    await one.browser?.close();
    await one.server?.close();
  });
  return one;
}
