// Two models side by side: trust, scores, maps with one cross-hair, boundaries, and patients who open from the list.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { accessibilityFaults, addressHas, assertQuiet, closeBrowser, file, fileAddress, fitted, makeCase, makeReport, settled, show, visit } from './harness.ts';
import type { Visit } from './harness.ts';

let path: string;
let seen: Visit;
let page: Page;
before(async () => {
  const coupled = makeCase('bias', 300);
  const shared = fitted({ ...coupled, name: 'bias-shared', model: file('bias-shared.json') }, '--dynamics', 'shared');
  path = makeReport({ ...coupled, name: 'two' }, '--beside', shared.model);
  seen = await visit(fileAddress(path, '#/beside'));
  page = seen.page;
});
after(async () => {
  await seen.close();
  await closeBrowser();
});

describe('two models', () => {
  test('AreNamedByWhatTellsThemApart', async () => {
    for (const name of ['Coupled', 'Shared']) await page.getByRole('heading', { level: 3, name, exact: true }).waitFor();
    assert.match(await page.locator('main').innerText(), /(Coupled|Shared) (foresees the recorded decisions better|does) /);
    // One set of dynamics was not asked whether patients are seen as they are: none of its marks is a tick.
    const marks = await page.locator('section', { has: page.getByRole('heading', { name: 'Shared', exact: true }) }).getByRole('img').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
    assert.ok(marks.length > 0 && !marks.includes('Fine'), marks.join());
  });

  test('HaveOneCrossHair', async () => {
    const crosses = page.getByRole('slider', { name: /^Cross-hair/ });
    assert.equal(await crosses.count(), 2);
    await crosses.first().focus();
    for (let i = 0; i < 5; ++i) await page.keyboard.press('ArrowRight');
    await addressHas(page, /cross=0:/);
    const beliefs = await crosses.evaluateAll((all) => all.map((one) => one.getAttribute('aria-valuenow')));
    assert.equal(beliefs[0], beliefs[1]);
    assert.match(await page.locator('main').innerText(), /Under the cross-hair: healthy \d+%, diseased \d+%/);
  });

  test('LeadToThePatientsOnWhomTheyDiffer', async () => {
    const one = page.locator('#two-patients tbody button').last();
    const name = (await one.innerText()).trim();
    await one.click();
    await page.getByRole('heading', { level: 3, name: `${name} by Coupled, and by Shared` }).waitFor();
    assert.equal(await one.getAttribute('aria-pressed'), 'true');
    await page.getByRole('slider', { name: new RegExp(`^${name} by`) }).focus();
    await page.keyboard.press('Home');
    await addressHas(page, /visit=0/);
    await page.getByRole('link', { name: 'The whole record' }).click();
    await page.getByRole('heading', { level: 2, name: 'Patient' }).waitFor();
    assert.ok((await page.locator('main').innerText()).includes(name));
    assertQuiet(seen);
  });

  for (const [width, colorScheme] of [[1280, 'light'], [390, 'light'], [1280, 'dark']] as const) {
    test(`CanBeReadByEverybody_${width}_${colorScheme}`, async () => {
      const other = await visit(fileAddress(path, '#/beside'), { viewport: { width, height: 900 }, colorScheme });
      await settled(other.page);
      assert.deepEqual(await accessibilityFaults(other.page), []);
      assert.ok(await other.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'scrolls sideways');
      assertQuiet(other);
      await other.close();
    });
  }
});

test('WithoutASecondModelThereIsNoSuchView', async () => {
  const alone = await visit(fileAddress(makeReport(makeCase('bias', 100)), '#/beside'));
  await alone.page.getByRole('heading', { level: 2, name: 'What the records say' }).waitFor();
  assert.equal(await alone.page.locator('nav a[data-view="beside"]').count(), 0);
  await alone.close();
  await show(page, '#/beside');
  assert.equal(await page.locator('nav a[data-view="beside"]').count(), 1);
});
