// Every view of every kind of study, opened from a file: it says what it should, quietly, and asks nobody for anything.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import {
  accessibilityFaults, assertQuiet, closeBrowser, file, fileAddress, fitted, interpole, makeCase, makeReport, makeTwoSites, settled, show, study, viewNames,
  views, visit,
} from './harness.ts';
import type { Case, Visit } from './harness.ts';

const reports: Record<string, () => string> = {
  'three states (adni)': () => makeReport(makeCase('adni', 200), '--without-groups'),
  'two states (bias)': () => makeReport(makeCase('bias', 150)),
  'five states (tree)': () => makeReport(makeCase('tree', 150)),
  'two groups (two-sites)': () => makeReport(makeTwoSites(100)),
};

// Clinicians who follow more than their beliefs; without the terms for it, the model is wrong.
function wardVisits(): Case {
  const data = file('ward-visits.csv');
  interpole('simulate', 'ward', '--patients', '300', '--seed', '1', '--output', data);
  return { name: '', study: study('ward.toml'), data: [data], model: '' };
}

after(closeBrowser);

for (const [name, make] of Object.entries(reports)) {
  describe(name, () => {
    let seen: Visit;
    let path: string;
    before(async () => {
      path = make();
      seen = await visit(fileAddress(path));
    });
    after(() => seen.close());

    test('IsOneFileThatForbidsItselfTheNetwork', () => {
      const text = readFileSync(path, 'utf8');
      const policy = /http-equiv="Content-Security-Policy"\s+content="([^"]*)"/.exec(text)?.[1] ?? '';
      assert.match(policy, /default-src 'none'/);
      assert.match(policy, /connect-src 'none'/);
      assert.doesNotMatch(policy, /unsafe-inline|unsafe-eval|https?:/);
      assert.doesNotMatch(text, /<(?:script|link|img|iframe)[^>]+(?:src|href)=/);
    });

    for (const view of viewNames) {
      test(`Opens_${view}`, async () => {
        await seen.page.getByRole('navigation', { name: 'Views' }).locator(`a[data-view="${view}"]`).click();
        await seen.page.getByRole('heading', { level: 2, name: views[view] }).waitFor();
        await settled(seen.page);
        assert.equal(await seen.page.locator('nav [aria-current="page"]').getAttribute('data-view'), view);
        const text = await seen.page.locator('main').innerText();
        assert.doesNotMatch(text, /NaN|undefined|\[object|Infinity|\bnull\b/);
        assert.doesNotMatch(text, /argmax|\b(means|transition|observation)\[|\bgap of\b/i);
        assert.ok(text.length > 200, `the view says little: ${text}`);
        assertQuiet(seen);
      });
    }

    test('FitsANarrowScreen', async () => {
      await seen.page.setViewportSize({ width: 390, height: 844 });
      for (const view of viewNames) {
        await show(seen.page, `#/${view}`);
        const beyond = await seen.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        assert.ok(beyond <= 0, `${view} is ${beyond} px wider than the screen`);
      }
      await seen.page.setViewportSize({ width: 1280, height: 900 });
      assertQuiet(seen);
    });
  });
}

describe('shares of what is foreseen', () => {
  let seen: Visit;
  before(async () => {
    const made = makeCase('bias', 150);
    seen = await visit(fileAddress(makeReport(made, '--shares'), '#/world'));
  });
  after(() => seen.close());

  test('StandAsBarsAndInTheProgramsWords', async () => {
    const figure = seen.page.getByRole('figure', { name: 'What makes decisions foreseeable' });
    const words = await figure.innerText();
    assert.match(words, /removes \d+% of the uncertainty .* \d+% remains unforeseeable/);
    assert.match(words, /average over all orders/);
    const label = (await figure.getByRole('img').getAttribute('aria-label')) ?? '';
    assert.match(label, /^Foreseen \d+%, unforeseeable \d+%\. Of what is foreseen: belief \d+%; distorted picture \d+%$/);
    await figure.getByRole('button', { name: 'Show as table' }).click();
    assert.match(await figure.innerText(), /remains unforeseeable/);
    assertQuiet(seen);
  });

  test('AreAccessibleAndFitANarrowScreenInBothThemes', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await seen.page.emulateMedia({ colorScheme });
      for (const width of [1280, 390]) {
        await seen.page.setViewportSize({ width, height: 900 });
        await show(seen.page, '#/world');
        assert.deepEqual(await accessibilityFaults(seen.page), []);
        const beyond = await seen.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        assert.ok(beyond <= 0, `${beyond} px wider than the screen`);
      }
    }
  });

  test('AreNotThereUnlessAskedFor', async () => {
    const plain = await visit(fileAddress(makeReport(makeCase('bias', 150)), '#/world'));
    assert.equal(await plain.page.getByRole('figure', { name: 'What makes decisions foreseeable' }).count(), 0);
    await plain.close();
  });
});

describe('a fit with a warning', () => {
  test('SaysSoOnEveryViewHoweverItWasReached', async () => {
    const path = makeReport(makeCase('adni', 200), '--without-groups');
    for (const view of viewNames) {
      const seen = await visit(fileAddress(path, `#/${view}`));
      assert.equal(await seen.page.getByRole('heading', { level: 2 }).first().innerText(), views[view]);
      const banner = seen.page.getByRole('region', { name: 'Warnings about this fit' });
      assert.match(await banner.innerText(), /where the means of "no-mri" and "mri" lie: other places give the same decisions/);
      assertQuiet(seen);
      await seen.close();
    }
  });
});

describe('a model to be doubted', () => {
  const doubted: Record<string, () => Case> = {
    'fails its checks': () => fitted({ ...wardVisits(), name: 'ward-belief', model: file('ward-belief.json') }),
    'was not searched to the end': () =>
      fitted({ ...wardVisits(), name: 'ward-cut', model: file('ward-cut.json') }, '--most-iterations', '1'),
  };
  for (const [why, make] of Object.entries(doubted)) {
    test(`GetsNoTickWhereIt ${why}`, async () => {
      const seen = await visit(fileAddress(makeReport(make()), '#/check'));
      await seen.page.getByRole('heading', { level: 2, name: views.check }).waitFor();
      assert.equal(await seen.page.locator('.verdict.good').count(), 0);
      assert.ok((await seen.page.locator('.verdict.bad').count()) > 0);
      await show(seen.page, '#/start');
      assert.equal(await seen.page.getByRole('img', { name: 'Fine' }).count(), 0);
      assert.ok((await seen.page.getByRole('img', { name: 'Take care' }).count()) > 0);
      assertQuiet(seen);
      await seen.close();
    });
  }

  test('NamesTheChecksThatFailed', async () => {
    const path = makeReport(fitted({ ...wardVisits(), name: 'ward-belief', model: file('ward-belief.json') }));
    const seen = await visit(fileAddress(path, '#/check'));
    const section = seen.page.locator('#model-checks').first();
    await section.waitFor();
    assert.match(await seen.page.locator('main').innerText(), /At step 1, "test" is chosen in/);
    assertQuiet(seen);
    await seen.close();
  });
});

describe('a damaged file', () => {
  test('SaysSoInPlainWords', async () => {
    const path = makeReport(makeCase('bias', 20));
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace(/(id="interpole-data"[^>]*>)[^<]{200}/, '$1'));
    const seen = await visit(fileAddress(path));
    await seen.page.getByRole('heading', { name: 'The data could not be read' }).waitFor();
    assert.ok((await seen.page.getByRole('alert').innerText()).length > 60);
    await seen.close();
  });
});
