// A registry: 200,000 visits in one file. Sizes are demanded to the byte; times only loosely, for the machine may be busy
// (scripts/bench-explorer prints the true ones).
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { closeBrowser, fileAddress, makeCase } from './harness.ts';
import { bigReport, measure } from './big_report.ts';
import type { Measured } from './big_report.ts';

after(closeBrowser);

describe('200,000 visits', () => {
  let path: string;
  let measured: Measured;
  before(async () => {
    path = bigReport(makeCase('adni', 300), 62_000);
    measured = await measure(fileAddress(path));
    console.log(JSON.stringify(measured));
  });

  test('FitInto5MB', () => assert.ok(statSync(path).size <= 5_000_000, `${statSync(path).size} bytes`));
  test('AreAllThere', () => assert.ok(measured.visits >= 200_000, `${measured.visits} visits`));
  test('AreShownAsDensity', () => assert.equal(measured.shown, 'density'));
  test('OpenSoon', () => assert.ok(measured.firstView <= 10_000 && measured.firstPaint <= 10_000, `${measured.firstView} ms`));
  test('PanSmoothly', () => assert.ok(measured.framesPerSecond >= 10, `${measured.framesPerSecond} frames a second`));
  test('Quietly', () => assert.deepEqual(measured.complaints, []));
});

describe('1,600 patients', () => {
  test('FitInto600kB', () => {
    const path = bigReport(makeCase('adni', 300), 1_737);
    assert.ok(statSync(path).size <= 600_000, `${statSync(path).size} bytes`);
  });
});
