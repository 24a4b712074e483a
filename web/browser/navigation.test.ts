// The address holds what the reader looks at: a reload or a copied link shows the same, and back and forward buttons work.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { addressHas, assertQuiet, choose, closeBrowser, fileAddress, makeCase, makeReport, settled, show, viewNames, views, visit } from './harness.ts';
import type { Visit } from './harness.ts';

let path: string;
let seen: Visit;
let page: Page;
before(async () => {
  path = makeReport(makeCase('adni', 200), '--without-groups');
  seen = await visit(fileAddress(path));
  page = seen.page;
});
after(async () => {
  await seen.close();
  await closeBrowser();
});

const heading = async () => page.getByRole('heading', { level: 2 }).first().innerText();
const hash = () => new URL(page.url()).hash;
// What is on the page; ids made up on loading say nothing.
const look = async () => (await page.locator('main').innerText()).trim();

test('BackAndForwardGoThroughTheViews', async () => {
  for (const view of viewNames) await page.locator(`nav a[data-view="${view}"]`).click();
  for (const view of [...viewNames].reverse().slice(1)) {
    await page.goBack();
    await settled(page);
    assert.equal(await heading(), views[view]);
  }
  for (const view of viewNames.slice(1)) {
    await page.goForward();
    await settled(page);
    assert.equal(await heading(), views[view]);
  }
});

test('BackUndoesSelectionsButNotEveryStepOfASlider', async () => {
  await show(page, '#/patient?record=3&visit=0');
  await page.getByRole('button', { name: 'Next visit' }).click();
  await page.getByRole('button', { name: 'Next patient' }).click();
  await settled(page);
  await addressHas(page, /record=4/);
  await page.goBack();
  await settled(page);
  await addressHas(page, /record=3&visit=1/);
  await page.goBack();
  await settled(page);
  await addressHas(page, /record=3&visit=0/);
  await page.goForward();
  await settled(page);
  await addressHas(page, /visit=1/);
  assert.match(await page.getByRole('region', { name: 'The chosen visit' }).innerText(), /Visit 2/);

  await show(page, '#/flags?flag=belated');
  await page.getByRole('slider', { name: 'Near-certain from' }).focus();
  for (let step = 0; step < 10; ++step) await page.keyboard.press('ArrowLeft');
  await page.goBack();
  await settled(page);
  await addressHas(page, /#\/patient\?/);
});

test('AReloadShowsTheSame', async () => {
  const places = [
    '#/map?layout=right&show=density&lens=ordered&boundary=0-1',
    '#/map?layout=two&focus=1,2&show=none&arrows=1&fade=no',
    '#/patient?record=5&visit=1&flag=uninformative&visits=2-4',
    '#/why?record=5&visit=0&changes=0:u&scale=probability&results=1',
    '#/flags?flag=uninformative&move=0.3',
    '#/cohorts?a=4&b=5',
    '#/world?field=initial_belief&only=all',
    '#/check?table=calibration&theme=dark',
  ];
  for (const place of places) {
    await show(page, place);
    const before = await look();
    await page.reload();
    await page.getByRole('heading', { level: 2 }).first().waitFor();
    await settled(page);
    assert.equal(hash(), place);
    assert.equal(await look(), before, place);
  }
  assertQuiet(seen);
});

test('ACopiedLinkShowsTheSameToSomebodyElse', async () => {
  await show(page, '#/map');
  await choose(page, 'Right-angled');
  await choose(page, 'Density');
  await addressHas(page, /show=density/);
  const before = await look();
  const other = await visit(page.url());
  await settled(other.page);
  assert.equal((await other.page.locator('main').innerText()).trim(), before);
  assert.equal(await other.page.getByRole('radio', { name: 'Right-angled' }).isChecked(), true);
  await other.close();
});

test('FiltersComeBackWithTheBackButton', async () => {
  await show(page, '#/patient');
  await page.getByLabel('Flag', { exact: true }).selectOption('belated');
  await page.getByLabel('Length').selectOption('5-9');
  await settled(page);
  await addressHas(page, /flag=belated/);
  await addressHas(page, /visits=5-9/);
  await page.locator('nav a[data-view="check"]').click();
  await page.goBack();
  await settled(page);
  assert.equal(await page.getByLabel('Flag', { exact: true }).inputValue(), 'belated');
  assert.equal(await page.getByLabel('Length').inputValue(), '5-9');
  await page.goBack();
  await settled(page);
  assert.equal(await page.getByLabel('Length').inputValue(), '');
});

test('TheThemeTravelsFromViewToView', async () => {
  await show(page, '#/start');
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  assert.equal(await theme(), 'light');
  await page.getByRole('button', { name: 'Dark' }).click();
  await settled(page);
  assert.equal(await theme(), 'dark');
  await page.locator('nav a[data-view="flags"]').click();
  await settled(page);
  assert.equal(await theme(), 'dark');
  await addressHas(page, /theme=dark/);
});

test('NonsenseInTheAddressDoesNoHarm', async () => {
  for (const place of [
    '#/nowhere', '#/patient?record=99999999&visit=-4', '#/patient?record=NaN&visit=1e309', '#/why?record=2&changes=9:z99,x,1:z-1,0:a7z3',
    '#/map?layout=sphere&focus=0,0&boundary=7-7&arrows=12&show=%3Cscript%3E', '#/flags?flag=x&near=7&move=-Infinity&certain=2',
    '#/cohorts?a=-1&b=1000&cohort=1.5', '#/world?field=__proto__&action=99', '#/check?table=%E2%98%83', '#/patient?flag=constructor&visits=__proto__&find=%00',
    '#/%FF?%FF=%FF', '#token=abc', '#/map?theme=purple',
  ]) {
    await show(page, place);
    const text = await look();
    assert.ok(text.length > 100, place);
    assert.doesNotMatch(text, /NaN|undefined|Infinity/, place);
  }
  assertQuiet(seen);
});
