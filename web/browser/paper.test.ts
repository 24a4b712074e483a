// What leaves the page on paper: one page that sums up a case, one that sums up the study, each with where it came from.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { closeBrowser, fileAddress, makeCase, makeReport, settled, visit } from './harness.ts';
import { ownCase } from './own_study.ts';

let report = '';
before(() => {
  report = makeReport(makeCase('adni', 200), '--without-groups');
});
after(closeBrowser);

// Opened, and printed from there.
async function opened(hash: string, look: (page: Page) => Promise<void>): Promise<void> {
  const seen = await visit(fileAddress(report, hash));
  await settled(seen.page);
  await look(seen.page);
  await seen.close();
}

const pages = async (page: Page) => ((await page.pdf({ preferCSSPageSize: true })).toString('latin1').match(/\/Type\s*\/Page[^s]/g) ?? []).length;
// What paper shows of the text.
async function onPaper(page: Page): Promise<string> {
  await page.emulateMedia({ media: 'print' });
  const text = await page.locator('body').innerText();
  await page.emulateMedia({ media: 'screen' });
  return text;
}

test('AStudyIsOnePage', () =>
  opened('#/start', async (page) => {
    assert.equal(await pages(page), 1);
    const text = await onPaper(page);
    assert.match(text, /Findings/);
    assert.match(text, /How far to trust it/);
    assert.match(text, /Most likely action at every belief/);
    assert.match(text, /interpole \d.*; ADNI; data [0-9a-f]{12}/);
    assert.doesNotMatch(text, /Where next|Put away/);
  }));

for (const record of [0, 3]) {
  test(`ACaseIsOnePage_${record}`, () =>
    opened(`#/patient?record=${record}&visit=1`, async (page) => {
      assert.equal(await pages(page), 1);
      const text = await onPaper(page);
      assert.match(text, new RegExp(`Patient ${record + 1}, Visit 2`));
      assert.match(text, /Seen before this decision/);
      assert.match(text, /Visit by visit/);
      assert.match(text, /interpole \d.*; ADNI; data [0-9a-f]{12}/);
    }));
}

// Of a long record, the visits that say most.
test('ALongCaseIsOnePageToo', async () => {
  const long = ownCase({
    name: 'long', states: ['well', 'ill'], actions: ['wait', 'test'], observations: ['low', 'high'], visits: 40,
    patients: Array.from({ length: 30 }, (_, i) => `p${i}`),
  });
  const seen = await visit(fileAddress(makeReport(long), '#/patient?record=2&visit=17'));
  await settled(seen.page);
  assert.equal(await pages(seen.page), 1);
  const text = await onPaper(seen.page);
  for (const shown of ['Visit 1', 'Visit 18', 'Visit 40']) assert.ok(text.includes(shown), shown);
  assert.match(text, /Of 40 visits, 6: the first, the last/);
  await seen.close();
});
