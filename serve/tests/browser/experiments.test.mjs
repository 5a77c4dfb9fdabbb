// Experiments: a form and its command, a job that runs and is stopped, and its results.

import assert from "node:assert/strict";
import { stat } from "node:fs/promises";
import { test } from "node:test";
import { axe, close, house, openTab, quiet, reload, state } from "./browser.mjs";

const { open } = house();
const button = (page, name) => page.getByRole("button", { name, exact: true });
const command = (page) => page.getByLabel("Command line").innerText();
const ended = (page, how) =>
  page.locator(`.panel .job-state[data-state=${how}]`).first().waitFor({ timeout: 15000 });

test("a form makes a command, and says what is wrong with it", async () => {
  const page = await open("view=experiments");
  await quiet(page);
  await page.getByRole("link", { name: /^Train by playing/ }).click();
  await page.getByLabel("Games", { exact: true }).fill("5000");
  await page.waitForTimeout(350);
  await quiet(page);
  assert.match(await command(page), /^lucena train KRvK .*--games.5000/);
  assert.equal(state(page)["f.games"], "5000");
  await reload(page);
  await page.getByLabel("Games", { exact: true }).fill("-1");
  await page.waitForTimeout(350);
  await quiet(page);
  assert.match(await page.getByRole("alert").first().innerText(), /\w/);
  await button(page, "Start").click({ force: true });
  assert.equal(state(page).job, undefined, "what makes no sense is not started");
  await button(page, "Reset all").click();
  await quiet(page);
  assert.equal(state(page)["f.games"], undefined);
  page.errors.length = 0;
  await close(page);
});

test("an experiment grows, is loaded anew and stopped midway; its result is kept", async () => {
  const page = await open("view=experiments&verb=train&f.games=900000");
  await quiet(page);
  await button(page, "Start").click();
  const rows = page.locator(".points tbody tr");
  await rows.nth(1).waitFor({ timeout: 15000 });
  assert.equal(await page.locator("img.chart").isVisible(), true);
  const before = await rows.count();
  await page.reload();
  await rows.nth(before).waitFor({ timeout: 15000 });
  // Another tab sees the same job, and the first one goes elsewhere in the meantime.
  const other = await openTab(page.context(), page.url());
  await other.locator(".points tbody tr").nth(before).waitFor();
  await page.locator("#tabs").getByRole("link", { name: "Explore" }).click();
  await quiet(page);
  await page.goBack();
  await rows.nth(before).waitFor();
  await axe(page);
  await button(page, "Stop").click();
  await Promise.all([ended(page, "stopped"), ended(other, "stopped")]);
  const play = page.getByRole("link", { name: "Let it play" });
  await play.waitFor();
  await reload(page);
  const saving = page.waitForEvent("download");
  await page.getByRole("link", { name: "weights", exact: true }).click();
  assert.ok((await stat(await (await saving).path())).size > 1000);
  await axe(page);
  await play.click();
  await page.getByRole("heading", { level: 1, name: "Arena" }).waitFor();
  await quiet(page);
  assert.match(state(page).white, /^trained:/);
  await button(page, "Start").click();
  await page.waitForFunction(() => new URLSearchParams(location.search).has("moves"));
  assert.deepEqual(other.errors, []);
  await close(page);
});

test("a tree that was learned is looked at, and the job forgotten", async () => {
  const page = await open("view=experiments&verb=learn&material=KRvK");
  await quiet(page);
  await button(page, "Start").click();
  await ended(page, "done");
  assert.match(await page.getByLabel("Report").innerText(), /\d leaves/);
  const job = page.url();
  const look = page.getByRole("link", { name: "Look at it" });
  assert.match(await look.getAttribute("href"), /view=trees.*player=tree/);
  await page.getByRole("link", { name: "Change and run again" }).click();
  assert.equal(state(page).verb, "learn");
  await page.goto(job);
  await button(page, "Forget").click();
  await quiet(page);
  assert.equal(state(page).job, undefined);
  await page.goto(job);
  assert.match(await page.getByRole("alert").innerText(), /no job/);
  assert.ok(page.errors.splice(0).every((error) => error.includes("404")));
  await close(page);
});
