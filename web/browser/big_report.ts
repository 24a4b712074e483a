// A large report, and how quick it is in the browser.
import { writeFileSync } from 'node:fs';
import { blankPage, file, interpole, makeReport } from './harness.ts';
import type { Locator, Page } from 'playwright-core';
import type { Case } from './harness.ts';
import { ownCase, tableText } from './own_study.ts';

// Records of so many patients, explained by a model that was fitted to fewer: the page's work is the same.
export function bigReport(small: Case, patients: number, ...flags: string[]): string {
  const name = `big-${patients}`;
  const table = file(`${name}.csv`);
  interpole('simulate', 'adni', '--patients', String(patients), '--seed', '2', '--output', table);
  const quick = flags.length > 0 ? flags : ['--without-groups'];
  return makeReport({ ...small, name, data: [table] }, ...quick);
}

// Records of which hardly two are alike: nothing can be counted together.
export function unlikeReport(patients: number, visits: number): string {
  const study = { name: 'unlike', states: ['a', 'b', 'c'], actions: ['wait', 'test', 'treat'], observations: [...'stuvwxyz'], visits };
  const names = (count: number) => Array.from({ length: count }, (_, i) => `p${i}`);
  const made = ownCase({ ...study, patients: names(200) });
  writeFileSync(made.data[0], tableText({ ...study, patients: names(patients) }));
  return makeReport(made);
}

export interface Measured {
  visits: number;
  shown: string; // how the map draws data when not asked
  firstPaint: number; // ms after navigation: first contentful paint
  firstView: number; // ms after navigation: a view with data stands
  map: number; // ms until the map stands
  framesPerSecond: number; // while panning; a frame in which the map had not moved does not count
  longestFrame: number; // ms
  complaints: string[];
}

export async function measure(address: string): Promise<Measured> {
  const seen = await blankPage();
  const { page } = seen;
  await page.addInitScript(() => {
    const seenAt = new MutationObserver(() => {
      if (!document.querySelector('main h2')) return;
      seenAt.disconnect();
      requestAnimationFrame(() => requestAnimationFrame(() => performance.mark('first-view'))); // painted by then
    });
    seenAt.observe(document, { childList: true, subtree: true });
  });
  await page.goto(address);
  await page.waitForFunction(() => performance.getEntriesByName('first-view').length > 0, null, { polling: 100 });
  const time = (name: string) => page.evaluate((of) => Math.round(performance.getEntriesByName(of)[0]?.startTime ?? Infinity), name);
  const [firstPaint, firstView] = [await time('first-contentful-paint'), await time('first-view')];

  const visits = Number(((await page.locator('main').innerText()).match(/([\d,]{7,})\s+(?:visits|decisions)/i)?.[1] ?? '0').replaceAll(',', ''));
  const before = Date.now();
  await page.getByRole('link', { name: 'Policy map', exact: true }).first().click();
  const picture = page.getByRole('group', { name: 'Policy map' });
  await picture.locator('.outline').waitFor();
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const map = Date.now() - before;
  const shown = await page.locator('input[name="show"]:checked').inputValue();

  const { framesPerSecond, longestFrame } = await pan(page, picture);
  await seen.close();
  return { visits, shown, firstPaint, firstView, map, framesPerSecond, longestFrame, complaints: seen.complaints };
}

// Drags the zoomed map to and fro for two seconds with pointer events at the rate of a real mouse, and counts frames.
async function pan(page: Page, picture: Locator): Promise<{ framesPerSecond: number; longestFrame: number }> {
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await page.getByRole('button', { name: 'Zoom in' }).click();
  const box = await picture.boundingBox();
  if (!box) throw new Error('the map has no size');
  await page.mouse.move(box.x + 40, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + 60, box.y + 60);
  const counted = page.evaluate(
    () =>
      new Promise<{ framesPerSecond: number; longestFrame: number }>((done) => {
        const outline = document.querySelector('#policy-map .outline');
        const times: number[] = [];
        let last = '';
        let began = 0;
        const frame = (now: number) => {
          began ||= now;
          const place = outline?.getAttribute('points') ?? '';
          if (place !== last) times.push(now);
          last = place;
          if (now - began < 2000) requestAnimationFrame(frame);
          else {
            const gaps = times.slice(1).map((time, i) => time - times[i]);
            done({ framesPerSecond: Math.round((10_000 * gaps.length) / (now - began)) / 10, longestFrame: Math.round(Math.max(0, ...gaps)) });
          }
        };
        requestAnimationFrame(frame);
      }),
  );
  let over = false;
  void counted.then(() => (over = true));
  for (let step = 0; !over; ++step) {
    const angle = step / 12;
    await page.mouse.move(box.x + 200 + 120 * Math.cos(angle), box.y + 200 + 90 * Math.sin(angle));
  }
  await page.mouse.up();
  return counted;
}
