// What is known against a model stands beside what is found: no tick beside a warning, cautions where findings are. On fits that
// deserve none: one set of dynamics for records of people who see patients wrongly, a search that was cut short, explanations
// that disagree.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { accessibilityFaults, closeBrowser, file, fileAddress, fitted, interpole, makeReport, show, study, visit } from './harness.ts';
import type { Case } from './harness.ts';

after(closeBrowser);

function bias(name: string, patients: number): Case {
  const data = file(`${name}.csv`);
  interpole('simulate', 'bias', '--patients', String(patients), '--seed', '1', '--output', data);
  return { name, study: study('bias.toml'), data: [data], model: file(`${name}.json`) };
}

// The same model, as if its restarts had found another explanation nearly as good that says something else.
function disagreeing(made: Case): Case {
  const model = JSON.parse(readFileSync(made.model, 'utf8'));
  const best = model.fit.mode_details[0];
  model.fit.modes = 2;
  model.fit.mode_details = [best, { ...best, log_posterior: best.log_posterior - 0.3, belief_distance: 0.4, policy_distance: 0.2 }];
  const other = { ...made, name: `${made.name}-two`, model: file(`${made.name}-two.json`) };
  writeFileSync(other.model, JSON.stringify(model));
  return other;
}

async function looked(made: Case): Promise<{ marks: string[]; findings: string[]; tones: string[] }> {
  const seen = await visit(fileAddress(makeReport(made)));
  const marks = await seen.page.locator('section', { has: seen.page.getByRole('heading', { name: 'How far to trust it' }) }).getByRole('img').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? ''));
  const findings = await seen.page.locator('.findings li').allInnerTexts();
  assert.deepEqual(await accessibilityFaults(seen.page), []);
  await show(seen.page, '#/check');
  const tones = await seen.page.locator('[data-tone]').evaluateAll((all) => all.map((one) => one.getAttribute('data-tone') ?? ''));
  await seen.close();
  return { marks, findings, tones };
}

describe('no tick', () => {
  test('OverASharedFitToPeopleWhoSeePatientsWrongly', async () => {
    const { marks, findings, tones } = await looked(fitted(bias('shared', 300), '--dynamics', 'shared'));
    assert.ok(marks.length > 0 && !marks.includes('Fine'), marks.join());
    assert.ok(tones.length > 0 && !tones.includes('good'), tones.join());
    for (const finding of findings) assert.match(finding, /was not asked/);
  });

  test('OverASearchThatWasCutShort', async () => {
    const { marks, findings, tones } = await looked(fitted(bias('short', 200), '--dynamics', 'shared', '--most-iterations', '3'));
    assert.ok(!marks.includes('Fine') && marks.includes('Take care'), marks.join());
    assert.ok(!tones.includes('good') && tones.includes('bad'), tones.join());
    for (const finding of findings) assert.match(finding, /the search had not ended/);
  });

  test('OverExplanationsThatDisagree', async () => {
    const { marks, findings, tones } = await looked(disagreeing(fitted(bias('two', 200), '--dynamics', 'shared')));
    assert.ok(!marks.includes('Fine') && marks.includes('Take care'), marks.join());
    assert.ok(!tones.includes('good') && tones.includes('bad'), tones.join());
    for (const finding of findings) assert.match(finding, /another explanation/);
  });
});
