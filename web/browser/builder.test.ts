// From a table to the explorer without a file to edit: the study builder of `interpole serve`, by mouse and by keyboard.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { accessibilityFaults, choose, closeBrowser, file, interpole, serveWith, settled, show, visit } from './harness.ts';
import type { Server, Visit } from './harness.ts';

// As a clinic's spreadsheet saves it: what lay on the desk, then what was decided.
function clinicTable(patients: number): string {
  let state = 7;
  const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  const comma = (x: number) => x.toFixed(1).replace('.', ',');
  const two = (x: number) => String(x).padStart(2, '0');
  const rows = ['Patient;Datum;HbA1c;Gewicht;Therapie;Notiz'];
  for (let p = 1; p <= patients; ++p) {
    let ill = random() < 0.4;
    let belief = 0.4;
    for (let v = 0; v < 6; ++v) {
      const x = (ill ? 1.6 : 0) + (random() + random() + random() - 1.5) * 1.6;
      const odds = Math.exp(2 * (x - 0.8));
      belief = (belief * odds) / (belief * odds + 1 - belief);
      const treat = random() < 1 / (1 + Math.exp(-8 * (belief - 0.5)));
      rows.push([p, `${two(1 + (p % 27))}.${two(1 + 2 * v)}.2024`, comma(6.4 + x), comma(60 + (p % 40) + x), treat ? 'Insulin' : 'abwarten', `Notiz ${p}-${v}`].join(';'));
      ill = random() < (ill ? (treat ? 0.55 : 0.85) : 0.15);
      belief = belief * (treat ? 0.55 : 0.85) + (1 - belief) * 0.15;
    }
  }
  return `${rows.join('\n')}\n`;
}

const table = file('Meine Ambulanz.csv');
let server: Server;
let seen: Visit;
let page: Page;
before(async () => {
  writeFileSync(table, clinicTable(90));
  server = await serveWith('--quiet');
  seen = await visit(server.address);
  page = seen.page;
});
after(async () => {
  await seen.close();
  await closeBrowser();
  await server.stop();
});

const card = (title: string | RegExp) => page.locator('section', { has: page.getByRole('heading', { name: title }) });
const kept = () => card('What is kept of the table');
const role = (column: string) => page.getByLabel(`Role of ${column}`);
// The program has answered the last change.
const answered = async () => {
  await page.waitForTimeout(450); // it waits for further changes before it asks
  await page.waitForFunction(() => document.querySelector('[aria-busy="false"] [role="status"], [aria-busy="false"] [role="alert"]'));
  await settled(page);
};
const assertAtHome = () => {
  assert.deepEqual(seen.complaints, []);
  assert.deepEqual(seen.requests.filter((address) => !address.startsWith(`${new URL(server.address).origin}/`)), []);
};

describe('the study builder', () => {
  test('AsksForATable', async () => {
    await page.getByRole('heading', { level: 2, name: 'From your table to a study' }).waitFor();
    assert.equal(await page.getByRole('navigation').count(), 0, 'there is nothing to explore yet');
    assert.deepEqual(await accessibilityFaults(page), []);
  });

  test('SaysWhatIsWrongWithAFileThatIsNoTable', async () => {
    await page.getByLabel('A table (or drop it here)').setInputFiles({ name: 'x.csv', mimeType: 'text/csv', buffer: Buffer.from('only,a,header\n') });
    await page.getByRole('alert').waitFor();
    assert.match(await page.getByRole('alert').innerText(), /^x\.csv: there are no rows/);
    seen.complaints.length = 0; // the browser notes the refusal
  });

  test('GuessesTheColumnsOfOne', async () => {
    await page.getByLabel('A table (or drop it here)').setInputFiles(table);
    await page.getByRole('heading', { name: 'Meine_Ambulanz.csv' }).waitFor();
    await answered();
    assert.equal(await role('Patient').inputValue(), 'id');
    assert.equal(await role('Datum').inputValue(), 'order');
    assert.equal(await role('Therapie').inputValue(), 'action');
    assert.equal(await role('HbA1c').inputValue(), 'before');
    assert.match(await kept().innerText(), /90 patients, 540 decisions: 540 rows of 540 kept/);
    assert.ok((await kept().locator('.records li').count()) === 5);
    assert.doesNotMatch(await page.locator('main').innerText(), /Notiz 1-0|NaN|undefined/);
    assert.deepEqual(await accessibilityFaults(page), []);
    assertAtHome();
  });

  test('WarnsOfTheWrongReadingAndOfAColumnThatCannotBe', async () => {
    await role('HbA1c').selectOption('after');
    await answered();
    assert.match(await kept().innerText(), /seems to have been seen before the action of the row/);
    await role('Notiz').selectOption('action');
    await answered();
    assert.match(await kept().getByRole('alert').innerText(), /column "Notiz" tells fewer than two actions apart/);
    assert.equal(await page.getByRole('button', { name: 'Fit and look at it' }).isDisabled(), true);
    await role('Notiz').selectOption('');
    await role('Therapie').selectOption('action');
    await role('HbA1c').selectOption('before');
    await answered();
    assert.doesNotMatch(await kept().innerText(), /seems to have been seen/);
  });

  test('CutsByNumberAndByArrowKeys', async () => {
    const levels = () => card('HbA1c, seen before the decision');
    await levels().getByLabel('up to').first().fill('6.5');
    await levels().getByLabel('up to').first().press('Tab');
    await answered();
    const slider = levels().getByRole('slider', { name: 'Cut 1 of HbA1c' });
    assert.equal(await slider.getAttribute('aria-valuenow'), '6.5');
    await slider.focus();
    for (let i = 0; i < 5; ++i) await slider.press('ArrowRight');
    await answered();
    assert.equal(await levels().getByLabel('up to').first().inputValue(), await slider.getAttribute('aria-valuenow'));
    assert.ok(Number(await slider.getAttribute('aria-valuenow')) > 6.5);
    await levels().getByRole('button', { name: /^Remove the cut/ }).nth(1).click();
    await answered();
    assert.equal(await levels().getByRole('slider').count(), 1);
    await levels().getByLabel('Level 2').fill('raised');
    await levels().getByLabel('Level 2').press('Tab');
    await answered();
    assert.match(await levels().innerText(), /\d+ visits/);
  });

  test('NamesStatesAndActions', async () => {
    await page.getByLabel('State 1').fill('controlled');
    await page.getByLabel('State 2').fill('not controlled');
    await page.getByLabel('What tells them apart').selectOption('HbA1c');
    await page.getByLabel('The later the state, the likelier').selectOption('raised');
    await card('What was done').getByLabel('“abwarten” in the table').fill('wait');
    await card('What was done').getByLabel('“abwarten” in the table').press('Tab');
    await answered();
    assert.match(await kept().locator('.records').innerText(), /wait/);
    assert.doesNotMatch(await kept().innerText(), /abwarten/);
  });

  test('IsTheSameAfterAReload', async () => {
    await page.reload();
    await page.getByLabel('State 1').waitFor();
    await answered();
    assert.equal(await page.getByLabel('State 2').inputValue(), 'not controlled');
    assert.equal(await page.getByLabel('Level 2').inputValue(), 'raised');
    assert.equal(await page.getByLabel('The later the state, the likelier').inputValue(), 'raised');
    assert.equal(await page.getByLabel('“abwarten” in the table').inputValue(), 'wait');
  });

  test('HandsOutAStudyThatTheProgramTakes', async () => {
    const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download the study (TOML)' }).click()]);
    const study = file('built.toml');
    await saved.saveAs(study);
    assert.equal(saved.suggestedFilename(), 'Meine_Ambulanz.toml');
    assert.match(readFileSync(study, 'utf8'), /states = \["controlled", "not controlled"\]/);
    const check = JSON.parse(interpole('study', 'check', study, '--data', table, '--json'));
    assert.equal(check.patients, 90);
    assert.deepEqual(check.states, ['controlled', 'not controlled']);
  });

  test('NeverScrollsSideways', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await settled(page);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    assert.deepEqual(await accessibilityFaults(page), []);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  test('FitsWithProgressAndLandsInTheExplorer', async () => {
    await page.getByRole('button', { name: 'Fit and look at it' }).click();
    await page.getByRole('progressbar', { name: 'Progress of the fit' }).waitFor();
    await page.getByRole('heading', { level: 2, name: 'What the records say about how decisions are made' }).waitFor({ timeout: 120_000 });
    assert.match(page.url(), /#\/start/);
    assert.match(await page.locator('main').innerText(), /wait|Insulin/);
    assert.match(await page.locator('main').innerText(), /controlled/);
    await show(page, '#/map');
    await page.getByRole('heading', { level: 2, name: 'Policy map' }).waitFor();
    assertAtHome();
  });

  test('IsOneOfTheViewsFromThenOn', async () => {
    await page.reload();
    await page.getByRole('link', { name: 'Study', exact: true }).click();
    await page.getByLabel('State 1').waitFor();
    assert.equal(await page.getByLabel('State 1').inputValue(), 'controlled');
    assertAtHome();
  });

  test('CanBeWorkedFromTheKeyboardAlone', async () => {
    await answered();
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    const reached = new Set<string>();
    for (let i = 0; i < 80; ++i) {
      await page.keyboard.press('Tab');
      reached.add(await page.evaluate(() => {
        const at = document.activeElement;
        return at?.getAttribute('aria-label') ?? (at instanceof HTMLInputElement ? at.labels?.[0]?.innerText : at?.textContent)?.trim() ?? '';
      }));
    }
    for (const wanted of ['Role of Patient', 'Role of HbA1c', 'Cut 1 of HbA1c', 'State 1', 'Download the study (TOML)', 'Fit and look at it']) {
      assert.ok([...reached].some((name) => name.startsWith(wanted)), `${wanted} was not reached: ${[...reached].join(' · ')}`);
    }
    await role('Gewicht').focus();
    await page.keyboard.type('seen b');
    await answered();
    assert.equal(await role('Gewicht').inputValue(), 'before');
    await choose(page, 'The whole fit');
    assert.match(await card('Fit it').innerText(), /It may take minutes/);
  });

  test('StopsAFit', async () => {
    await page.getByRole('button', { name: 'Fit and look at it' }).click();
    await page.getByRole('button', { name: 'Stop' }).click();
    await card('Fit it').getByText('Stopped.').waitFor({ timeout: 60_000 });
    assertAtHome();
  });
});

describe('a table named on the command line', () => {
  test('IsOpenedAtOnce', async () => {
    const other = await serveWith('--table', table, '--quiet');
    const there = await visit(other.address);
    await there.page.getByRole('heading', { name: 'Meine Ambulanz.csv' }).waitFor();
    assert.equal(await there.page.getByLabel('Role of Patient').inputValue(), 'id');
    assert.deepEqual(there.complaints, []);
    await there.close();
    await other.stop();
  });
});
