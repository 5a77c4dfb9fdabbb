// Experiments: a form and its command, a job that runs and is stopped, and its results.

import assert from "node:assert/strict";
import { stat } from "node:fs/promises";
import { test } from "node:test";
import { axe, close, house, openTab, quiet, reload, state } from "./browser.mjs";
import { serve } from "./server.mjs";

const { open } = house();
const button = (page, name) => page.getByRole("button", { name, exact: true });
const command = (page) => page.getByLabel("Command line").innerText();
const ended = (page, how) =>
  page.locator(`.stack > section .heading .job-state[data-state=${how}]`).waitFor({ timeout: 15000 });

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
  await page.locator("#groups").getByRole("link", { name: "Look up" }).click();
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
  await page.getByRole("heading", { level: 1, name: "Play" }).waitFor();
  await quiet(page);
  assert.match(state(page).white, /^trained:/);
  await button(page, "Start").click();
  await page.waitForFunction(() => new URLSearchParams(location.search).has("moves"));
  assert.deepEqual(other.errors, []);
  await close(page);
});

test("a tree that was learned is looked at, and the experiment deleted", async () => {
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
  await button(page, "Delete").first().click();
  await button(page, "Keep it").click();
  await button(page, "Delete").first().click();
  await axe(page);
  await button(page, "Delete it").click();
  await quiet(page);
  assert.equal(state(page).job, undefined);
  await page.goto(job);
  assert.match(await page.getByRole("alert").innerText(), /no job/);
  assert.ok(page.errors.splice(0).every((error) => error.includes("404")));
  await close(page);
});

/** Starts an experiment and waits for its end. */
async function done(page, query) {
  await page.goto(`${new URL(page.url()).origin}/?view=experiments&${query}`);
  await quiet(page);
  await button(page, "Start").click();
  await page.waitForFunction(() => new URLSearchParams(location.search).has("job"));
  await ended(page, "done");
  return state(page).job;
}

test("an experiment has a name, by which its player is chosen; a copy of the player is saved and deleted", async () => {
  const page = await open("view=experiments");
  await done(page, "verb=learn&f.material=KQvK");
  await button(page, "Rename").click();
  await page.getByLabel("Name", { exact: true }).fill("Queens");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 2, name: "Queens" }).waitFor();
  await button(page, "Save as player").click();
  await page.getByLabel("Name of the player").fill("a/b");
  await page.keyboard.press("Enter");
  await page.getByText("cannot be the name of a player").waitFor();
  await page.getByLabel("Name of the player").fill("My queens");
  await page.keyboard.press("Enter");
  await page.getByText("Saved: My queens").waitFor();
  await axe(page);
  page.errors.splice(0);
  const play = page.getByRole("link", { name: "My queens" });
  await play.waitFor();
  await play.click();
  await page.getByRole("heading", { level: 1, name: "Play" }).waitFor();
  await quiet(page);
  const titles = await page.getByLabel("White", { exact: true }).locator("option").allInnerTexts();
  for (const title of ["Queens", "My queens"]) assert.ok(titles.includes(title), `${title} of ${titles}`);
  await page.goBack();
  await button(page, "Delete the player My queens").click();
  await button(page, "Delete it").click();
  await play.waitFor({ state: "detached" });
  await close(page);
});

test("experiments of one kind are compared, and several are deleted at once", async () => {
  const page = await open("view=experiments");
  const ids = [
    await done(page, "verb=validate&f.games=20"),
    await done(page, "verb=validate&f.games=30"),
    await done(page, "verb=learn&f.material=KQvK"),
  ];
  const choose = (id) => page.locator(`input[data-job="${id}"]`);
  await choose(ids[0]).check();
  await choose(ids[2]).check();
  assert.equal(await button(page, "Compare").isDisabled(), true, "they are of two kinds");
  await choose(ids[2]).uncheck();
  await choose(ids[1]).check();
  await button(page, "Compare").click();
  await page.getByRole("heading", { level: 2, name: /side by side/ }).waitFor();
  const settings = await page.getByRole("region", { name: "Settings that differ" }).innerText();
  assert.match(settings, /Games\s+20\s+30/);
  assert.match(await page.getByRole("region", { name: "Figures that differ" }).innerText(), /Games/);
  await axe(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: "dark" });
  await axe(page);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing hangs over");
  await button(page, "Delete").last().click();
  await page.getByRole("group", { name: "Delete 2 experiments and the files?" }).getByRole("button", { name: "Delete" }).click();
  await choose(ids[0]).waitFor({ state: "detached" });
  assert.equal(state(page).compare, undefined);
  assert.equal(await choose(ids[2]).count(), 1);
  await close(page);
});

test("a server that is gone is said once, the board stays, and a link still works after it is back", async () => {
  const first = await serve();
  const page = await openTab((await open("view=experiments")).context(), `${first.address}/?view=experiments`);
  const id = await done(page, "verb=prove");
  const port = Number(new URL(first.address).port);
  await page.goto(`${first.address}/?view=explore&fen=8/8/8/8/8/1k6/8/K1R5 w - - 0 1`);
  await quiet(page);
  await first.stop();
  await button(page, "Random").click();
  const gone = page.getByRole("alert");
  await gone.getByText("The server does not answer.").waitFor();
  assert.equal(await gone.filter({ visible: true }).count(), 1, "it is said once");
  assert.equal(await page.getByRole("gridcell", { name: /king|rook/ }).count(), 3, "the board stays");
  await axe(page);
  const again = await serve({ port, folder: first.folder });
  await gone.getByText("The server does not answer.").waitFor({ state: "hidden" });
  await page.goto(`${again.address}/?view=experiments&job=${id}`);
  await page.getByLabel("Report").waitFor();
  assert.match(await page.getByLabel("Report").innerText(), /175,168/);
  page.errors.splice(0);
  await close(page);
  await again.close();
  await first.close();
});
