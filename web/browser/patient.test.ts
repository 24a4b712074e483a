// One patient, and why a belief moved: pictures, charts and tables show the same visit, and changes show what would have been.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { addressHas, assertQuiet, choose, closeBrowser, fileAddress, makeCase, makeReport, settled, show, visit } from './harness.ts';
import type { Visit } from './harness.ts';

let seen: Visit;
let page: Page;
let long: number; // a record of several visits
before(async () => {
  seen = await visit(fileAddress(makeReport(makeCase('adni', 200), '--without-groups'), '#/patient'));
  page = seen.page;
  await choosePatient('Deteriorating');
  long = Number(new URLSearchParams(page.url().split('?')[1]).get('record'));
});
after(async () => {
  await seen.close();
  await closeBrowser();
});

const choosePatient = async (example: string) => {
  await page.getByRole('button', { name: example, exact: true }).click();
  await settled(page);
};
const table = () => page.getByRole('region', { name: 'Visit by visit' }).getByRole('table');
const inTable = () => table().locator('[aria-current="step"]').getAttribute('data-visit');
const dot = (visit: number) => page.getByRole('group', { name: /^Path of/ }).getByRole('button', { name: `Visit ${visit}`, exact: true });
const inPicture = () => page.locator('g[role="button"][aria-current="step"]').getAttribute('aria-label');
const inChart = () => page.getByRole('slider', { name: /^Belief over time.*: visit$/ }).getAttribute('aria-valuenow');
const sentence = () => page.getByRole('region', { name: 'The chosen visit' }).innerText();

// The same visit everywhere.
async function assertVisit(index: number): Promise<void> {
  await settled(page);
  assert.equal(await inTable(), String(index));
  assert.equal(await inPicture(), `Visit ${index + 1}`);
  assert.equal(await inChart(), String(index + 1));
  await addressHas(page, new RegExp(`visit=${index}\\b`));
  assert.match(await sentence(), new RegExp(`Visit ${index + 1}\\b`));
  assert.equal(await table().locator('tr.current').count(), 1);
}

describe('patient', () => {
  beforeEach(() => show(page, `#/patient?record=${long}&visit=0`));

  test('ArrowKeysStepThroughVisitsEverywhereAtOnce', async () => {
    await page.getByRole('heading', { level: 2, name: 'Patient' }).click(); // focus on nothing in particular
    const words = new Set([await sentence()]);
    for (const visit of [1, 2, 3]) {
      await page.keyboard.press('ArrowRight');
      await assertVisit(visit);
      words.add(await sentence());
    }
    assert.equal(words.size, 4, 'a sentence per visit');
    await page.keyboard.press('ArrowLeft');
    await assertVisit(2);
  });

  test('AClickInPictureChartOrTableChoosesTheVisitInAll', async () => {
    await table().locator('[data-visit="2"]').click();
    await assertVisit(2);
    await page.locator('#belief-over-time svg[role="slider"]').click({ position: { x: 60, y: 40 } });
    await assertVisit(0);
    await dot(2).focus();
    await page.keyboard.press('Enter');
    await assertVisit(1);
    await page.getByRole('button', { name: 'Last visit' }).click();
    await settled(page);
    assert.equal(await inTable(), String((await table().locator('[data-visit]').count()) - 1));
  });

  test('ArrowKeysInTheTableMoveTheFocusToo', async () => {
    await table().locator('[data-visit="0"]').focus();
    await page.keyboard.press('ArrowRight');
    await assertVisit(1);
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('data-visit')), '1');
    await page.keyboard.press('End');
    await page.keyboard.press('Home');
    await assertVisit(0);
  });

  test('UpAndDownGoFromPatientToPatient', async () => {
    const name = () => page.getByRole('group', { name: 'Patient', exact: true }).innerText();
    const first = await name();
    await dot(1).focus();
    await page.keyboard.press('ArrowDown');
    await settled(page);
    assert.notEqual(await name(), first);
    await page.getByRole('button', { name: 'Previous patient' }).click();
    await settled(page);
    assert.equal(await name(), first);
  });

  test('PatientsAreFoundFilteredAndStandAsExamples', async () => {
    const list = page.getByRole('listbox', { name: 'Patients' });
    await page.getByLabel('Find a patient').fill('17');
    await settled(page);
    const found = await list.getByRole('option').allInnerTexts();
    assert.ok(found.length > 0 && found.every((text) => text.includes('17')));
    await page.getByLabel('Find a patient').press('Enter');
    await settled(page);
    assert.match(await sentence(), /Patient \d*17\d*/);
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByLabel('Flag', { exact: true }).selectOption({ label: 'Belated diagnosis' });
    await settled(page);
    const flagged = await page.locator('.picker [role="status"]').innerText();
    assert.match(flagged, /^\d+ of \d+ patients/);
    await choosePatient('Belated diagnosis');
    assert.match(await page.locator('.stage').innerText(), /belated/i);
  });

  test('StackedAndLinesAreTwoPicturesOfTheSame', async () => {
    const chart = page.locator('#belief-over-time svg[role="slider"]');
    const before = await chart.innerHTML();
    await choose(page, 'Stacked');
    assert.notEqual(await chart.innerHTML(), before);
    assertQuiet(seen);
  });
});

describe('why', () => {
  beforeEach(() => show(page, `#/why?record=${long}&visit=1`));
  const ghost = () => page.locator('g.ghost');
  const next = () => page.locator('#next-decisions tbody').innerText();
  // A result of several factors has a field for each.
  const resultField = () => page.getByLabel(/^(Result|CDR-SB)$/);

  async function anotherResult(): Promise<void> {
    const recorded = await resultField().inputValue();
    const options = await resultField().locator('option:not([disabled])').evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value));
    const other = options.find((value) => value !== recorded && value !== '-1');
    assert.ok(other);
    await resultField().selectOption(other);
    await settled(page);
  }

  test('TimeAndEvidenceAreToldApartPerFactor', async () => {
    const move = page.getByRole('region', { name: 'The move' });
    assert.match(await move.innerText(), /Time passing/);
    const waterfall = page.getByRole('figure', { name: /^What moved the belief in/ });
    const bars = async () => (await waterfall.locator('svg text').allTextContents()).join(' ');
    assert.match(await bars(), /CDR-SB/);
    const before = await bars();
    await choose(page, 'Probability');
    await addressHas(page, /scale=probability/);
    assert.notEqual(await bars(), before);
  });

  test('AnotherResultDrawsAGhostPathAndOtherDecisions', async () => {
    assert.equal(await ghost().count(), 0);
    const before = await next();
    await anotherResult();
    assert.ok((await ghost().count()) >= 1);
    assert.notEqual(await next(), before);
    await addressHas(page, /changes=1:/);
    // The ghost leaves the path at the changed visit, not before.
    const points = (d: string | null) => d?.match(/-?[\d.]+[ ,]-?[\d.]+/g) ?? [];
    const way = points(await page.locator('path.way').first().getAttribute('d'));
    const dashed = points(await ghost().first().locator('path').first().getAttribute('d'));
    assert.deepEqual(dashed.slice(0, 2), way.slice(0, 2));
    assert.notEqual(dashed[2], way[2]);
    await page.getByRole('button', { name: 'Reset to what was recorded' }).click();
    await settled(page);
    assert.equal(await ghost().count(), 0);
    assert.equal(await next(), before);
  });

  test('ResultsAreSwitchedOffAndTestsLeftOut', async () => {
    await page.getByRole('button', { name: 'Do not look at the result' }).click();
    await settled(page);
    await addressHas(page, /changes=1:u/);
    assert.ok((await ghost().count()) >= 1);
    await page.getByRole('button', { name: /^Take back the change/ }).click();
    await settled(page);
    assert.equal(await ghost().count(), 0);
    await page.getByLabel('Done', { exact: true }).selectOption({ index: (await page.getByLabel('Done', { exact: true }).inputValue()) === '0' ? 1 : 0 });
    await settled(page);
    assert.ok((await ghost().count()) >= 1);
    assert.match(await page.locator('.changes').innerText(), /recorded:/);
  });

  test('OneFactorOfAResultIsSwitchedOffAlone', async () => {
    const scan = page.getByLabel('hippocampus', { exact: true });
    let visit = 0; // the first with a scan
    for (; visit < 4; ++visit) {
      await show(page, `#/why?record=${long}&visit=${visit}`);
      if ((await scan.count()) > 0) break;
    }
    const recorded = await scan.inputValue();
    assert.notEqual(recorded, '-1');
    const rows = page.locator('#outcomes tbody tr');
    const without = (await rows.filter({ hasText: 'hippocampus not read' }).locator('.under').innerText()).trim();
    const blind = (await rows.filter({ hasText: /^not looked at/ }).locator('.under').innerText()).trim();
    assert.notEqual(without, blind);
    await scan.selectOption({ label: 'not read' });
    await settled(page);
    await addressHas(page, new RegExp(`changes=${visit}:z\\d+x1`));
    assert.match(await page.locator('.changes').innerText(), /CDR-SB \w+, hippocampus not read/);
    // The other factor stays as it was seen, and the row of the table is the one shown as tried.
    assert.match(await page.getByLabel('CDR-SB', { exact: true }).locator('option:checked').innerText(), /\(recorded\)/);
    assert.equal((await rows.and(page.locator('.tried')).locator('.under').innerText()).trim(), without);
    assert.ok((await ghost().count()) >= 1);
    await page.getByLabel('CDR-SB', { exact: true }).selectOption({ label: 'not read' });
    await settled(page);
    await addressHas(page, new RegExp(`changes=${visit}:u`));
    await scan.selectOption(recorded);
    await settled(page);
    await addressHas(page, new RegExp(`changes=${visit}:z\\d+x0`));
    assertQuiet(seen);
  });

  test('ChangesAreTakenBackOneByOneByTheBackButton', async () => {
    await anotherResult();
    const once = page.url();
    await page.getByRole('button', { name: 'Next visit' }).click();
    await settled(page);
    await anotherResult();
    await addressHas(page, /changes=1:\w+,2:\w+/);
    await page.goBack();
    await page.goBack();
    await settled(page);
    assert.equal(page.url(), once);
    assert.equal(await page.getByRole('button', { name: /^Take back the change/ }).count(), 1);
  });

  test('EveryResultATestCouldHaveHadIsListed', async () => {
    const rows = page.locator('#outcomes tbody tr');
    const chances = (await rows.locator('td:nth-child(2)').allInnerTexts()).map((text) => (/under 1%/.test(text) ? 0.5 : Number(/(\d+)%/.exec(text)?.[1] ?? 0)));
    const sum = chances.reduce((total, one) => total + one, 0);
    assert.ok(Math.abs(sum - 100) < 5, `chances sum to ${sum}%`);
    await page.getByRole('checkbox', { name: 'Mark them beside the path' }).check();
    await settled(page);
    assert.ok((await page.locator('g.branch').count()) >= 2);
    await page.getByRole('button', { name: /^What if: / }).first().click();
    await settled(page);
    assert.ok((await ghost().count()) >= 1);
    assertQuiet(seen);
  });
});
