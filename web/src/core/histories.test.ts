import { describe, expect, it } from 'vitest';
import { beliefsAt, buildHistories, decisionsAt, decodeStep, encodeStep, stepsOf } from './histories';
import { mindOf, problemOf, update } from './model';
import { randomModel, randomRecords, seeded } from './testing/random_models';

const random = seeded(7);
const model = randomModel(random, { S: 3, tests: 1, visits: 1, ends: 1 });
const records = randomRecords(random, model, 400, 6);
const problem = problemOf(model);
const h = buildHistories(records, problem);

// The nodes of each record as texts, the slow way: before each step, and after the last outcome.
function historiesOf(codes: number[]): string[] {
  const texts = codes.map((_, t) => codes.slice(0, t).join(' '));
  const last = decodeStep(codes[codes.length - 1], problem.Z);
  return [...texts, last.observation < 0 ? texts[texts.length - 1] : codes.join(' ')];
}

describe('prefix tree', () => {
  it('has one node for each distinct history, and counts what passed and was done there', () => {
    const passes = new Map<string, number>();
    const done = new Map<string, number>();
    const node = new Map<string, number>();
    records.steps.forEach((codes, r) => {
      const texts = historiesOf(codes);
      for (const text of new Set(texts)) passes.set(text, (passes.get(text) ?? 0) + 1);
      codes.forEach((code, t) => {
        const key = `${texts[t]}|${decodeStep(code, problem.Z).action}`;
        done.set(key, (done.get(key) ?? 0) + 1);
        expect(node.get(texts[t]) ?? h.paths[r][t]).toBe(h.paths[r][t]);
        node.set(texts[t], h.paths[r][t]);
      });
      node.set(texts[codes.length], h.ends[r]);
    });
    expect(h.count).toBe(passes.size);
    expect(new Set(node.values()).size).toBe(h.count);
    for (const [text, n] of node) {
      expect(h.passes[n]).toBe(passes.get(text));
      expect(h.depth[n]).toBe(text === '' ? 0 : text.split(' ').length);
      for (let a = 0; a < problem.A; ++a) expect(h.actionCounts[n * problem.A + a]).toBe(done.get(`${text}|${a}`) ?? 0);
    }
    const decisions = records.steps.reduce((sum, codes) => sum + codes.length, 0);
    expect(Array.from({ length: h.count }, (_, n) => decisionsAt(h, n)).reduce((x, y) => x + y, 0)).toBe(decisions);
  });

  it('puts parents before children', () => {
    for (let n = 1; n < h.count; ++n) expect(h.parent[n]).toBeLessThan(n);
  });

  it('keeps the belief that following a record step by step gives', () => {
    const mind = mindOf(model);
    const beliefs = beliefsAt(h, mind);
    records.steps.forEach((_, r) => {
      let belief = mind.dynamics.b1;
      stepsOf(records, r, problem.Z).forEach((step, t) => {
        const n = h.paths[r][t];
        expect(beliefs.slice(n * 3, n * 3 + 3)).toEqual(belief);
        if (!problem.terminal[step.action]) belief = update(mind.dynamics, belief, step.action, step.observation).belief;
      });
    });
  });

  it('leaves what is impossible, and what follows it, at zero', () => {
    const mind = mindOf(model);
    const z = model.allowed[0].indexOf(true);
    mind.dynamics.O[0]!.forEach((_, i, O) => (i % problem.Z === z ? (O[i] = 0) : 0));
    const code = encodeStep({ action: 0, observation: z }, problem.Z);
    const other = encodeStep({ action: 1, observation: -1 }, problem.Z);
    const few = buildHistories({ ...records, steps: [[code, other, other]] }, problem);
    expect([...beliefsAt(few, mind).slice(3)]).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('refuses a step that is none', () => {
    expect(() => buildHistories({ ...records, steps: [[problem.A * (problem.Z + 1) + 3]] }, problem)).toThrow(/not a step/);
  });
});

describe('step codes', () => {
  it('read back as they were written', () => {
    for (const action of [0, 2]) {
      for (const observation of [-1, 0, 11]) {
        expect(decodeStep(encodeStep({ action, observation }, 12), 12)).toEqual({ action, observation });
      }
    }
  });
});
