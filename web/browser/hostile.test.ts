// Names that try to become code: as patients, states, actions, results, groups, cohorts, titles and files, in the report and in
// the live page. None runs, every one shows as written, and saved tables cannot compute.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { isFormula, readCsv } from './csv_reader.ts';
import { assertQuiet, closeBrowser, file, fileAddress, fitted, makeReport, serve, settled, show, visit } from './harness.ts';
import type { Case, Visit } from './harness.ts';
import { hostile } from './hostile_strings.ts';
import { ownCase, tableText } from './own_study.ts';

after(closeBrowser);

const taken = (from: number, count: number) => Array.from({ length: count }, (_, i) => hostile[(from + i) % hostile.length]);

// Five of the names as states, five as actions, eight as results, one as title and file; all of them as patients. Fourteen such
// studies have every name in every place. The first is fitted under these names; the others take its numbers.
let numbers: Record<string, unknown> | null = null;
function batch(index: number) {
  const names = { states: taken(5 * index, 5), actions: taken(5 * index + 7, 5), observations: taken(8 * index + 3, 8) };
  const title = hostile[index];
  const table = `${hostile[(index + 9) % hostile.length].replaceAll(/[/\n]/g, '.')}.csv`;
  const own = { name: `hostile-${index}`, title, ...names, patients: hostile, visits: 5 };
  if (!numbers || index === 0) {
    const made = ownCase(own, table);
    numbers = JSON.parse(readFileSync(made.model, 'utf8')) as Record<string, unknown>;
    return { ...names, title, table, made };
  }
  const made: Case = { name: own.name, study: '', data: [file(table)], model: file(`${own.name}.json`) };
  writeFileSync(made.data[0], tableText(own));
  writeFileSync(made.model, JSON.stringify({ ...numbers, ...names, provenance: { data: { file: table } } }));
  return { ...names, title, table, made };
}
const batches = Math.ceil(hostile.length / 5);

async function assertHarmless(seen: Visit): Promise<void> {
  assert.equal(await seen.page.evaluate(() => (window as unknown as { __pwned?: number }).__pwned), undefined);
  assert.deepEqual(seen.complaints, []);
  assert.equal(seen.page.context().pages().length, 1);
  const foreign = await seen.page.evaluate(() => document.querySelectorAll('body iframe, body object, body embed, body base, body meta, body link, #app script, #app img').length);
  assert.equal(foreign, 0);
}

async function assertShown(page: Page, names: string[], where: string): Promise<void> {
  const text = (await page.locator('#app').textContent()) ?? '';
  for (const name of names) assert.ok(text.includes(name), `${where} does not show ${JSON.stringify(name)}`);
}

// What can be pointed at and pressed, is: names must not run then either.
async function poke(page: Page): Promise<void> {
  for (const one of (await page.locator('main svg text').all()).slice(0, 6)) await one.hover({ force: true, timeout: 2000 }).catch(() => {});
  await page.keyboard.press('Tab');
}

describe('in a report', () => {
  test('AtLeastFiftyNames', () => assert.ok(new Set(hostile).size >= 50));

  for (let index = 0; index < batches; ++index) {
    test(`StatesActionsResultsTitleAndFile_${index}`, async () => {
      const { made, states, actions, observations, title, table } = batch(index);
      const seen = await visit(fileAddress(makeReport(made, '--allow-individual', `--title=${title}`)));
      const { page } = seen;
      assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), title);
      assert.ok((await page.title()).includes(title.trim().replaceAll(/[\s]+/g, ' ')));
      await show(page, '#/map');
      await assertShown(page, [...states, ...actions], 'the map');
      await poke(page);
      await show(page, `#/why?record=${index}&visit=1`);
      await assertShown(page, [...states, ...actions, ...observations], 'why');
      await show(page, '#/check');
      await assertShown(page, [table], 'the model check');
      for (const view of ['patient', 'flags', 'flags?flag=unlikely', 'cohorts', 'world']) await show(page, `#/${view}`);
      await assertHarmless(seen);
      assertQuiet(seen);
      await seen.close();
    });
  }

  test('PatientsAndWhatIsSavedOfThem', async () => {
    const seen = await visit(fileAddress(makeReport(batch(0).made, '--allow-individual')), { acceptDownloads: true });
    const { page } = seen;
    const written = new Set<string>();
    for (const record of hostile.keys()) {
      await show(page, `#/patient?record=${record}`);
      const id = (await page.getByRole('group', { name: 'Patient', exact: true }).locator('strong').textContent()) ?? '';
      written.add(id);
    }
    assert.deepEqual([...written].sort(), [...hostile].sort());
    await show(page, '#/flags?flag=uninformative&move=-3');
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: /^Save “Patients with/ }).click()]);
    const cells = readCsv(readFileSync(await download.path(), 'utf8')).flat();
    assert.deepEqual(cells.filter(isFormula), []);
    const formulas = hostile.filter(isFormula);
    assert.ok(formulas.length >= 6);
    for (const formula of formulas) assert.ok(cells.includes(`'${formula}`), `${JSON.stringify(formula)} is not in the file`);
    await assertHarmless(seen);
    await seen.close();
  });

  test('FilesNamedByTheModelFile', async () => {
    const { made } = batch(2);
    const model = JSON.parse(readFileSync(made.model, 'utf8')) as Record<string, unknown>;
    writeFileSync(made.model, JSON.stringify({ ...model, provenance: { data: { file: hostile } } }));
    const seen = await visit(fileAddress(makeReport(made, '--allow-individual'), '#/check'));
    await assertShown(seen.page, hostile, 'the model check');
    await assertHarmless(seen);
    await seen.close();
  });

  test('GroupsCohortsAndFactors', async () => {
    const made = groupsCase();
    const seen = await visit(fileAddress(makeReport(made, '--allow-individual'), '#/cohorts'));
    await assertShown(seen.page, hostile.slice(0, 4), 'groups');
    await poke(seen.page);
    await show(seen.page, '#/why?record=1&visit=1');
    await assertShown(seen.page, hostile.slice(20, 23), 'levels');
    await assertHarmless(seen);
    await seen.close();
  });
});

describe('live', () => {
  test('TheSameNamesDoNothingEither', async () => {
    const { made, states, actions, observations, title } = batch(1);
    const server = await serve(made, '--allow-individual', '--quiet', `--title=${title}`);
    const seen = await visit(server.address);
    const { page } = seen;
    assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), title);
    for (const view of ['start', 'map', 'patient', 'flags', 'cohorts', 'world', 'check', 'why?record=2&visit=1']) await show(page, `#/${view}`);
    await assertShown(page, [...states, ...actions, ...observations], 'why');
    for (const record of hostile.keys()) {
      await show(page, `#/patient?record=${record}`);
      await settled(page);
    }
    await poke(page);
    await assertHarmless(seen);
    const origin = new URL(server.address).origin;
    assert.deepEqual(seen.requests.filter((address) => !address.startsWith(`${origin}/`)), []);
    await seen.close();
    await server.stop();
  });
});

// Sites, a factor and a cohort with such names, from a table of another shape.
function groupsCase(): Case {
  const quoted = (text: string) => JSON.stringify(text);
  const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const [sites, levels, factor, cohort] = [hostile.slice(0, 4), hostile.slice(20, 23), hostile[30], hostile[31]];
  const made = { name: 'groups', study: file('groups.toml'), data: [file('groups.csv')], model: file('groups.json') };
  const rows = ['id,step,act,result,site,who'];
  for (let patient = 0; patient < 80; ++patient) {
    for (let step = 0; step < 4; ++step) {
      const result = levels[(patient + step * step) % 3];
      rows.push([`p${patient}`, step, (patient + step) % 3 === 0 ? 'test' : 'wait', cell(result), cell(sites[patient % 4]), cell(hostile[40 + (patient % 2)])].join(','));
    }
  }
  writeFileSync(made.data[0], `${rows.join('\n')}\n`);
  writeFileSync(made.study, [
    'format = "interpole-study"', 'version = 1', `name = ${quoted(hostile[12])}`, 'states = ["well", "ill"]',
    '[[actions]]\nname = "wait"', '[[actions]]\nname = "test"',
    '[source]\ntables = ["groups"]', '[record]\nid = "id"\norder = "step"\nkind = "number"', '[action]\ncolumn = "act"',
    `[[factors]]\nname = ${quoted(factor)}\ncolumn = "result"\nkind = "categorical"\nlevels = [${levels.map(quoted).join(', ')}]`,
    `[[covariates]]\nname = ${quoted(cohort)}\nsql = "who"`, '[group]\ncolumn = "site"',
    '[known]\ninverse_temperature = 10\ntransition."*" = "identity"', '',
  ].join('\n'));
  return fitted(made, '--dynamics', 'shared');
}
