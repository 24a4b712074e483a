// A study's own words stand wherever the page says patient, visit, test or belated: in text, labels, hints and files.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertQuiet, choose, closeBrowser, file, fileAddress, makeCase, makeReport, settled, show, viewNames, visit } from './harness.ts';
import type { Visit } from './harness.ts';

const words = ['[words]', 'patient = "stay"', 'visit = ["round", "rounds"]', 'test = ["scan", "scans"]', 'belated = "late"', ''].join('\n');
// A name in the data, which stays as it is.
const covariate = 'signs at first visit';
const usual = /\b(patients?|visits?|tests?|belated)\b/i;

let seen: Visit;
before(async () => {
  const made = makeCase('adni', 150);
  const own = file('words.toml');
  writeFileSync(own, `${readFileSync(made.study, 'utf8')}\n${words}`);
  seen = await visit(fileAddress(makeReport({ ...made, name: 'words', study: own }, '--without-groups', '--beside', made.model)));
});
after(async () => {
  await seen.close();
  await closeBrowser();
});

// All that is read or heard, a piece each.
const said = (page: Page) =>
  page.evaluate(() => {
    const texts: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (!node.parentElement?.closest('script, style, code, kbd')) texts.push(node.textContent ?? '');
    }
    for (const element of document.querySelectorAll('*')) {
      for (const name of ['aria-label', 'title', 'placeholder', 'aria-valuetext', 'alt']) texts.push(element.getAttribute(name) ?? '');
    }
    return texts.map((text) => text.replaceAll(/\s+/g, ' ').trim()).filter((text) => text !== '');
  });

async function assertInWords(): Promise<void> {
  await settled(seen.page);
  const left = (await said(seen.page)).filter((text) => usual.test(text.replaceAll(covariate, '')));
  assert.deepEqual(left, []);
  assertQuiet(seen);
}

describe('with words of its own a study is shown', () => {
  for (const view of [...viewNames, 'beside']) {
    test(`InThem_${view}`, async () => {
      await show(seen.page, `#/${view}`);
      await assertInWords();
      assert.ok((await said(seen.page)).some((text) => /\bstays?\b/i.test(text)), 'it is somewhere');
    });
  }

  for (const flag of ['belated', 'uninformative', 'unlikely']) {
    test(`InThem_flags_${flag}`, async () => {
      await show(seen.page, `#/flags?flag=${flag}`);
      await assertInWords();
    });
  }

  test('InThem_whatIsChosenAndSearched', async () => {
    await show(seen.page, '#/patient?record=1&visit=1&flag=belated&visits=2-4');
    await assertInWords();
    await show(seen.page, '#/map?lens=ordered&arrows=0&boundary=0-1');
    await assertInWords();
    await choose(seen.page, 'Density');
    await assertInWords();
    await show(seen.page, '#/why?record=1&visit=0&changes=0:u');
    await assertInWords();
  });

  test('InThem_tablesAndTheirFiles', async () => {
    await show(seen.page, '#/patient?record=1&table=visits');
    await assertInWords();
    const waiting = seen.page.waitForEvent('download');
    await seen.page.getByRole('button', { name: /“Round by round” as a CSV/ }).click();
    const saved = readFileSync(await (await waiting).path(), 'utf8');
    assert.match(saved, /^"?Round/m);
    assert.doesNotMatch(saved.split('\n')[0], usual);
  });
});
