// What the page is set to is in the address: a reload shows the same, for every control of every view.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { addressHas, assertQuiet, choose, closeBrowser, fileAddress, makeCase, makeReport, settled, show, viewNames, visit } from './harness.ts';
import type { Visit } from './harness.ts';

let seen: Visit;
let page: Page;
let report: string;
before(async () => {
  const made = makeCase('adni', 200);
  report = makeReport(made, '--without-groups', '--beside', made.model);
  seen = await visit(fileAddress(report));
  page = seen.page;
});
after(async () => {
  await seen.close();
  await closeBrowser();
});

// Every select, radio button, checkbox, slider and search field in sight, and what it is set to.
const controls = () =>
  page.locator('main').evaluate((main) =>
    [...main.querySelectorAll<HTMLInputElement | HTMLSelectElement>('select, input')]
      .map((control) => `${control.labels?.[0]?.textContent?.trim() ?? control.getAttribute('aria-label') ?? ''} = ${control instanceof HTMLInputElement && ['checkbox', 'radio'].includes(control.type) ? control.checked : control.value}`));

async function assertRestored(): Promise<void> {
  await page.waitForTimeout(300); // the address follows sliders a moment later
  const [before, address] = [await controls(), page.url()];
  await page.reload();
  await page.getByRole('heading', { level: 2 }).first().waitFor();
  await settled(page);
  assert.deepEqual(await controls(), before);
  assert.equal(page.url(), address);
  assertQuiet(seen);
}

describe('after a reload', () => {
  beforeEach(() => show(page, '#/start'));

  test('TheMapIsDrawnAsItWas', async () => {
    await show(page, '#/map');
    await choose(page, 'Right-angled');
    await choose(page, 'Density');
    await page.getByLabel('How patients change').selectOption({ index: 1 });
    await page.getByLabel('Fade where nobody').uncheck();
    await page.getByLabel('Also along one line').check();
    await addressHas(page, /layout=right.*|.*fade=no.*/);
    await assertRestored();
    assert.match(page.url(), /layout=right/);
  });

  test('TheSearchForPatientsAndTheChosenVisitAreTheSame', async () => {
    await show(page, '#/patient');
    await page.getByText('By what happened at a visit').click();
    await page.getByLabel('Done').selectOption('1');
    await page.getByLabel('Believed before it').selectOption({ index: 2 });
    await page.getByLabel('Length').selectOption('2-4');
    await page.getByRole('option', { name: /^Patient/ }).first().click();
    await choose(page, 'Stacked');
    const listed = await page.locator('.picker [role="status"]').innerText();
    assert.match(listed, /^\d+ of \d+ patients/);
    const visitShown = await page.getByRole('region', { name: 'The chosen visit' }).innerText();
    await assertRestored();
    assert.equal(await page.locator('.picker [role="status"]').innerText(), listed);
    assert.equal(await page.getByRole('region', { name: 'The chosen visit' }).innerText(), visitShown);
  });

  test('WhatIfStaysAsAsked', async () => {
    await show(page, '#/why?record=3');
    await choose(page, 'Probability');
    await page.getByLabel('Mark them beside the path').check();
    await assertRestored();
  });

  test('ThresholdsAndSortingStay', async () => {
    await show(page, '#/flags');
    await page.getByRole('slider').first().focus();
    for (let i = 0; i < 3; ++i) await page.keyboard.press('ArrowLeft');
    await page.waitForTimeout(500);
    const heads = page.locator('table thead button');
    if ((await heads.count()) > 0) await heads.first().click();
    const rows = await page.locator('table tbody').first().innerText();
    await assertRestored();
    // Certainties, and which rows have enough of it, come after the page.
    await page.waitForFunction((text) => document.querySelector<HTMLElement>('table tbody')?.innerText === text, rows);
  });

  test('ABannerThatWasPutAwayStaysAway', async () => {
    const banner = page.getByRole('region', { name: 'Warnings about this fit' });
    if ((await banner.count()) === 0) return; // this fit has none
    await banner.getByRole('button', { name: 'Put away' }).click();
    await banner.waitFor({ state: 'hidden' });
    await page.locator('nav a[data-view="map"]').click();
    assert.equal(await banner.isVisible(), false);
    await assertRestored();
    assert.equal(await banner.isVisible(), false);
    await page.getByRole('button', { name: /warnings? about this fit/ }).click();
    await banner.waitFor();
    // Paper has it in any case.
    await banner.getByRole('button', { name: 'Put away' }).click();
    await page.emulateMedia({ media: 'print' });
    assert.equal(await banner.isVisible(), true);
    await page.emulateMedia({ media: 'screen' });
  });
});

// Everything a reader can set, and what it is set to: fields, buttons that stay pressed, tabs, sorted columns, what is folded,
// cross-hairs and zooms.
const everyControl = 'select, input, summary, [aria-pressed], [role="tab"], th button.sort, svg [role="slider"], .simplex[data-zoom] .zoom button';
const settings = () =>
  page.locator('main').evaluate((main, all) =>
    [...main.querySelectorAll(all)].map((control) => {
      const name = control.getAttribute('aria-label') ?? control.textContent?.trim() ?? '';
      if (control instanceof HTMLInputElement && ['checkbox', 'radio'].includes(control.type)) return `${control.labels?.[0]?.textContent?.trim()} ${control.checked}`;
      if (control instanceof HTMLInputElement || control instanceof HTMLSelectElement) return `${control.labels?.[0]?.textContent?.trim()} ${control.value}`;
      if (control.matches('summary')) return `${name} ${control.parentElement?.hasAttribute('open')}`;
      if (control.matches('th button')) return `${name} ${control.closest('th')?.getAttribute('aria-sort')}`;
      const zoom = control.closest('[data-zoom]')?.getAttribute('data-zoom') ?? '';
      return [name, control.getAttribute('aria-pressed'), control.getAttribute('aria-selected'), control.getAttribute('aria-valuetext'), zoom && Number(zoom).toFixed(3)].join(' ');
    }), everyControl);

// Sets the control to something else, as a reader would; false: it cannot be.
async function change(place: number): Promise<boolean> {
  const control = page.locator('main').locator(everyControl).nth(place);
  if (!(await control.isVisible()) && (await control.getAttribute('type')) !== 'radio') return false;
  if (!(await control.isEnabled())) return false;
  const kind = await control.evaluate((one) => (one instanceof HTMLInputElement ? one.type : one.getAttribute('role') === 'slider' ? 'slider' : one.tagName.toLowerCase()));
  if (kind === 'select') {
    const others = await control.evaluate((one) => [...(one as HTMLSelectElement).options].filter((option) => !option.selected && !option.disabled).map(({ value }) => value));
    if (others.length === 0) return false;
    await control.selectOption(others[others.length - 1]);
  } else if (kind === 'radio' || kind === 'checkbox') {
    if (kind === 'radio' && (await control.isChecked())) return false;
    await control.locator('xpath=ancestor::label[1]').click();
  } else if (kind === 'range' || kind === 'slider') {
    await control.focus();
    for (let i = 0; i < 3; ++i) await page.keyboard.press(i === 0 ? 'ArrowLeft' : 'ArrowRight');
  } else if (kind === 'search' || kind === 'text') {
    await control.fill('1');
  } else {
    await control.click();
  }
  await page.waitForTimeout(250); // the address follows sliders a moment later
  return true;
}

describe('every control stays as it was set', () => {
  const places = { ...Object.fromEntries(viewNames.map((view) => [view, view])), patient: 'patient?folds=search', why: 'why?record=3&visit=1' };
  for (const view of [...Object.values(places), 'beside', 'flags?flag=uninformative', 'flags?flag=unlikely']) {
    test(`In_${view}`, async () => {
      const own = fileAddress(report, `#/${view}`);
      const anew = async (address: string) => {
        await page.goto('about:blank');
        await page.goto(address);
        await page.getByRole('heading', { level: 2 }).first().waitFor();
        await settled(page);
      };
      await anew(own);
      const usual = await settings();
      let changed = 0;
      for (let place = 0; place < usual.length; ++place) {
        if (!(await change(place))) continue;
        const set = await settings();
        const address = page.url();
        ++changed;
        await anew(address);
        // Certainties of flags, and which rows have enough of it, come after the page.
        let shown = await settings();
        for (let wait = 0; wait < 20 && JSON.stringify(shown) !== JSON.stringify(set); ++wait) {
          await page.waitForTimeout(150);
          shown = await settings();
        }
        assert.deepEqual(shown, set, `${usual[place]} (${place}) at ${address}`);
        await show(page, `#/${view}`);
      }
      assert.ok(changed > 0 || ['start', 'check'].includes(view), 'nothing could be set');
      assertQuiet(seen);
    });
  }
});

describe('a visit', () => {
  test('KeepsWhatWasSeenBeforeApartFromWhatCameOfIt', async () => {
    await show(page, '#/patient?record=0&visit=1');
    const card = page.getByRole('region', { name: 'The chosen visit' });
    const before = await card.getByRole('region', { name: 'Seen before this decision' }).innerText();
    const came = await card.getByRole('region', { name: 'Decided, and what came of it' }).innerText();
    assert.match(before, /Visit 1\)/, 'the result of the visit before, and where it comes from');
    assert.match(before, /\d+% \[\d+, \d+\]/, 'beliefs have intervals');
    assert.match(came, /Came of it/);
    await show(page, '#/patient?record=0&visit=0');
    assert.match(await card.getByRole('region', { name: 'Seen before this decision' }).innerText(), /Nothing yet: the record begins here/);
  });

  test('IsFoundFromTheMap', async () => {
    await show(page, '#/map');
    await page.getByRole('group', { name: 'Policy map' }).focus();
    await page.getByRole('slider', { name: /^Cross-hair/ }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('link', { name: 'Patients whose belief came near' }).click();
    await page.getByRole('heading', { level: 2, name: 'Patient' }).waitFor();
    assert.match(page.url(), /at=/);
    assert.match(await page.locator('.picker [role="status"]').innerText(), /of \d+ patients/);
    assertQuiet(seen);
  });
});
