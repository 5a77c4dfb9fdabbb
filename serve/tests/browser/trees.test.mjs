// Trees and rules: a list to search, a picture and an outline that open level by level, boards, two beside each other.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { axe, close, house, quiet, reload, shown, state } from "./browser.mjs";

const { open } = house();
const rules = (page) => page.locator(".rules > li");
const boards = (page) => page.getByRole("list", { name: /^Examples of/ }).getByRole("listitem");

test("rules are found by a word and by a class", async () => {
  const page = await open("view=trees&player=theory&material=KRvK");
  await quiet(page);
  const all = await rules(page).count();
  assert.ok(all > 10);
  const search = page.getByLabel("Search for a word or an attribute");
  await search.pressSequentially("edge");
  await page.waitForTimeout(350);
  await quiet(page);
  assert.equal(state(page).q, "edge");
  assert.match(await page.locator("#main").innerText(), /found among \d+ rules/);
  assert.equal(await search.evaluate((one) => one === document.activeElement), true, "typing goes on");
  for (const words of await rules(page).allInnerTexts()) assert.match(words, /edge/i);
  await reload(page);
  await search.fill("");
  await page.waitForTimeout(350);
  await quiet(page);
  const classes = page.getByLabel("Class", { exact: true });
  const name = await classes.locator("option").nth(1).innerText();
  await classes.selectOption({ label: name });
  await quiet(page);
  for (const words of await page.locator(".rules .chip").allInnerTexts()) assert.equal(words, name);
  await reload(page);
  await close(page);
});

test("a long list has pages", async () => {
  const page = await open("view=trees&player=exact&material=KRvK");
  await quiet(page);
  await page.getByRole("button", { name: "Next page" }).click();
  await quiet(page);
  assert.equal(await page.locator(".rule-number").first().innerText(), "26");
  await reload(page);
  await page.goBack();
  await quiet(page);
  assert.equal(await page.locator(".rule-number").first().innerText(), "1");
  await close(page);
});

test("a leaf has six boards, and is played from", async () => {
  const page = await open("view=trees&player=theory&material=KRvK");
  await quiet(page);
  await rules(page).first().getByRole("button").click();
  await quiet(page);
  assert.equal(await boards(page).count(), 6);
  await reload(page);
  const seen = await shown(page);
  await boards(page).first().getByRole("link", { name: "Play from here" }).click();
  await page.getByRole("heading", { level: 1, name: "Arena" }).waitFor();
  await quiet(page);
  assert.equal(state(page).white, "human");
  assert.ok(state(page).fen);
  await page.goBack();
  assert.deepEqual(await shown(page), seen);
  await close(page);
});

test("a rule of a strategy has examples in which it is used", async () => {
  const page = await open("view=trees&player=strategy&material=KQvK");
  await quiet(page);
  await rules(page).first().getByRole("button").click();
  await quiet(page);
  assert.ok(await boards(page).count() >= 3);
  await reload(page);
  await close(page);
});

test("the outline opens level by level, by mouse and keyboard", async () => {
  const page = await open("view=trees&player=theory&material=KRvK&tab=outline");
  await quiet(page);
  const nodes = page.locator("button.node:visible");
  const first = await nodes.count();
  await page.getByRole("button", { name: "Open one more level" }).click();
  await quiet(page);
  const second = await nodes.count();
  assert.ok(second > first);
  await reload(page);
  await nodes.first().focus();
  await page.keyboard.press("ArrowDown");
  const node = await page.locator("button.node:focus").getAttribute("data-node");
  await page.keyboard.press("ArrowLeft");
  await quiet(page);
  assert.ok(await nodes.count() < second);
  assert.equal(await page.locator("button.node:focus").getAttribute("data-node"), node, "the keyboard stays");
  await page.getByRole("button", { name: "Close all" }).click();
  await quiet(page);
  assert.equal(await nodes.count(), first);
  const leaf = page.locator(".leaf > button.node:visible").first();
  for (let i = 0; i < 6 && !(await leaf.count()); i += 1) {
    await page.getByRole("button", { name: "Open one more level" }).click();
    await quiet(page);
  }
  await leaf.click();
  await quiet(page);
  assert.equal(await boards(page).count(), 6);
  await reload(page);
  await close(page);
});

test("slow answers do not take the focus away, and the last question counts", async () => {
  const page = await open("view=trees&player=theory&material=KRvK");
  await quiet(page);
  await page.route("**/api/rules**", async (route) => {
    const slow = route.request().url().includes("search=edge");
    await new Promise((done) => setTimeout(done, slow ? 600 : 100));
    await route.continue().catch(() => {});
  });
  const search = page.getByLabel("Search for a word or an attribute");
  await search.fill("edge");
  await page.waitForTimeout(350);
  await search.fill("rook");
  assert.equal(await search.evaluate((one) => one === document.activeElement), true);
  await page.waitForTimeout(350);
  await quiet(page);
  assert.equal(await search.inputValue(), "rook");
  for (const words of await rules(page).allInnerTexts()) assert.match(words, /rook/i);
  await page.getByRole("link", { name: "Picture" }).focus();
  await page.keyboard.press("Enter");
  await quiet(page);
  assert.equal(await page.locator(":focus").innerText(), "Picture");
  await close(page);
});

const item = (page) => page.getByRole("treeitem");
const aside = (page) => page.getByRole("complementary", { name: "The chosen node" });
const PICTURE = "view=trees&material=KRvK&tab=picture";

test("the picture opens and closes by mouse and keyboard", async () => {
  const page = await open(`${PICTURE}&player=theory`);
  await quiet(page);
  const first = await item(page).count();
  assert.ok(first >= 3);
  await page.getByRole("button", { name: "Open one more level" }).click();
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
  const page = await open(`${PICTURE}&player=theory&names=1`, { acceptDownloads: true, colorScheme: "dark" });
  await quiet(page);
  const saved = async (name) => {
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name }).click()]);
    return [file.suggestedFilename(), await readFile(await file.path())];
  };
  const [name, svg] = await saved("Save SVG");
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
  const [other, png] = await saved("Save PNG");
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
  const shown_ = aside(page).getByRole("list", { name: "Positions of the node" }).getByRole("listitem");
  assert.equal(await shown_.count(), 6);
  assert.equal(state(page).show, "right");
  await reload(page);
  await aside(page).getByRole("button", { name: "mated in 3 moves" }).click();
  await quiet(page);
  for (const words of await shown_.allInnerTexts()) assert.match(words, /mated in 3/);
  await aside(page).getByRole("button", { name: "Next page" }).click();
  await quiet(page);
  assert.equal(state(page).boards, "6");
  await reload(page);
  await axe(page);
  await shown_.first().getByRole("link", { name: /Explore/ }).click();
  await quiet(page);
  assert.match(await page.locator(".outcome").first().innerText(), /mates in 3/);
  await close(page);
});

test("colours are the same after a reload, and their texts can be read", async () => {
  const page = await open(`${PICTURE}&player=theory`);
  await quiet(page);
  const colors = () => page.locator(".tree-answer").evaluateAll((all) =>
    Object.fromEntries(all.map((one) => [one.nextSibling.textContent, one.getAttribute("fill")])));
  await page.getByRole("button", { name: "Open one more level" }).click();
  await quiet(page);
  const few = await colors();
  for (let i = 0; i < 4; i += 1) {
    await page.getByRole("button", { name: "Open one more level" }).click();
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
