// The live page, from `interpole serve`: the token does not stay in sight, a new fit replaces what is shown, and nothing is
// asked of any other machine.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { accessibilityFaults, closeBrowser, makeCase, serve, settled, show, viewNames, views, visit } from './harness.ts';
import type { Server, Visit } from './harness.ts';

let server: Server;
let seen: Visit;
let page: Page;
before(async () => {
  server = await serve(makeCase('bias', 600), '--quiet');
  seen = await visit(server.address);
  page = seen.page;
});
after(async () => {
  await seen.close();
  await closeBrowser();
  await server.stop();
});

const origin = () => new URL(server.address).origin;
const assertAtHome = (of: Visit) => {
  assert.deepEqual(of.complaints, []);
  assert.deepEqual(of.requests.filter((address) => !address.startsWith(`${origin()}/`)), []);
};
const token = () => /token=([\w-]+)/.exec(server.address)?.[1] ?? '';

describe('the page', () => {
  test('TakesTheTokenOutOfTheAddress', async () => {
    assert.ok(token().length >= 43, '256 bits');
    assert.doesNotMatch(page.url(), /token/);
    assert.ok(!(await page.content()).includes(token()));
    assert.deepEqual(await page.evaluate(() => [document.cookie, localStorage.length]), ['', 0]);
  });

  test('ShowsEveryView', async () => {
    for (const view of viewNames) {
      await page.locator(`nav a[data-view="${view}"]`).click();
      await page.getByRole('heading', { level: 2, name: views[view] }).waitFor();
      assert.doesNotMatch(await page.locator('main').innerText(), /NaN|undefined|\[object/);
    }
    assert.equal(await page.locator('footer').isVisible(), true);
    assertAtHome(seen);
  });

  test('SurvivesAReloadAndGoesBack', async () => {
    await show(page, '#/patient?record=4&visit=1');
    await page.reload();
    await page.getByRole('heading', { level: 2, name: 'Patient' }).waitFor();
    assert.match(await page.getByRole('region', { name: 'The chosen visit' }).innerText(), /Patient 5, Visit 2/);
    await page.goBack();
    await page.getByRole('heading', { level: 2, name: 'Model check' }).waitFor();
    assertAtHome(seen);
  });

  test('IsServedWithHeadersThatForbidTheRest', async () => {
    const answer = await page.request.get(`${origin()}/`);
    const headers = answer.headers();
    assert.match(headers['content-security-policy'] ?? '', /connect-src 'self'/);
    assert.match(headers['content-security-policy'] ?? '', /default-src 'none'/);
    assert.match(headers['cache-control'] ?? '', /no-store/);
    assert.equal(headers['access-control-allow-origin'], undefined);
  });
});

describe('a page without the token', () => {
  for (const address of ['/', '/#/patient', '/#token=wrong-token']) {
    test(`SaysWhatToDo_${address.replace(/\W+/g, '_')}`, async () => {
      const other = await visit(origin() + address);
      await other.page.getByRole('heading', { name: 'The data could not be read' }).waitFor();
      assert.match(await other.page.getByRole('alert').innerText(), /Copy that address, with all that follows “#”, and open it again/);
      assert.equal(await other.page.getByRole('navigation').count(), 0);
      assert.deepEqual(await accessibilityFaults(other.page), []);
      await other.close();
    });
  }
});

describe('fitting again', () => {
  const panel = () => page.locator('section', { has: page.getByRole('heading', { name: 'Fit again' }) });
  const fit = async (dynamics: string, restarts: number) => {
    await panel().getByLabel('Dynamics').selectOption(dynamics);
    await panel().getByLabel('Restarts').fill(String(restarts));
    await panel().getByRole('button', { name: 'Fit again' }).click();
  };

  test('RunsWithProgressAndShowsTheNewFit', async () => {
    await show(page, '#/start');
    const before = await page.locator('.findings').innerText();
    await fit('shared', 300);
    const progress = panel().getByRole('progressbar', { name: 'Progress of the fit' });
    await progress.waitFor();
    assert.match(await panel().getByRole('status').innerText(), /^\d+% ·/);
    await panel().getByText('Done. The page shows the new fit.').waitFor({ timeout: 120_000 });
    assert.equal(await progress.count(), 0);
    assert.match(await page.locator('.findings').innerText(), /Of a fit made in this session/);
    assert.notEqual(await page.locator('.findings').innerText(), before);
    // One picture of the world now: there is nothing to compare.
    await show(page, '#/world');
    await page.getByRole('heading', { name: 'This report does not compare agent and world' }).waitFor();
    await show(page, '#/check');
    assert.match(await page.locator('main').innerText(), /shared/);
    assertAtHome(seen);
  });

  test('IsStoppedOnRequest', async () => {
    await show(page, '#/start');
    await fit('coupled', 1000);
    await panel().getByRole('button', { name: 'Stop' }).click();
    await panel().getByText('Stopped; the page shows the fit from before.').waitFor({ timeout: 60_000 });
    assertAtHome(seen);
  });

  test('GoesOnWhileThePageIsReloaded', async () => {
    await fit('coupled', 1000);
    await panel().getByRole('progressbar').waitFor();
    await page.reload();
    await panel().getByRole('button', { name: 'Stop' }).click();
    await panel().getByText('Stopped; the page shows the fit from before.').waitFor({ timeout: 60_000 });
    await settled(page);
    assertAtHome(seen);
  });
});
