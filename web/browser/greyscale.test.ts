// Regions are told apart without colour: Chromium shows the page as somebody sees it who sees no colours, and the texture of
// two neighbouring regions must still differ, whatever their brightness.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { closeBrowser, fileAddress, makeCase, makeReport, show, visit } from './harness.ts';
import { readPng } from './png_reader.ts';
import type { Pixels } from './png_reader.ts';

after(closeBrowser);

interface Spot {
  action: string;
  x: number;
  y: number;
}
const side = 36; // of a patch, in pixels: four tiles of a pattern

// Two places inside each region, with all that lies above the regions taken away.
const spots = (page: Page): Promise<Spot[]> =>
  page.evaluate((size) => {
    const svg = document.querySelector<SVGSVGElement>('#policy-map svg[role="group"]');
    if (!svg) return [];
    for (const one of svg.querySelectorAll('text, .grid, .handle, .line, .band, .plate, line')) one.setAttribute('visibility', 'hidden');
    const origin = svg.getBoundingClientRect();
    return [...svg.querySelectorAll<SVGGeometryElement>('[fill^="var(--action-"]:is(polygon, rect)')].flatMap((region) => {
      const box = region.getBoundingClientRect();
      const inside = (x: number, y: number) => region.isPointInFill(new DOMPoint(x - origin.left, y - origin.top));
      const found: { action: string; x: number; y: number }[] = [];
      for (let y = Math.ceil(box.top) + 2; y < box.bottom - size && found.length < 2; y += 6) {
        for (let x = Math.ceil(box.left) + 2; x < box.right - size && found.length < 2; x += 6) {
          const whole = [[x, y], [x + size, y], [x, y + size], [x + size, y + size]].every(([px, py]) => inside(px, py));
          const apart = found.every((one) => Math.hypot(one.x - x, one.y - y) > size);
          if (whole && apart) found.push({ action: region.getAttribute('fill') ?? '', x, y });
        }
      }
      return found;
    });
  }, side);

// How a patch changes along four directions, less its brightness: dots, rising, level and upright lines all differ in it.
function texture(pixels: Pixels, { x, y }: Spot): number[] {
  const grey = (i: number, j: number) => pixels.at(x + i, y + j)[0];
  return [[1, 0], [0, 1], [1, 1], [1, -1]].map(([dx, dy]) => {
    let sum = 0;
    for (let i = 1; i < side - 1; ++i) {
      for (let j = 1; j < side - 1; ++j) sum += Math.abs(grey(i + dx, j + dy) - grey(i, j));
    }
    return sum / (side - 2) ** 2;
  });
}
const distance = (a: number[], b: number[]) => Math.hypot(...a.map((value, k) => value - b[k]));

for (const theme of ['light', 'dark'] as const) {
  for (const [environment, patients] of [['adni', 150], ['bias', 80]] as const) {
    test(`RegionsDifferInTexture_${environment}_${theme}`, async () => {
      const path = makeReport(makeCase(environment, patients), '--without-groups');
      const { page, close } = await visit(fileAddress(path), { colorScheme: theme });
      await show(page, '#/map?show=none&fade=no');
      await page.locator('#policy-map').evaluate((one) => one.scrollIntoView());
      const debug = await page.context().newCDPSession(page);
      await debug.send('Emulation.setEmulatedVisionDeficiency', { type: 'achromatopsia' });
      const places = await spots(page);
      const pixels = readPng(await page.screenshot());
      const regions = [...new Set(places.map(({ action }) => action))].map((action) => places.filter((spot) => spot.action === action));
      assert.ok(regions.length >= 2, `room for patches in ${regions.length} regions only`);
      for (const { x, y } of places) {
        const [r, g, b] = pixels.at(x + 5, y + 5);
        assert.ok(Math.max(r, g, b) - Math.min(r, g, b) <= 2, 'the screenshot has colours');
      }
      const textures = regions.map((patches) => patches.map((spot) => texture(pixels, spot)));
      // Farther apart than two patches of one region by far.
      for (const [i, mine] of textures.entries()) {
        const own = mine.length > 1 ? distance(mine[0], mine[1]) : 0;
        for (const other of textures.slice(i + 1)) {
          const between = distance(mine[0], other[0]);
          assert.ok(between > 4 && between > 3 * own, `${theme}: ${between.toFixed(2)} between regions, ${own.toFixed(2)} within one`);
        }
      }
      await close();
    });
  }
}
