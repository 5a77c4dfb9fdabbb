// Trees and rules for authors of chess programs: source code and the command of an engine.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { axe, close, house, quiet } from "./browser.mjs";

const { open } = house();

test("a player's source code is shown, copied and saved, and is that of the command line", async () => {
  const page = await open("view=trees&player=strategy&material=KRvK", { permissions: ["clipboard-read", "clipboard-write"] });
  await quiet(page);
  await page.getByText("For authors of chess programs").click();
  await quiet(page);
  const code = () => page.getByLabel("Source code").innerText();
  assert.match(await code(), /^\/[/*]/);
  await axe(page);
  await page.getByLabel("Language").selectOption("python");
  await quiet(page);
  assert.match(await code(), /def /);
  await page.getByRole("button", { name: "Copy the code" }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Save", exact: true }).click(),
  ]);
  assert.equal(download.suggestedFilename(), "krvk_strategy.py");
  const saved = await readFile(await download.path(), "utf8");
  assert.equal(saved, copied);
  execFileSync("python3", ["-c", "import ast, sys; ast.parse(sys.stdin.read())"], { input: saved });
  await page.getByRole("button", { name: "Copy the command" }).click();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "lucena uci --player strategy");
  await close(page);
});

test("the code goes with the player, and fits a phone in the dark", async () => {
  const page = await open("view=trees&player=theory&material=KRvK", {
    viewport: { width: 390, height: 780 }, colorScheme: "dark" });
  await quiet(page);
  await page.getByText("For authors of chess programs").click();
  await quiet(page);
  assert.match(await page.locator(".source-code").innerText(), /switch|if/);
  await page.getByLabel("Tree, strategy or measure", { exact: true }).selectOption("measure");
  await quiet(page);
  assert.match(await page.locator("details.panel").last().innerText(), /krvk_measure\.c, [\d,]+ lines/);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  await axe(page);
  await close(page);
});
