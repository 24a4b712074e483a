// Names stay apart: in pictures of three, four and five states with long names, on a wide and a narrow screen, no label lies on
// another and nothing has to be scrolled sideways.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { closeBrowser, fileAddress, makeReport, settled, visit } from './harness.ts';
import { ownCase } from './own_study.ts';

after(closeBrowser);

const states = ['No cognitive impairment at all', 'Subjective complaints only', 'Mild cognitive impairment', 'Probable dementia', 'Dementia confirmed by imaging'];

// Pairs of words in one picture whose boxes share more than a few pixels. Figures of a path stand on purpose beside what they
// count, and are left out.
const overlaps = (page: Page) =>
  page.evaluate(() => {
    const found: string[] = [];
    for (const svg of document.querySelectorAll('main svg')) {
      const boxes = [...svg.querySelectorAll('text')]
        .filter((text) => /[a-z]/i.test(text.textContent ?? '') && getComputedStyle(text).visibility !== 'hidden')
        .map((text) => ({ words: text.textContent?.trim() ?? '', box: text.getBoundingClientRect() }));
      boxes.forEach((one, i) => {
        for (const other of boxes.slice(i + 1)) {
          const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
          const down = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
          if (across > 4 && down > 5) found.push(`${one.words} / ${other.words}: ${across.toFixed(0)} × ${down.toFixed(0)}`);
        }
      });
    }
    return found;
  });

for (const count of [4, 5]) {
  describe(`${count} states with long names`, () => {
    let report = '';
    for (const width of [1280, 390]) {
      for (const view of ['start', 'map', 'patient']) {
        test(`DoNotCollide_${view}_${width}`, async () => {
          report ||= makeReport(ownCase({
            name: `long-${count}`, states: states.slice(0, count), visits: 6,
            actions: ['watchful waiting without tests', 'order magnetic resonance imaging', 'refer to a memory clinic'],
            observations: ['normal', 'borderline', 'impaired', 'severe'],
            patients: Array.from({ length: 60 }, (_, i) => `p${i}`),
          }));
          const seen = await visit(fileAddress(report, `#/${view}`), { viewport: { width, height: 900 } });
          await settled(seen.page);
          assert.deepEqual(await overlaps(seen.page), []);
          assert.ok(await seen.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'scrolls sideways');
          await seen.close();
        });
      }
    }
  });
}
