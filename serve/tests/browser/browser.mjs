// What the tests of the page share: one browser, pages that notice errors, and the check by axe.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

const require = createRequire(import.meta.url);
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const ARGUMENTS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync"];

/** @returns {Promise<import("playwright-core").Browser>} */
export const launch = () => chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS });

/**
 * A page in a context of its own. Errors, refused content and missing files are gathered.
 * @param {import("playwright-core").Browser} browser
 * @param {string} url
 * @param {import("playwright-core").BrowserContextOptions} [options]
 * @returns {Promise<import("playwright-core").Page & {errors: string[]}>}
 */
export async function open(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 800, height: 900 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(4000);
  page.errors = [];
  page.on("pageerror", (error) => page.errors.push(String(error)));
  page.on("console", (message) => message.type() === "error" && page.errors.push(message.text()));
  await page.goto(url);
  return page;
}

/** Fails if the page has had errors; closes it. */
export async function close(page) {
  const { errors } = page;
  await page.context().close();
  assert.deepEqual(errors, [], "the page's console has errors");
}

let source;

/**
 * Fails on the first violations that axe finds.
 * @param {import("playwright-core").Page} page
 * @param {string} [within] a selector
 */
export async function axe(page, within = "body") {
  source ??= await readFile(require.resolve("axe-core/axe.min.js"), "utf8");
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(source);
  const { violations } = await page.evaluate((where) => window.axe.run(where), within);
  const lines = violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id}: ${help}: ${node.html}`));
  assert.deepEqual(lines, []);
}
