// Measured factors: values in their units, sliders that move belief and policy as they move, densities, thresholds to search by.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { accessibilityFaults, addressHas, addressRests, assertQuiet, closeBrowser, file, fileAddress, fitted, makeCase, makeReport, settled, show, viewNames, visit } from './harness.ts';
import type { Visit } from './harness.ts';

let seen: Visit;
let page: Page;
before(async () => {
  seen = await visit(fileAddress(makeReport(makeCase('vitals', 120)), '#/patient'));
  page = seen.page;
});
after(async () => {
  await seen.close();
  await closeBrowser();
});

const factor = (name: string) => page.locator(`[data-factor="${name}"]`);
const slider = (name: string) => factor(name).getByRole('slider');
const shown = (name: string) => factor(name).locator('output').innerText();
const whatIf = () => page.getByRole('figure', { name: 'The next decisions' }).innerText();

// A visit at which a lactate was recorded.
async function showMeasured(): Promise<void> {
  await show(page, '#/why?done=1&result=1.%3E1&visit=0');
  for (let at = 0; at < 40; ++at) {
    if ((await factor('lactate').count()) > 0 && (await shown('lactate')) !== 'not measured') return;
    await page.keyboard.press('ArrowRight');
    await settled(page);
    if (at % 9 === 8) {
      await page.keyboard.press('ArrowDown');
      await settled(page);
    }
  }
  assert.fail('no visit with a lactate was found');
}

describe('measured factors', () => {
  test('EveryViewIsShownWithoutComplaint', async () => {
    for (const view of viewNames) {
      await show(page, `#/${view}`);
      await page.getByRole('heading', { level: 2 }).first().waitFor();
    }
    assertQuiet(seen);
  });

  test('ValuesStandInTheirUnits', async () => {
    await show(page, '#/patient');
    const table = await page.getByRole('region', { name: 'Visit by visit' }).innerText();
    assert.match(table, /pressure \d+(\.\d+)? mmHg/);
    assert.match(table, /breaths \d+ per minute/);
  });

  test('ASliderMovesBeliefAndPolicyAndTheAddressHasIt', async () => {
    await showMeasured();
    const [value, decisions] = [await shown('lactate'), await whatIf()];
    await slider('lactate').focus();
    for (let i = 0; i < 40; ++i) await page.keyboard.press('ArrowRight');
    await settled(page);
    const moved = await shown('lactate');
    assert.notEqual(moved, value);
    assert.match(moved, /^[\d.]+ mmol\/L$/);
    assert.notEqual(await whatIf(), decisions, 'the next decision moves with the value');
    await addressHas(page, /changes=/);
    await addressRests(page);
    // The address brings it back.
    const again = await whatIf();
    await page.reload();
    await page.getByRole('heading', { level: 2 }).first().waitFor();
    await settled(page);
    assert.equal(await shown('lactate'), moved);
    assert.equal(await whatIf(), again);
    await factor('lactate').getByRole('button', { name: /back to what was recorded/ }).click();
    await settled(page);
    assert.equal(await shown('lactate'), value);
    assert.equal(await whatIf(), decisions);
  });

  test('AValueCanBeTypedOrLeftOut', async () => {
    await showMeasured();
    await factor('lactate').getByRole('spinbutton').fill('2.1');
    await page.keyboard.press('Enter');
    await settled(page);
    assert.equal(await shown('lactate'), '2.1 mmol/L');
    // What the family does not know is not taken.
    await factor('lactate').getByRole('spinbutton').fill('-3');
    await page.keyboard.press('Enter');
    await settled(page);
    assert.equal(await shown('lactate'), '2.1 mmol/L');
    await factor('lactate').getByRole('button', { name: 'lactate not measured' }).click();
    await settled(page);
    assert.equal(await shown('lactate'), 'not measured');
    assertQuiet(seen);
  });

  test('DensitiesOfEveryFactorHaveTheirFiguresAsATable', async () => {
    await show(page, '#/world');
    for (const name of ['pressure, mmHg', 'lactate, mmol/L', 'breaths, per minute']) {
      const chart = page.getByRole('figure', { name, exact: true });
      assert.match((await chart.getByRole('img').getAttribute('aria-label')) ?? '', /stable: .*shock: /);
    }
    const lactate = page.getByRole('figure', { name: 'lactate, mmol/L', exact: true });
    await lactate.getByRole('button', { name: 'Show as table' }).click();
    await settled(page);
    assert.match(await lactate.innerText(), /agent: median/);
  });

  test('VisitsAreFoundByAThreshold', async () => {
    await show(page, '#/patient');
    await page.getByText('By what happened at a visit').click();
    const select = page.getByRole('combobox', { name: /^Came of it/ });
    const option = (await select.locator('option').allInnerTexts()).find((text) => /lactate at least/.test(text));
    assert.ok(option, 'thresholds of lactate are offered');
    await select.selectOption({ label: option });
    await settled(page);
    await addressHas(page, /result=1/);
    assertQuiet(seen);
  });

  test('AccessibilityHasNoFaults', async () => {
    await showMeasured();
    assert.deepEqual(await accessibilityFaults(page), []);
    await show(page, '#/world');
    assert.deepEqual(await accessibilityFaults(page), []);
  });

  test('ASmallScreenDoesNotScrollSideways', async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    for (const view of ['why', 'world', 'patient']) {
      await show(page, `#/${view}`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(wide <= 0, `${view}: ${wide} px too wide`);
    }
  });
});

describe('two models of measured factors', () => {
  test('AreShownSideBySide', async () => {
    const coupled = makeCase('vitals', 60);
    const shared = fitted({ ...coupled, name: 'vitals-shared', model: file('vitals-shared.json') }, '--dynamics', 'shared');
    const both = await visit(fileAddress(makeReport({ ...coupled, name: 'vitals-two' }, '--beside', shared.model), '#/beside'));
    for (const name of ['Coupled', 'Shared']) await both.page.getByRole('heading', { level: 3, name, exact: true }).waitFor();
    assertQuiet(both);
    await both.close();
  });
});
