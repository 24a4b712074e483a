// Flags, cohorts and groups, agent against world, model check: thresholds move counts, and findings lead to patients.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import {
  addressHas, assertQuiet, choose, closeBrowser, file, fileAddress, interpole, makeCase, makeReport, makeTwoSites, settled, show, visit,
} from './harness.ts';
import type { Case, Visit } from './harness.ts';

after(closeBrowser);

// When it is known how certain each flag is.
const found = async (page: Page) => {
  await page.getByRole('progressbar').waitFor({ state: 'detached' });
  await settled(page);
  return (await page.locator('.found').innerText()).replaceAll('\n', ' ');
};

async function slide(page: Page, label: string, key: string, times: number): Promise<void> {
  await page.getByRole('slider', { name: label }).focus();
  for (let step = 0; step < times; ++step) await page.keyboard.press(key);
  await settled(page);
}

describe('flags', () => {
  let seen: Visit;
  let page: Page;
  before(async () => {
    seen = await visit(fileAddress(makeReport(makeCase('adni', 300), '--without-groups'), '#/flags'));
    page = seen.page;
  });
  after(() => seen.close());

  test('TheBelatedThresholdMovesCountCurveAndAddress', async () => {
    await page.getByRole('tab', { name: /^Belated diagnoses/ }).click();
    const before = await found(page);
    assert.match(before, /\d+ of \d+ patients/);
    const mark = () => page.locator('#belated-sensitivity').getByRole('img').getAttribute('aria-label');
    const marked = await mark();
    await slide(page, 'Near-certain from', 'ArrowLeft', 20);
    assert.notEqual(await found(page), before);
    assert.notEqual(await mark(), marked);
    await addressHas(page, /near=0\.\d+/);
    await page.getByRole('button', { name: /^Back to 90%/ }).click();
    await settled(page);
    assert.equal(await found(page), before);
  });

  test('AskingForCertaintyLeavesFewerFlags', async () => {
    await show(page, '#/flags?flag=uninformative&certain=0');
    const flagged = async () => Number(/(\d+) of [\d,]+ tests/.exec(await found(page))?.[1]);
    const all = await flagged();
    await slide(page, 'How certain a flag must be', 'ArrowRight', 16);
    const certain = await flagged();
    assert.ok(certain < all && certain > 0, `${certain} of ${all} are certain`);
    await addressHas(page, /certain=0\.8/);
  });

  test('FlagsAreNinetyPerCentCertainUnlessAskedOtherwise', async () => {
    const flagged = async (hash: string) => {
      await show(page, hash);
      return found(page);
    };
    const usual = await flagged('#/flags?flag=uninformative');
    assert.match(usual, /(\d+|none) of \d+ tests/); // how many are so certain depends on the fit
    assert.equal(await flagged('#/flags?flag=uninformative&certain=0.9'), usual);
    assert.notEqual(await flagged('#/flags?flag=uninformative&certain=0'), usual);
    await page.getByRole('button', { name: 'Back to at least 90%' }).click();
    assert.equal(await found(page), usual);
    await page.waitForURL((url) => !url.hash.includes('certain=')); // which follows with a little delay
  });

  test('TheUninformativeThresholdMovesTheCount', async () => {
    await show(page, '#/flags?flag=uninformative&certain=0');
    const before = await found(page);
    await slide(page, 'Insignificant: below the mean move by', 'ArrowLeft', 5);
    assert.notEqual(await found(page), before);
    await addressHas(page, /move=/);
  });

  test('AFlaggedPatientIsAClickAway', async () => {
    await show(page, '#/flags?flag=belated&near=0.85');
    const first = page.locator('#belated-diagnoses tbody tr').first();
    const name = await first.getByRole('rowheader').innerText();
    await first.getByRole('rowheader').getByRole('link').click();
    await page.getByRole('heading', { level: 2, name: 'Patient' }).waitFor();
    assert.ok((await page.getByRole('region', { name: 'The chosen visit' }).innerText()).startsWith(name));
    await addressHas(page, /near=0.85/); // with the threshold it was flagged at
    await page.goBack();
    await first.getByRole('link', { name: /^why\?/ }).click();
    await page.getByRole('heading', { level: 2, name: 'Why did it move?' }).waitFor();
    assertQuiet(seen);
  });

  test('TablesSortByAnyColumn', async () => {
    await show(page, '#/flags?flag=uninformative&certain=0');
    const cells = () => page.locator('#uninformative-tests tbody tr th').allInnerTexts();
    const before = await cells();
    await page.locator('#uninformative-tests').getByRole('button', { name: /^How many/ }).click();
    await settled(page);
    assert.notDeepEqual(await cells(), before);
    assert.equal(await page.locator('#uninformative-tests th[aria-sort]').count(), 1);
  });

  test('WhatCannotBeJudgedIsSaid', async () => {
    const other = await visit(fileAddress(makeReport(makeCase('bias', 100)), '#/flags?flag=belated'));
    assert.match(await other.page.getByRole('tabpanel').innerText(), /cannot be judged in this study/);
    assertQuiet(other);
    await other.close();
  });

  test('CohortsAreComparedAB', async () => {
    await show(page, '#/cohorts');
    const table = () => page.locator('#cohort-comparison table').first().innerText();
    const before = await table();
    await page.getByLabel('Cohort A').selectOption({ index: 4 });
    await page.getByLabel('Cohort B').selectOption({ index: 5 });
    await settled(page);
    await addressHas(page, /a=4/);
    await addressHas(page, /b=5/);
    const now = await table();
    assert.notEqual(now, before);
    assert.match(now, /sex = Female.*sex = Male/s);
    await page.getByRole('button', { name: /Exchange/ }).click();
    await settled(page);
    assert.match(await table(), /sex = Male.*sex = Female/s);
    assertQuiet(seen);
  });
});

describe('groups', () => {
  let seen: Visit;
  let made: Case;
  before(async () => {
    made = makeTwoSites(120);
    seen = await visit(fileAddress(makeReport(made), '#/cohorts'));
  });
  after(() => seen.close());

  test('BoundariesBySiteAndWhatTheyRestOn', async () => {
    const text = await seen.page.locator('main').innerText();
    assert.match(text, /north/);
    assert.match(text, /south/);
    assert.match(text, /Which patient belongs to which group is left out/);
    assertQuiet(seen);
  });

  test('FromAGroupToItsPatientsWhereTheReportMayNameThem', async () => {
    const named = await visit(fileAddress(makeReport(made, '--allow-individual'), '#/cohorts'));
    await named.page.getByRole('combobox', { name: 'Group' }).selectOption({ label: 'south' });
    await settled(named.page);
    const link = named.page.locator('#group-patients-list').getByRole('link').first();
    const name = await link.innerText();
    assert.match(name, /^south p\d+/);
    await link.click();
    assert.ok((await named.page.getByRole('region', { name: 'The chosen visit' }).innerText()).startsWith(name));
    assertQuiet(named);
    await named.close();
  });
});

describe('agent and world', () => {
  test('TheBiasIsShownInWordsAsPairedIntervalsAndAsATable', async () => {
    const seen = await visit(fileAddress(makeReport(makeCase('bias', 300)), '#/world'));
    const { page } = seen;
    const words = await page.locator('main').innerText();
    assert.match(words, /The decision-maker acts as if "monitor" gave "negative" for \d+%/);
    const status = page.getByText(/^\d+ of \d+ numbers$/);
    const flagged = await status.innerText();
    await choose(page, 'All that was learned');
    assert.notEqual(await status.innerText(), flagged);
    await addressHas(page, /only=all/);
    assert.ok((await page.locator('#agent-world svg text').count()) > 5);
    await page.locator('#agent-world').getByRole('button', { name: 'Show as table' }).click();
    assert.equal(await page.locator('#agent-world tbody tr').count(), Number((await status.innerText()).split(' ')[0]));
    assertQuiet(seen);
    await seen.close();
  });
});

describe('model check', () => {
  test('SaysHowTheFitEndedAndComparesLearnersWhenAsked', async () => {
    const made = makeCase('bias', 80);
    const comparison = file('comparison.json');
    writeFileSync(comparison, interpole('compare', '--study', made.study, '--data', made.data[0], '--learners', 'bc,interpole',
                                        '--folds', '2', '--json'));
    const seen = await visit(fileAddress(makeReport(made, '--compare', comparison), '#/check'));
    const { page } = seen;
    const words = await page.locator('main').innerText();
    const digest = createHash('sha256').update(readFileSync(made.data[0])).digest('hex');
    for (const said of ['How it was fitted', 'What the data hardly tell', 'Do the probabilities hold?', digest]) {
      assert.ok(words.includes(said), said);
    }
    assert.match(words, /\bbc\b/);
    assert.doesNotMatch(words, /Not yet compared/);
    await page.locator('#calibration').getByRole('button', { name: 'Show as table' }).click();
    assert.ok((await page.locator('#calibration tbody tr').count()) >= 3);
    assertQuiet(seen);
    await seen.close();
  });
});
