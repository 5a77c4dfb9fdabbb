// Pictures of trees: nodes that open and close, zoom, search, files, positions of a node, two trees beside each other.

import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { axe, close, house, quiet, reload, state } from "./browser.mjs";
import { run } from "./server.mjs";

let folder;
/** A tree of few tests, which is wrong about many positions. */
const rough = () => `tree:${join(folder, "rough.json")}`;
const { open } = house(async () => {
  folder = await mkdtemp(join(tmpdir(), "lucena-players-"));
  run(["learn", "KRvK", "--max-depth", "4", "--folds", "0", "--out", join(folder, "rough.json"), "--tables", folder]);
  return ["--players", folder];
});
after(() => rm(folder, { recursive: true, force: true }));
const item = (page) => page.getByRole("treeitem");
const aside = (page) => page.getByRole("complementary", { name: "The chosen node" });
const PICTURE = "view=trees&material=KRvK&tab=picture";

test("the picture opens and closes by mouse and keyboard", async () => {
  const page = await open(`${PICTURE}&player=theory`);
  await quiet(page);
  const first = await item(page).count();
  assert.ok(first >= 3);
  await page.getByRole("button", { name: "One more level" }).click();
  await quiet(page);
  const second = await item(page).count();
  assert.ok(second > first);
  await reload(page);
  await item(page).first().focus();
  await page.keyboard.press("ArrowDown");
  const node = await page.locator("[role=treeitem]:focus").getAttribute("data-node");
  await page.keyboard.press("ArrowLeft");
  await quiet(page);
  const shut = await item(page).count();
  assert.ok(shut < second);
  assert.equal(await page.locator("[role=treeitem]:focus").getAttribute("data-node"), node, "the keyboard stays");
  await page.keyboard.press("ArrowRight");
  await quiet(page);
  assert.ok((await item(page).count()) > shut);
  await page.keyboard.press("Enter");
  await quiet(page);
  assert.equal(state(page).chosen, node);
  assert.match(await aside(page).innerText(), /only ranks positions/);
  await axe(page);
  await reload(page);
  await page.locator(".tree-knob").first().click();
  await quiet(page);
  assert.equal(await item(page).count(), 1);
  await page.getByRole("button", { name: "Close all" }).click();
  await quiet(page);
  assert.equal(await item(page).count(), first);
  await close(page);
});

test("the picture is enlarged, moved and shown whole", async () => {
  const page = await open(`${PICTURE}&player=exact`);
  await quiet(page);
  const box = () => page.locator(".tree-picture").getAttribute("viewBox").then((text) => text.split(" ").map(Number));
  const begin = await box();
  await page.getByRole("button", { name: "Larger" }).click();
  assert.ok((await box())[2] < begin[2]);
  await page.getByRole("button", { name: "Smaller" }).click();
  await page.getByRole("button", { name: "Smaller" }).click();
  assert.ok((await box())[2] > begin[2]);
  await page.getByRole("button", { name: "Fit" }).click();
  const [x, y, width, height] = await box();
  const places = await item(page).evaluateAll((all) =>
    all.map((one) => one.getAttribute("transform").match(/-?[\d.]+/g).map(Number)));
  for (const [left, top] of places) assert.ok(left >= x && top >= y && left < x + width && top < y + height);
  await page.locator(".tree-picture").evaluate((one) => one.scrollIntoView({ block: "end" }));
  const picture = await page.locator(".tree-picture").boundingBox();
  const middle = [picture.x + picture.width / 2, picture.y + picture.height - 20];
  await page.mouse.move(...middle);
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -200);
  await page.keyboard.up("Control");
  await page.waitForFunction((wide) => document.querySelector(".tree-picture").viewBox.baseVal.width < wide, width - 1);
  const zoomed = await box();
  await page.mouse.down();
  await page.mouse.move(middle[0] - 60, middle[1] - 30, { steps: 3 });
  await page.mouse.up();
  const dragged = await box();
  assert.ok(dragged[0] > zoomed[0] && dragged[1] > zoomed[1] && dragged[2] === zoomed[2]);
  assert.equal(state(page).chosen, undefined, "a drag chooses nothing");
  await item(page).first().focus();
  await page.keyboard.press("Shift+ArrowRight");
  assert.ok((await box())[0] > dragged[0]);
  await page.keyboard.press("+");
  assert.ok((await box())[2] < dragged[2]);
  await page.keyboard.press("0");
  assert.deepEqual(await box(), [x, y, width, height]);
  await close(page);
});

test("a part of a tree is shown alone, and the whole again", async () => {
  const page = await open(`${PICTURE}&player=exact&chosen=1517`);
  await quiet(page);
  await aside(page).getByRole("button", { name: "Show only the part below it" }).click();
  await quiet(page);
  assert.equal(await item(page).first().getAttribute("data-node"), "1517");
  await reload(page);
  await page.getByRole("link", { name: "Show the whole tree" }).click();
  await quiet(page);
  assert.equal(await item(page).first().getAttribute("data-node"), "0");
  await close(page);
});

test("names of attributes are shown when they are wanted, and remembered", async () => {
  const page = await open(`${PICTURE}&player=theory&chosen=1`);
  await quiet(page);
  const condition = aside(page).locator(".conditions code");
  assert.deepEqual([await page.locator(".tree-name").count(), await condition.first().isVisible()], [0, false]);
  await page.getByLabel("Names of attributes").check();
  assert.equal(await page.locator(".tree-name").first().textContent(), "kRoom");
  assert.equal(await condition.first().isVisible(), true);
  await reload(page);
  assert.ok(await page.locator(".tree-name").count() >= 3);
  await close(page);
});

test("nodes are found by a class and by an attribute, one after the other", async () => {
  const page = await open(`${PICTURE}&player=exact`);
  await quiet(page);
  const search = page.getByLabel("Find nodes by an attribute, a value or a class");
  await search.fill("corner");
  await page.waitForTimeout(350);
  await quiet(page);
  assert.match(await page.locator(".tree-find").innerText(), /[\d,]+ of 4,983 nodes found/);
  await search.press("Enter");
  await quiet(page);
  const chosen = state(page).chosen;
  const one = page.locator(`[role=treeitem][data-node="${chosen}"]`);
  assert.match(await one.locator("title").textContent(), /corner/i);
  assert.match(await one.getAttribute("class"), /hit/);
  assert.ok(await one.evaluate((node) => {
    const [at, whole] = [node.querySelector("rect"), node.ownerSVGElement].map((part) => part.getBoundingClientRect());
    return at.left >= whole.left && at.right <= whole.right && at.top >= whole.top && at.bottom <= whole.bottom;
  }), "it is in view");
  await reload(page);
  await page.getByRole("button", { name: "Next node found" }).click();
  await quiet(page);
  assert.notEqual(state(page).chosen, chosen);
  assert.equal(state(page).hit, "2");
  await search.fill("draw");
  await page.waitForTimeout(350);
  await quiet(page);
  await search.press("Enter");
  await quiet(page);
  assert.match(await aside(page).innerText(), /: Draw/);
  await search.fill("zeppelin");
  await page.waitForTimeout(350);
  await quiet(page);
  assert.match(await page.locator(".tree-find").innerText(), /No node matches/);
  await close(page);
});

test("what is open is saved as SVG and PNG", async () => {
  const page = await open(`${PICTURE}&player=theory`, { acceptDownloads: true, colorScheme: "dark" });
  await quiet(page);
  await page.getByLabel("Names of attributes").check();
  const saved = async (name) => {
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name, exact: true }).click()]);
    return [file.suggestedFilename(), await readFile(await file.path())];
  };
  const [name, svg] = await saved("SVG");
  assert.equal(name, "KRvK-theory.svg");
  const parsed = await page.evaluate((text) => {
    const file = new DOMParser().parseFromString(text, "image/svg+xml");
    const root = file.documentElement;
    return { name: root.nodeName, fault: file.querySelector("parsererror")?.textContent, classes: root.querySelectorAll("[class]").length,
      width: Number(root.getAttribute("width")), ground: root.querySelector("rect").getAttribute("fill"), words: root.textContent };
  }, svg.toString());
  assert.deepEqual([parsed.name, parsed.fault, parsed.classes, parsed.ground], ["svg", undefined, 0, "#ffffff"]);
  assert.ok(parsed.width > 300);
  assert.match(parsed.words, /KRvK, theory: 67 leaves[^]*kRoom/);
  const [other, png] = await saved("PNG");
  assert.equal(other, "KRvK-theory.png");
  assert.equal(png.subarray(1, 4).toString(), "PNG");
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  assert.ok(width > parsed.width && height > 200, `${width} x ${height}`);
  await close(page);
});

test("a node shows the positions that it gets wrong, and links to them", async () => {
  const page = await open(`${PICTURE}&player=exact&chosen=0`);
  await quiet(page);
  assert.match(await aside(page).innerText(), /None of its 223,944 positions is answered wrongly/);
  await aside(page).getByRole("button", { name: /^Right/ }).click();
  await quiet(page);
  const boards = aside(page).getByRole("list", { name: "Positions of the node" }).getByRole("listitem");
  assert.equal(await boards.count(), 6);
  assert.equal(state(page).show, "right");
  await reload(page);
  await aside(page).getByLabel("Distance").selectOption("mated in 3 moves");
  await quiet(page);
  for (const words of await boards.allInnerTexts()) assert.match(words, /mated in 3/);
  await aside(page).getByRole("button", { name: "Next page" }).click();
  await quiet(page);
  assert.equal(state(page).boards, "6");
  await reload(page);
  await axe(page);
  await boards.first().getByRole("link", { name: /Explore/ }).click();
  await quiet(page);
  assert.match(await page.locator(".outcome").first().innerText(), /mates in 3/);
  await close(page);
});

test("a tree that errs says how often, and lists what it gets wrong", async () => {
  const page = await open(`${PICTURE}&chosen=0&player=${rough()}`);
  await quiet(page);
  assert.match(await item(page).first().textContent(), /\d\.\d % wrong/);
  const said = await aside(page).innerText();
  const [, wrong, percent] = /([\d,]+) of its 223,944 positions are answered wrongly: ([\d.]+) %\./.exec(said);
  const share = (100 * Number(wrong.replaceAll(",", ""))) / 223944;
  assert.ok(Math.abs(share - Number(percent)) < 0.06, said);
  assert.match(said, new RegExp(`Wrong \\(${wrong}\\)`));
  const boards = aside(page).getByRole("list", { name: "Positions of the node" }).getByRole("listitem");
  assert.equal(await boards.count(), 6);
  for (const words of await boards.allInnerTexts()) {
    const [, truth, answer] = /to move, (.*)\s+The tree says: (.*)\./.exec(words);
    assert.notEqual(answer.replace(/ moves?$/, ""), truth);
  }
  await reload(page);
  await axe(page);
  const old = page.url();
  await boards.first().getByRole("link", { name: /Play from here/ }).click();
  await page.getByRole("heading", { level: 1, name: "Play" }).waitFor();
  await quiet(page);
  await page.goBack();
  await quiet(page);
  assert.equal(page.url(), old);
  await close(page);
});

test("colours are the same after a reload, and their texts can be read", async () => {
  const page = await open(`${PICTURE}&player=theory`);
  await quiet(page);
  const colors = () => page.locator(".tree-answer").evaluateAll((all) =>
    Object.fromEntries(all.map((one) => [one.nextSibling.textContent, one.getAttribute("fill")])));
  await page.getByRole("button", { name: "One more level" }).click();
  await quiet(page);
  const few = await colors();
  for (let i = 0; i < 4; i += 1) {
    await page.getByRole("button", { name: "One more level" }).click();
    await quiet(page);
  }
  const many = await colors();
  assert.ok(Object.keys(many).length > Object.keys(few).length);
  for (const [name, color] of Object.entries(few)) assert.equal(many[name], color);
  await page.reload();
  await quiet(page);
  assert.deepEqual(await colors(), many);
  const contrasts = await page.evaluate(async () => {
    const { colorOf } = await import("/page/scale.js");
    const light = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
      .reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0);
    const names = [...Array(99)].map((_, i) => `grade ${i + 1}`);
    const found = [...names, "draw", "lost", "zero", "nine", "thirty-three"].map((name) => colorOf(name, names));
    const lightness = names.map((name) => light(colorOf(name, names).fill));
    return {
      least: Math.min(...found.map(({ fill, ink }) => {
        const [one, other] = [light(fill), light(ink)].sort((a, b) => b - a);
        return (one + 0.05) / (other + 0.05);
      })),
      falls: lightness.every((one, i) => !i || one < lightness[i - 1]),
      apart: !names.some((name) => [colorOf("draw").fill, colorOf("lost").fill].includes(colorOf(name, names).fill)),
      same: colorOf("nine").fill === colorOf("mated in 9").fill,
    };
  });
  assert.ok(contrasts.least >= 4.5, String(contrasts.least));
  assert.deepEqual([contrasts.falls, contrasts.apart, contrasts.same], [true, true, true]);
  await close(page);
});

test("two trees stand beside each other, on a phone below each other", async () => {
  const page = await open("view=trees&player=theory&material=KRvK&with=exact", { viewport: { width: 1280, height: 900 } });
  await quiet(page, 30000);
  const figures = page.getByRole("region", { name: "Figures of both" }).first();
  assert.match(await figures.innerText(), /67 leaves\s+2,492 leaves/);
  assert.match(await figures.innerText(), /not defined\s+100 %/);
  assert.match(await figures.innerText(), /175,168 of 175,168 that can be won/);
  const pictures = page.locator(".tree-picture");
  assert.equal(await pictures.count(), 2);
  const places = async () => (await Promise.all([0, 1].map((i) => pictures.nth(i).boundingBox()))).map(({ x }) => x);
  const [left, right] = await places();
  assert.ok(right > left + 300);
  // Each has a state of its own.
  await page.getByRole("tree", { name: "The second tree" }).getByRole("treeitem").first().click();
  await quiet(page);
  assert.deepEqual([state(page).chosen, state(page).chosen2], [undefined, "0"]);
  const differ = page.getByRole("list", { name: "Positions on which they differ" }).getByRole("listitem");
  assert.equal(await differ.count(), 12);
  await reload(page);
  await axe(page);
  await page.setViewportSize({ width: 390, height: 844 });
  const [above, below] = await places();
  assert.equal(above, below);
  await differ.first().getByRole("link", { name: /Why: Theory/ }).click();
  await page.getByRole("heading", { level: 1, name: "Why" }).waitFor();
  await quiet(page);
  assert.equal(state(page).player, "theory");
  await close(page);
});

test("a tree is compared with a strategy, which has no picture", async () => {
  const page = await open("view=trees&player=theory&material=KRvK");
  await quiet(page);
  await page.getByLabel("Compare with", { exact: true }).selectOption("strategy");
  await quiet(page, 30000);
  assert.equal(await page.locator(".tree-picture").count(), 1);
  await page.getByRole("link", { name: "Show its rules" }).click();
  await quiet(page);
  assert.deepEqual([state(page).player, state(page).with], ["strategy", undefined]);
  await close(page);
});

test("of two trees that are asked for one after the other, the second is shown", async () => {
  const page = await open(`${PICTURE}&player=theory`);
  await quiet(page);
  await page.route("**/api/tree?**", async (route) => {
    const slow = route.request().url().includes("player=exact");
    await new Promise((done) => setTimeout(done, slow ? 500 : 50));
    await route.continue().catch(() => {});
  });
  const player = page.getByLabel("Tree, strategy or measure", { exact: true });
  await player.selectOption("exact");
  await page.waitForTimeout(60);
  await player.selectOption("theory");
  await page.waitForTimeout(700);
  await quiet(page);
  assert.match(await page.locator(".tree-size").innerText(), /67 leaves/);
  assert.match(await item(page).first().textContent(), /squares that the black king could/i);
  await page.getByRole("button", { name: "One more level" }).click();
  await quiet(page);
  assert.match(await item(page).first().textContent(), /squares that the black king could/i);
  await close(page);
});
