// Visits at irregular times: they stand where they happened, beliefs move between them, and what could have been is seen as late
// as what was.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { accessibilityFaults, addressHas, assertQuiet, choose, closeBrowser, file, fileAddress, fitted, makeCase, makeReport, settled, show, viewNames, visit } from './harness.ts';
import type { Visit } from './harness.ts';

let seen: Visit;
let page: Page;
before(async () => {
  const made = makeCase('clinic', 150);
  seen = await visit(fileAddress(makeReport(made), '#/patient?visits=4&visit=0'));
  page = seen.page;
});
after(async () => {
  await seen.close();
  await closeBrowser();
});

const chart = (of: Page = page): Locator => of.getByRole('figure', { name: /^Belief over time/ });
const slider = (): Locator => chart().getByRole('slider');

// Where marks of visits stand below the axis, from left to right.
const marks = async (): Promise<number[]> =>
  chart()
    .locator('.visit-tick')
    .evaluateAll((ticks) => ticks.map((tick) => (tick as SVGGraphicsElement).getBBox().x));

// When each visit was, as the table says.
async function times(): Promise<number[]> {
  const cells = page.getByRole('region', { name: 'Visit by visit' }).locator('tbody tr td:nth-child(2)');
  return (await cells.allInnerTexts()).map(Number);
}

// A record with gaps of more than one length.
async function showIrregular(): Promise<void> {
  await show(page, '#/patient?record=0&visit=0');
  for (let tried = 0; tried < 40; ++tried) {
    const at = await times();
    const gaps = new Set(at.slice(1).map((time, i) => time - at[i]));
    if (at.length >= 5 && gaps.size >= 3) return;
    await show(page, `#/patient?record=${tried + 1}&visit=0`);
  }
  assert.fail('no record with visits at irregular times was found');
}

describe('visits with times', () => {
  test('EveryViewIsShownWithoutComplaint', async () => {
    for (const view of viewNames) {
      await show(page, `#/${view}`);
      await page.getByRole('heading', { level: 2 }).first().waitFor();
    }
    assertQuiet(seen);
  });

  test('VisitsStandWhereTheyHappened', async () => {
    await showIrregular();
    const [at, drawn] = [await times(), await marks()];
    assert.equal(drawn.length, at.length);
    const scale = (drawn.at(-1)! - drawn[0]) / (at.at(-1)! - at[0]);
    at.forEach((time, i) => assert.ok(Math.abs(drawn[i] - drawn[0] - scale * time) < 1, `visit ${i + 1} stands at its time`));
    assert.match(await slider().innerHTML(), /days since the first visit/);
  });

  test('BeliefsMoveBetweenVisits', async () => {
    await showIrregular();
    const path = (await chart().locator('path.course').first().getAttribute('d')) ?? '';
    const xs = [...path.matchAll(/[ML]([\d.]+) /g)].map((match) => Number(match[1]));
    const at = await marks();
    const between = xs.filter((x) => at.every((mark) => Math.abs(mark - x) > 0.5));
    assert.ok(between.length >= 10, `${between.length} points between visits`);
    // What was seen at a visit moves the belief at once.
    const upright = xs.filter((x, i) => i > 0 && Math.abs(x - xs[i - 1]) < 0.1);
    assert.equal(upright.length, at.length - 1);
  });

  test('KeysStepThroughVisitsAndTheTimeIsSaid', async () => {
    await showIrregular();
    const at = await times();
    await slider().focus();
    await page.keyboard.press('ArrowRight');
    await settled(page);
    const said = (await slider().getAttribute('aria-valuetext')) ?? '';
    assert.ok(said.startsWith(`2, ${at[1]} day`), said);
    await addressHas(page, /visit=1/);
    assert.match(await page.getByRole('region', { name: 'The chosen visit' }).innerText(), new RegExp(`, ${at[1]} days? earlier\\)`));
  });

  test('VisitsCanStandSideBySideInstead', async () => {
    await showIrregular();
    await choose(page, 'Visit by visit');
    assert.equal((await marks()).length, 0);
    await addressHas(page, /axis=visits/);
    await choose(page, 'In time');
    assert.ok((await marks()).length > 0);
    await choose(page, 'Stacked');
    await settled(page);
    assert.ok((await marks()).length > 0);
    await choose(page, 'Lines');
    assertQuiet(seen);
  });

  test('TheFiguresBehindItHaveTheTime', async () => {
    await showIrregular();
    const at = await times();
    await chart().getByRole('button', { name: 'Show as table' }).click();
    await settled(page);
    const cells = await chart().locator('table tbody tr > :nth-child(2)').allInnerTexts();
    assert.deepEqual(cells.map(Number), at);
    await chart().getByRole('button', { name: 'Show as picture' }).click();
  });

  test('WhatIfIsSeenAsLateAsWhatWas', async () => {
    await showIrregular();
    const at = await times();
    const record = /record=(\d+)/.exec(page.url())?.[1] ?? '0';
    await show(page, `#/why?record=${record}&visit=1`);
    assert.match(await page.getByRole('region', { name: 'The move' }).innerText(), new RegExp(`, ${at[2] - at[1]} days? later`));
    await show(page, `#/why?record=${record}&visit=1&changes=1:u`);
    const ghosts = chart().locator('path[stroke-dasharray="5 4"]').first();
    const points = [...((await ghosts.getAttribute('d')) ?? '').matchAll(/[ML]/g)].length;
    assert.ok(points > 8, `${points} points: the other path drifts too`);
    assertQuiet(seen);
  });

  test('HowPatientsChangeIsToldForATypicalGap', async () => {
    await show(page, '#/map?arrows=0');
    assert.match(await page.locator('dl.key').innerText(), /how often a patient’s state changes in \d+ days, as learned/);
  });

  test('AccessibilityHasNoFaults', async () => {
    for (const theme of ['light', 'dark']) {
      await show(page, `#/patient?record=0&visit=0&theme=${theme}`);
      assert.deepEqual(await accessibilityFaults(page), [], theme);
    }
    await show(page, '#/patient?theme=light');
  });

  test('ASmallScreenDoesNotScrollSideways', async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    for (const view of ['patient', 'why', 'flags']) {
      await show(page, `#/${view}`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(wide <= 0, `${view}: ${wide} px too wide`);
    }
    await page.setViewportSize({ width: 1280, height: 900 });
  });
});

describe('two models of visits with times', () => {
  test('DriftSideBySide', async () => {
    const coupled = makeCase('clinic', 80);
    const shared = fitted({ ...coupled, name: 'clinic-shared', model: file('clinic-shared.json') }, '--dynamics', 'shared');
    const both = await visit(fileAddress(makeReport({ ...coupled, name: 'clinic-two' }, '--beside', shared.model), '#/beside'));
    const shown = both.page.locator('path[stroke-dasharray="5 4"]').first();
    await shown.waitFor();
    assert.ok([...((await shown.getAttribute('d')) ?? '').matchAll(/[ML]/g)].length > 8);
    assertQuiet(both);
    await both.close();
  });
});
