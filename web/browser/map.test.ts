// The policy map: dragging means, reading beliefs, layouts, what lies where, and why the line runs where it runs.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { addressHas, addressRests, assertQuiet, choose, closeBrowser, fileAddress, makeCase, makeReport, settled, show, visit } from './harness.ts';
import type { Visit } from './harness.ts';
import { ownCase } from './own_study.ts';

after(closeBrowser);

const map = (page: Page) => page.locator('#policy-map');
const picture = (page: Page) => map(page).getByRole('group', { name: 'Policy map' });
const crosshair = (page: Page) => page.getByRole('slider', { name: /^Cross-hair/ });
const card = (page: Page, name: string) => page.locator('section', { has: page.getByRole('heading', { name }) });
const regions = (page: Page) => picture(page).locator('polygon[fill^="var(--action-"]').evaluateAll((all) => all.map((one) => one.getAttribute('points')));
const figures = async (at: Locator) => (await at.innerText()).match(/\d+(?=%)/g)?.map(Number) ?? [];

function opened(make: () => string, use: (get: () => Visit) => void): void {
  let seen: Visit;
  before(async () => {
    seen = await visit(fileAddress(make(), '#/map'));
  });
  after(() => seen.close());
  use(() => seen);
}

describe('three states', () => {
  opened(() => makeReport(makeCase('adni', 200), '--without-groups'), (get) => {
    let page: Page;
    beforeEach(async () => {
      page = get().page;
      await show(page, '#/map');
    });

    async function assertHypothetical(move: () => Promise<void>): Promise<void> {
      const counts = card(page, 'The visits on record');
      const [before, likely, drawn] = [await counts.innerText(), await card(page, 'At the first visit').innerText(), await regions(page)];
      await move();
      const banner = page.getByRole('region', { name: 'Hypothetical policy' });
      await banner.waitFor();
      assert.notDeepEqual(await regions(page), drawn, 'regions did not move');
      assert.notEqual(await card(page, 'At the first visit').innerText(), likely, 'probabilities did not change');
      const flags = await counts.getByRole('row', { name: /Uninformative|Belated/ }).allInnerTexts();
      assert.ok(flags.some((row) => new Set(row.match(/< \d+|\d+/g)).size === 2), `flags did not change: ${flags.join('; ')}`);
      // A reader who goes on to another view is still told.
      await page.locator('nav a[data-view="flags"]').click();
      await page.getByRole('heading', { level: 2, name: 'Flags' }).waitFor();
      assert.ok(await banner.isVisible());
      await page.locator('nav a[data-view="map"]').click();
      await picture(page).waitFor();
      await banner.getByRole('button', { name: 'Back to the fitted policy' }).click();
      await banner.waitFor({ state: 'detached' });
      assert.equal(await counts.innerText(), before);
      assert.deepEqual(await regions(page), drawn);
      assertQuiet(get());
    }

    test('AMeanDraggedByMouseChangesProbabilitiesAndFlagsUntilReset', async () => {
      await assertHypothetical(async () => {
        const handle = page.getByRole('slider', { name: 'Mean of mri.' });
        const box = await handle.locator('circle').first().boundingBox();
        assert.ok(box);
        const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
        await page.mouse.move(x, y);
        await page.mouse.down();
        const sheet = await picture(page).boundingBox();
        assert.ok(sheet);
        await page.mouse.move(sheet.x + 0.45 * sheet.width, sheet.y + 0.75 * sheet.height, { steps: 8 });
        await page.mouse.up();
        await page.mouse.move(5, 5);
      });
    });

    test('ALineDraggedMovesAndIsThereAfterAReload', async () => {
      await show(page, '#/map');
      const line = page.getByRole('button', { name: /^Boundary between/ }).first();
      const name = (await line.getAttribute('aria-label')) ?? '';
      const place = () => line.getAttribute('d');
      await page.setViewportSize({ width: 1280, height: 1400 });
      const before = await place();
      const [x, y] = await line.evaluate((path) => {
        const middle = (path as SVGPathElement).getPointAtLength((path as SVGPathElement).getTotalLength() / 2);
        const at = middle.matrixTransform((path as SVGPathElement).getScreenCTM() ?? undefined);
        return [at.x, at.y];
      });
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + 30, y - 12, { steps: 6 });
      await page.mouse.up();
      await page.getByRole('region', { name: 'Hypothetical policy' }).waitFor();
      await addressHas(page, /means=/);
      await addressRests(page);
      const moved = await place();
      assert.notEqual(moved, before);
      assert.equal(await page.getByRole('heading', { name: /^The line between/ }).count(), 0, 'dragging is no click');
      await page.reload();
      await line.waitFor();
      await settled(page);
      const numbers = (text: string | null) => (text ?? '').match(/-?[\d.]+/g)?.map(Number) ?? [];
      numbers(await place()).forEach((number, i) => assert.ok(Math.abs(number - numbers(moved)[i]) < 0.5));
      // Arrow keys move it too; a press alone explains it.
      await page.getByRole('button', { name }).focus();
      await page.keyboard.press('ArrowLeft');
      await settled(page);
      assert.notEqual(await place(), moved);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: /^The line between/ }).waitFor();
      await page.getByRole('button', { name: 'Back to the fitted policy' }).click();
      await settled(page);
      assert.equal(await place(), before);
      await page.setViewportSize({ width: 1280, height: 900 });
      assertQuiet(get());
    });

    test('AMeanMovedByArrowKeysDoesTheSame', async () => {
      await assertHypothetical(async () => {
        const handle = page.getByRole('slider', { name: 'Mean of mri.' });
        const words = await handle.getAttribute('aria-valuetext');
        await handle.focus();
        for (let step = 0; step < 60; ++step) await page.keyboard.press('ArrowLeft');
        assert.notEqual(await handle.getAttribute('aria-valuetext'), words);
        await page.evaluate(() => (document.activeElement as HTMLElement).blur());
      });
    });

    test('TheCrossHairReadsABeliefByKeyboard', async () => {
      await crosshair(page).focus();
      await page.keyboard.press('ArrowUp');
      const panel = card(page, 'Under the cross-hair');
      const first = await figures(panel.locator('ul').first());
      for (let step = 0; step < 6; ++step) await page.keyboard.press('ArrowRight');
      const second = await figures(panel.locator('ul').first());
      assert.notDeepEqual(second, first);
      assert.ok(Math.abs(second.reduce((sum, one) => sum + one, 0) - 100) <= 2, `a belief of ${second.join(' + ')}%`);
      assert.match((await crosshair(page).getAttribute('aria-valuetext')) ?? '', /NL.*MCI.*Dementia/s);
      assert.equal(await picture(page).locator('g.crosshair, g.cross').count(), 1);
      await page.keyboard.press('Escape');
      await card(page, 'At the first visit').waitFor();
    });

    test('TheCrossHairFollowsThePointerAndAClickKeepsIt', async () => {
      await picture(page).evaluate((one) => one.scrollIntoView({ block: 'center' })); // a banner may push it down
      const box = await picture(page).boundingBox();
      assert.ok(box);
      await page.mouse.move(box.x + 0.5 * box.width, box.y + 0.6 * box.height);
      const there = await card(page, 'Under the cross-hair').innerText();
      await page.mouse.click(box.x + 0.5 * box.width, box.y + 0.6 * box.height);
      await page.mouse.move(5, 5);
      assert.equal(await card(page, 'Under the cross-hair').innerText(), there);
    });

    test('LayoutsAreChosenAndStandInTheAddress', async () => {
      await crosshair(page).press('Escape');
      const look = async () => JSON.stringify([await regions(page), await picture(page).locator('text').allTextContents()]);
      const drawn = new Set([await look()]);
      for (const [name, word] of [['Right-angled', 'right'], ['Two states + rest', 'two'], ['Interval', 'interval'], ['Triangle', 'triangle']]) {
        await choose(page, name);
        await addressHas(page, new RegExp(`layout=${word}`));
        drawn.add(await look());
      }
      assert.equal(drawn.size, 4);
      assertQuiet(get());
    });

    test('SidesHaveScalesAndAreCalledMixtures', async () => {
      const texts = await picture(page).locator('text').allTextContents();
      for (const pair of ['NL–MCI', 'MCI–Dementia', 'NL–Dementia']) assert.ok(texts.some((text) => text.startsWith(`${pair} mixtures`)), pair);
      for (const tick of ['20%', '40%', '60%', '80%']) assert.ok(texts.filter((text) => text === tick).length >= 3, tick);
    });

    test('ZoomsByKeysAndButtonsAndPansByDragging', async () => {
      const zoom = () => map(page).locator('[data-zoom]').getAttribute('data-zoom');
      assert.equal(await zoom(), '1');
      await crosshair(page).focus();
      await page.keyboard.press('+');
      await page.getByRole('button', { name: 'Zoom in' }).click();
      assert.ok(Number(await zoom()) > 2);
      const before = await regions(page);
      const box = await picture(page).boundingBox();
      assert.ok(box);
      await page.mouse.move(box.x + 60, box.y + 60);
      await page.mouse.down();
      await page.mouse.move(box.x + 160, box.y + 120, { steps: 5 });
      await page.mouse.up();
      assert.notDeepEqual(await regions(page), before);
      await page.getByRole('button', { name: 'All', exact: true }).click();
      assert.equal(await zoom(), '1');
    });

    test('TheBoundaryIsExplainedAsHalfWayBetweenTwoMeans', async () => {
      await page.getByRole('button', { name: /^Boundary between no-mri and mri/ }).focus();
      await page.keyboard.press('Enter');
      const words = await card(page, 'The line between').innerText();
      assert.match(words, /half-way between the two means/);
      assert.match(words, /95% interval \d+% to \d+%/);
      await page.getByRole('button', { name: 'Close' }).click();
    });

    test('DataTransitionsFadingAndTheOrderedLensAreShownOnDemand', async () => {
      const paths = async () => picture(page).innerHTML();
      for (const turn of [
        () => choose(page, 'None'),
        () => choose(page, 'Density'),
        () => page.getByLabel('How patients change').selectOption({ label: 'Arrows: after mri' }),
        () => page.getByRole('checkbox', { name: /^Fade/ }).uncheck(),
      ]) {
        const before = await paths();
        await turn();
        await settled(page);
        assert.notEqual(await paths(), before);
      }
      await page.getByRole('checkbox', { name: /^Also along one line: NL → MCI → Dementia/ }).check();
      await page.getByRole('img', { name: 'Visits along NL, MCI, Dementia' }).waitFor();
      assertQuiet(get());
    });
  });
});

describe('two states', () => {
  opened(() => makeReport(makeCase('bias', 100)), (get) => {
    test('AnIntervalWithHandlesThatMoveTheBoundary', async () => {
      const page = get().page;
      assert.equal(await page.getByRole('radio', { name: 'Triangle' }).count(), 0);
      const before = await picture(page).innerHTML();
      await page.getByRole('slider', { name: 'Mean of declare-healthy.' }).focus();
      for (let step = 0; step < 10; ++step) await page.keyboard.press('ArrowRight');
      await page.getByRole('region', { name: 'Hypothetical policy' }).waitFor();
      assert.notEqual(await picture(page).innerHTML(), before);
      assertQuiet(get());
    });
  });
});

describe('more than belief', () => {
  opened(() => makeReport(makeCase('ward', 400)), (get) => {
    test('TheMapIsDrawnInTheContextAskedFor', async () => {
      const page = get().page;
      const status = page.getByRole('group', { name: /^Context/ }).getByRole('status');
      assert.match(await status.innerText(), /by belief alone/);
      const alone = await picture(page).innerHTML();
      await page.getByRole('combobox', { name: 'Step' }).selectOption('Step 1');
      await settled(page);
      await addressHas(page, /step=0/);
      assert.match(await status.innerText(), /at step 1/);
      assert.ok(await page.getByRole('combobox', { name: 'Last action' }).isDisabled());
      const first = await picture(page).innerHTML();
      assert.notEqual(first, alone);
      await page.getByRole('combobox', { name: 'Step' }).selectOption('Left out');
      await page.getByRole('combobox', { name: 'Last action' }).selectOption('After wait');
      await settled(page);
      await addressHas(page, /after=0/);
      assert.ok(![alone, first].includes(await picture(page).innerHTML()));
      await page.getByRole('combobox', { name: 'Last action' }).selectOption('Left out');
      await settled(page);
      assert.equal(await picture(page).innerHTML(), alone);
      assertQuiet(get());
    });

    test('WhatDecisionsFollowBesideBeliefsIsToldInWords', async () => {
      const page = get().page;
      const told = await page.getByRole('region', { name: 'What decisions follow beside beliefs' }).innerText();
      assert.match(told, /At step 1, the odds of "test" are/);
      assert.doesNotMatch(told, /north|south|east/);
      assertQuiet(get());
    });
  });
});

describe('four and five states', () => {
  const four = { name: 'four', states: ['a', 'b', 'c', 'd'], actions: ['wait', 'test', 'treat'], observations: ['w', 'x', 'y', 'z'] };
  const make = { four: () => makeReport(ownCase({ ...four, patients: Array.from({ length: 60 }, (_, i) => `p${i}`), visits: 6 })), five: () => makeReport(makeCase('tree', 100)) };
  for (const [name, panels] of [['four', 4], ['five', 10]] as const) {
    describe(name, () => {
      opened(make[name], (get) => {
        test('FacesAndTwoStatesPlusRest', async () => {
          const page = get().page;
          const faces = await picture(page).locator('.outline').count();
          assert.ok(faces >= 3 && faces <= panels, `${faces} faces`);
          await choose(page, 'Two states + rest');
          assert.equal(await picture(page).locator('.outline').count(), 1);
          const before = await regions(page);
          await page.getByLabel('States of interest').selectOption({ index: 2 });
          await settled(page);
          assert.notDeepEqual(await regions(page), before);
          await addressHas(page, /focus=/);
          assertQuiet(get());
        });
      });
    });
  }
});
