// For everybody: axe finds nothing in either theme, the keyboard reaches everything and shows where it is, nothing moves
// that should not, and paper gets a readable document.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { inflateSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { accessibilityFaults, addressHas, assertQuiet, closeBrowser, fileAddress, makeCase, makeReport, makeTwoSites, settled, show, viewNames, visit } from './harness.ts';
import type { Visit } from './harness.ts';

let path: string;
before(() => {
  path = makeReport(makeCase('adni', 200), '--without-groups');
});
after(closeBrowser);

// Every view, and those states of it that look different.
const places = [
  ...viewNames, 'map?layout=right&show=density&lens=ordered&boundary=0-1&arrows=1', 'map?layout=two', 'map?table=policy-map',
  'patient?flag=belated&visit=1', 'why?visit=1&changes=1:u&results=1&scale=probability', 'flags?flag=uninformative&certain=0.5',
  'flags?flag=unlikely', 'world?only=all', 'check?table=calibration',
];

for (const theme of ['light', 'dark'] as const) {
  describe(`axe, ${theme}`, () => {
    let seen: Visit;
    before(async () => {
      seen = await visit(fileAddress(path), { colorScheme: theme });
    });
    after(() => seen.close());
    for (const place of places) {
      test(`FindsNothingIn_${place.replace(/\W+/g, '_')}`, async () => {
        await show(seen.page, `#/${place}`);
        assert.equal(await seen.page.evaluate(() => document.documentElement.dataset.theme), theme);
        assert.deepEqual(await accessibilityFaults(seen.page), []);
      });
    }
    // Which axe does not look at. Where letters lie on a region, a rim in the ground's colour is drawn around them.
    test('LettersInPicturesStandOut', async () => {
      for (const place of ['map', 'patient', 'why?visit=1', 'flags', 'cohorts', 'world', 'check']) {
        await show(seen.page, `#/${place}`);
        assert.deepEqual(await faintLetters(seen.page), [], place);
      }
    });
    test('FindsNothingWhileAMeanIsMoved', async () => {
      await show(seen.page, '#/map');
      await seen.page.getByRole('slider', { name: 'Mean of mri.' }).press('ArrowLeft');
      await seen.page.getByRole('region', { name: 'Hypothetical policy' }).waitFor();
      assert.deepEqual(await accessibilityFaults(seen.page), []);
      assertQuiet(seen);
    });
  });
}

describe('axe, other studies', () => {
  for (const [name, make] of Object.entries({ bias: () => makeReport(makeCase('bias', 80)), tree: () => makeReport(makeCase('tree', 80)), groups: () => makeReport(makeTwoSites(80)), ward: () => makeReport(makeCase('ward', 200)) })) {
    test(`FindsNothingIn_${name}`, async () => {
      const seen = await visit(fileAddress(make()));
      for (const view of ['map', 'patient', 'why', 'flags', 'cohorts']) {
        await show(seen.page, `#/${view}`);
        assert.deepEqual(await accessibilityFaults(seen.page), [], view);
      }
      await seen.close();
    });
  }
});

// Texts whose colour is too near the card's ground (WCAG 2: 4.5 to 1).
const faintLetters = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const numbers = (colour: string) => colour.match(/[\d.]+/g)?.map(Number) ?? [];
    const light = (colour: string) => {
      const [r, g, b] = numbers(colour).map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const probe = document.querySelector('.card, .chart-frame');
    const ground = light(probe ? getComputedStyle(probe).backgroundColor : 'rgb(255, 255, 255)');
    return [...document.querySelectorAll('main svg text')].flatMap((text) => {
      const ink = light(getComputedStyle(text).fill);
      const ratio = (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05);
      return ratio >= 4.5 ? [] : [`${text.textContent}: ${ratio.toFixed(2)}`];
    });
  });

// What a mouse could use and is in sight. Of radio buttons and tabs one of a group takes the Tab key; arrows do the rest.
async function reachable(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const controls = [...document.querySelectorAll<HTMLElement | SVGElement>('a[href], button, input, select, summary, textarea, [tabindex="0"]')];
    const wanted = controls.filter((one) => {
      if (one.matches(':disabled') || one.tabIndex < 0 || !one.checkVisibility({ visibilityProperty: true })) return false;
      if (!(one instanceof HTMLInputElement) || one.type !== 'radio') return true;
      const group = [...document.querySelectorAll<HTMLInputElement>('input[type=radio]')].filter(({ name, form }) => name === one.name && form === one.form);
      return one === (group.find(({ checked }) => checked) ?? group[0]);
    });
    wanted.forEach((one, index) => one.setAttribute('data-expected', String(index)));
    return wanted.map((one) => (one.getAttribute('aria-label') ?? one.textContent ?? '').trim().slice(0, 50) || one.outerHTML.slice(0, 80));
  });
}

interface Stop {
  index: string | null;
  ring: boolean; // something shows where the focus is
}

const focused = (page: Page): Promise<Stop> =>
  page.evaluate(() => {
    const at = document.activeElement;
    if (!at) return { index: null, ring: false };
    const rings = [at, ...at.querySelectorAll('*'), ...(at.closest('label') ? [at.closest('label') as Element] : [])];
    const marked = (one: Element) => {
      const { outlineStyle, outlineWidth, stroke, strokeWidth } = getComputedStyle(one);
      const accent = getComputedStyle(document.documentElement).getPropertyValue('--accent').trim();
      const probe = document.createElement('i');
      probe.style.color = accent;
      document.body.append(probe);
      const colour = getComputedStyle(probe).color;
      probe.remove();
      return (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2) || (stroke === colour && parseFloat(strokeWidth) >= 2);
    };
    return { index: at.getAttribute('data-expected'), ring: rings.some(marked) };
  });

describe('keyboard', () => {
  let seen: Visit;
  before(async () => {
    seen = await visit(fileAddress(path));
  });
  after(() => seen.close());

  for (const view of viewNames) {
    test(`ReachesEverythingIn_${view}`, async () => {
      const { page } = seen;
      await show(page, `#/${view}`);
      await page.getByRole('progressbar').waitFor({ state: 'detached' }); // lists of flags wait for their certainty
      await settled(page);
      const names = await reachable(page);
      assert.ok(names.length >= 10, `only ${names.length} controls`);
      await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
      const missed = new Map(names.map((name, index) => [String(index), name]));
      const unseen: string[] = [];
      for (let press = 0; press < names.length + 12 && missed.size > 0; ++press) {
        await page.keyboard.press('Tab');
        const { index, ring } = await focused(page);
        if (index === null || !missed.has(index)) continue;
        if (!ring) unseen.push(missed.get(index) ?? '');
        missed.delete(index);
      }
      assert.deepEqual([...missed.values()], [], 'not reached');
      assert.deepEqual(unseen, [], 'focus not visible');
    });
  }

  test('SkipsToTheContentAndUsesViewsAndTabsWithoutAMouse', async () => {
    const { page } = seen;
    await page.goto('about:blank');
    await page.goto(fileAddress(path, '#/start'));
    await page.getByRole('heading', { level: 2 }).first().waitFor();
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Skip to the content');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'main');
    await page.getByRole('link', { name: 'Flags', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { selected: true }).focus();
    await page.keyboard.press('ArrowRight');
    await settled(page);
    await addressHas(page, /flag=uninformative/);
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('aria-selected')), 'true');
    assertQuiet(seen);
  });
});

describe('motion', () => {
  test('IsLeftOutWhereItIsNotWanted', async () => {
    const seen = await visit(fileAddress(path), { reducedMotion: 'reduce' });
    for (const view of viewNames) {
      await show(seen.page, `#/${view}`);
      const slow = await seen.page.evaluate(() => [...document.querySelectorAll('*')].filter((one) => {
        const { transitionDuration, animationDuration, scrollBehavior } = getComputedStyle(one);
        return [transitionDuration, animationDuration].some((text) => text.split(',').some((part) => parseFloat(part) > 0.01)) || scrollBehavior === 'smooth';
      }).length);
      assert.equal(slow, 0, view);
      assert.equal(await seen.page.evaluate(() => document.getAnimations().length), 0, view);
    }
    await seen.close();
  });
});

describe('paper', () => {
  test('EveryViewPrintsTextAndPictures', async () => {
    const seen = await visit(fileAddress(path), { colorScheme: 'dark' });
    for (const view of viewNames) {
      await show(seen.page, `#/${view}`);
      const pdf = await seen.page.pdf({ preferCSSPageSize: true });
      const pages = pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
      assert.ok(pages >= 1 && pages <= 12, `${view}: ${pages} pages`);
      assert.ok(drawnTexts(pdf) > 20, `${view} is empty`);
    }
    await seen.page.emulateMedia({ media: 'print' });
    assert.equal(await seen.page.getByRole('navigation').isVisible(), false);
    assert.equal(await seen.page.getByRole('button').first().isVisible(), false);
    await seen.close();
  });
});

// Pieces of text in the (deflated) streams of a PDF.
function drawnTexts(pdf: Buffer): number {
  const text = pdf.toString('latin1');
  let count = 0;
  for (const found of text.matchAll(/\/FlateDecode[^>]*>>\s*stream\r?\n/g)) {
    const from = found.index + found[0].length;
    try {
      count += inflateSync(pdf.subarray(from, text.indexOf('endstream', from))).toString('latin1').match(/\bT[jJ]\b/g)?.length ?? 0;
    } catch {
      continue; // not deflated after all: a font
    }
  }
  return count;
}
