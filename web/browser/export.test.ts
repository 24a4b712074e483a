// Every chart is also a table and two files, and the files are what they claim to be.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { isFormula, readCsv } from './csv_reader.ts';
import { addressHas, assertQuiet, closeBrowser, fileAddress, makeCase, makeReport, makeTwoSites, settled, show, visit } from './harness.ts';
import type { Visit } from './harness.ts';

after(closeBrowser);

async function saved(page: Page, button: Locator): Promise<{ name: string; text: string }> {
  await settled(page);
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') };
}

interface Picture {
  trouble: string;
  root: string;
  texts: number;
  shapes: number;
  unresolved: number; // references to what is not in the file
  variables: number;
  scripts: number;
}

// The browser's own reader of XML is strict.
const readSvg = (page: Page, text: string): Promise<Picture> =>
  page.evaluate((source) => {
    const read = new DOMParser().parseFromString(source, 'image/svg+xml');
    const all = [...read.querySelectorAll('*')];
    const references = all.flatMap((one) => [...one.attributes].flatMap(({ value }) => [...value.matchAll(/url\(["']?#([^"')]+)/g)].map((found) => found[1])));
    return {
      trouble: read.querySelector('parsererror')?.textContent ?? '',
      root: read.documentElement.localName,
      texts: read.querySelectorAll('text').length,
      shapes: read.querySelectorAll('path, rect, polygon, circle, line').length,
      unresolved: references.filter((id) => !read.getElementById(id)).length,
      variables: all.filter((one) => [...one.attributes].some(({ value }) => value.includes('var('))).length,
      scripts: read.querySelectorAll('script, foreignObject').length,
    };
  }, text);

// Shows each chart of the view as a table and as a picture again, and saves both its files.
async function checkCharts(page: Page): Promise<string[]> {
  const ids = await page.locator('figure.chart-frame').evaluateAll((all) => all.map((one) => one.id));
  assert.equal(new Set(ids).size, ids.length, `charts share names: ${ids.join(', ')}`);
  for (const id of ids) {
    const figure = page.locator(`figure[id="${id}"]`);
    const csv = await saved(page, figure.getByRole('button', { name: /as a CSV file$/ }).first());
    assert.equal(csv.name, `${id}.csv`);
    const rows = readCsv(csv.text);
    assert.ok(rows.length >= 1 && rows[0].every((title) => title !== ''), `${id}: no titles`);
    // The last column says where the figures came from; the table on the screen does without it.
    assert.equal(rows[0].at(-1), 'Source', id);
    for (const row of rows.slice(1)) assert.match(row.at(-1) ?? '', /^interpole \d.*; data [0-9a-f]{12}/, id);
    assert.doesNotMatch(csv.text, /under 1%|over 99%/, `${id}: words for numbers`);
    assert.deepEqual(rows.flat().filter(isFormula), [], `${id}: formulas`);
    assert.doesNotMatch(csv.text, /NaN|undefined|\[object/);
    const drawing = figure.getByRole('button', { name: /as an SVG file$/ });
    if ((await drawing.count()) > 0 && (await figure.locator('svg').count()) > 0) await checkPicture(page, id, drawing);
    await checkTable(page, id, figure, rows);
  }
  return ids;
}

async function checkPicture(page: Page, id: string, button: Locator): Promise<void> {
  const svg = await saved(page, button);
  assert.equal(svg.name, `${id}.svg`);
  const read = await readSvg(page, svg.text);
  assert.equal(read.trouble, '', `${id}: ${read.trouble}`);
  assert.equal(read.root, 'svg');
  assert.ok(read.texts > 0 && read.shapes > 2, `${id} is empty`);
  assert.deepEqual([read.unresolved, read.variables, read.scripts], [0, 0, 0], id);
}

async function checkTable(page: Page, id: string, figure: Locator, rows: string[][]): Promise<void> {
  await figure.getByRole('button', { name: 'Show as table' }).click();
  await settled(page);
  await addressHas(page, new RegExp(`table=${id}`));
  const shown = figure.getByRole('table');
  assert.equal(await shown.locator('thead th').count(), rows[0].length - 1, id);
  assert.ok((await shown.locator('tbody tr').count()) <= rows.length - 1);
  await figure.getByRole('button', { name: 'Show as picture' }).click();
  await settled(page);
}

describe('charts', () => {
  let seen: Visit;
  const everywhere = new Set<string>();
  before(async () => {
    seen = await visit(fileAddress(makeReport(makeCase('adni', 200), '--without-groups')), { acceptDownloads: true });
  });
  after(() => seen.close());

  for (const place of ['map?lens=ordered', 'patient', 'why?visit=1&changes=1:u', 'flags?flag=belated', 'flags?flag=uninformative', 'cohorts', 'world', 'check']) {
    test(`OfTheView_${place.replace(/\W+/g, '_')}`, async () => {
      await show(seen.page, `#/${place}`);
      for (const id of await checkCharts(seen.page)) everywhere.add(id);
      assertQuiet(seen);
    });
  }
  test('AreThere', () => assert.ok(everywhere.size >= 12, `only ${[...everywhere].join(', ')}`));
  test('NoPictureStandsOutsideAChart', async () => {
    // Small ones are marks in text and tables; the lesson on the first page is told in words beside it.
    for (const place of ['map?lens=ordered', 'patient', 'why', 'flags', 'cohorts', 'world', 'check']) {
      await show(seen.page, `#/${place}`);
      const loose = await seen.page.locator('main svg').evaluateAll((all) => all
        .filter((one) => !one.closest('figure.chart-frame') && one.getBoundingClientRect().height > 60)
        .map((one) => one.getAttribute('aria-label') ?? one.outerHTML.slice(0, 80)));
      assert.deepEqual(loose, [], place);
    }
  });
});

describe('two states, groups', () => {
  test('ChartsOfTheIntervalAndOfGroups', async () => {
    const seen = await visit(fileAddress(makeReport(makeTwoSites(100))), { acceptDownloads: true });
    for (const place of ['map', 'patient', 'cohorts']) {
      await show(seen.page, `#/${place}`);
      await checkCharts(seen.page);
    }
    assertQuiet(seen);
    await seen.close();
  });
});

describe('lists', () => {
  test('AreSavedWholeNotByThePage', async () => {
    const seen = await visit(fileAddress(makeReport(makeCase('adni', 300), '--without-groups'), '#/flags?flag=uninformative&certain=0'), { acceptDownloads: true });
    const { page } = seen;
    const total = Number(/of ([\d,]+)$/.exec((await page.getByText(/^1–25 of /).innerText()).trim())?.[1].replace(',', ''));
    const { text, name } = await saved(page, page.getByRole('button', { name: 'Save “Patients with uninformative tests” as a CSV file' }));
    assert.equal(name, 'uninformative-tests.csv');
    assert.equal(readCsv(text).length, total + 1);
    assertQuiet(seen);
    await seen.close();
  });
});
