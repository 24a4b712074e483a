import { describe, expect, it } from 'vitest';
import { logDensity, type MeasuredFactor } from './families';
import { placeOfText, textOfPlace, withValue } from './otherwise';
import { Measured } from './outcomes';
import { outcomeChances, POINTS, valuesAt } from './points';
import { logGamma, logNormalProbability, normalQuantile } from './special_functions';
import { columnName, shortNumber, valueWords } from './words';
import type { MeasuredFactorJson } from '../payload';
import { update, type Dynamics, type Problem } from '../model';

const factorOf = (family: MeasuredFactorJson['family'], parameters: string[], more: Partial<MeasuredFactorJson> = {}): MeasuredFactorJson => ({
  name: family, family, levels: [], unit: '', lower: null, upper: null, yielded: [true, true], parameters, ...more,
});
const json = {
  factors: [
    factorOf('normal', ['mean', 'sd'], { name: 'pressure', unit: 'mmHg', lower: 40 }),
    factorOf('lognormal', ['median', 'log sd'], { name: 'lactate', unit: 'mmol/L', yielded: [false, true] }),
    factorOf('poisson', ['mean'], { name: 'breaths' }),
  ],
  values: [[62.5, null, 62.5], [null, 3.1, null], [18, 22, 18]],
};

describe('special functions', () => {
  it('are those of the tables', () => {
    expect(logGamma(0.5)).toBeCloseTo(Math.log(Math.sqrt(Math.PI)), 14);
    expect(logGamma(11)).toBeCloseTo(Math.log(3628800), 13);
    expect(logGamma(1e-3)).toBeCloseTo(6.907178885383853, 13);
    expect(logNormalProbability(0)).toBeCloseTo(Math.log(0.5), 15);
    expect(logNormalProbability(-1.959963984540054)).toBeCloseTo(Math.log(0.025), 13);
    expect(logNormalProbability(-20)).toBeCloseTo(-203.91715537109727, 10);
    expect(logNormalProbability(5)).toBeCloseTo(Math.log1p(-2.8665157187919391e-7), 15);
    expect(normalQuantile(0.975)).toBeCloseTo(1.959963984540054, 14);
    expect(Math.exp(logNormalProbability(normalQuantile(0.137)))).toBeCloseTo(0.137, 14);
  });
});

describe('densities', () => {
  const at = (factor: MeasuredFactorJson): MeasuredFactor => ({ ...factor, offset: 0 });
  const sum = (factor: MeasuredFactorJson, p: number[], from: number, to: number, step: number) => {
    let total = 0;
    for (let x = from; x <= to; x += step) total += step * Math.exp(logDensity(at(factor), x, p, 0));
    return total;
  };
  it('add up to one', () => {
    expect(sum(factorOf('normal', []), [3, 2], -20, 26, 0.01)).toBeCloseTo(1, 9);
    expect(sum(factorOf('lognormal', []), [1.4, 0.4], 0.001, 20, 0.001)).toBeCloseTo(1, 6);
    expect(sum(factorOf('student', []), [-1, 0.7, 6], -60, 60, 0.01)).toBeCloseTo(1, 6);
    expect(sum(factorOf('poisson', []), [4.5], 0, 100, 1)).toBeCloseTo(1, 12);
    expect(sum(factorOf('negative-binomial', []), [6, 2], 0, 400, 1)).toBeCloseTo(1, 9);
    expect(sum(factorOf('categorical', [], { levels: ['a', 'b', 'c'] }), [0.2, 0.5, 0.3], 0, 2, 1)).toBeCloseTo(1, 12);
    expect(sum(factorOf('ordinal', [], { levels: ['a', 'b', 'c'] }), [0.4, -0.6, 1.1], 0, 2, 1)).toBeCloseTo(1, 12);
  });
  it('count all beyond a limit of detection at the limit', () => {
    const limited = factorOf('normal', [], { lower: -0.5, upper: 2 });
    const inside = sum(limited, [0.3, 1], -0.4999, 1.9999, 0.0001);
    const ends = Math.exp(logDensity(at(limited), -0.5, [0.3, 1], 0)) + Math.exp(logDensity(at(limited), 2, [0.3, 1], 0));
    expect(inside + ends).toBeCloseTo(1, 3);
  });
});

describe('outcomes', () => {
  it('that are the same share a place', () => {
    const measured = new Measured(json);
    expect([...measured.placesOfVisits]).toEqual([0, 1, 0]);
    expect(measured.recorded).toBe(2);
    expect(measured.place([62.5, NaN, 18])).toBe(0);
    expect(measured.place([NaN, NaN, NaN])).toBe(-1);
    expect(measured.place([1, NaN, 18])).toBe(2);
    expect(measured.recorded).toBe(2);
  });
  it('change one value at a time, and stay within limits of detection', () => {
    const measured = new Measured(json);
    expect(measured.values(withValue(measured, 0, 2, 25))).toEqual([62.5, NaN, 25]);
    expect(measured.values(withValue(measured, 0, 0, 10))).toEqual([40, NaN, 18]);
    expect(withValue(measured, withValue(measured, 0, 0, NaN), 2, NaN)).toBe(-1);
    expect(measured.values(withValue(measured, -1, 1, 2.5))).toEqual([NaN, 2.5, NaN]);
  });
  it('come back from an address as they were written', () => {
    const measured = new Measured(json);
    const problem = { measured } as Problem;
    expect(textOfPlace(measured, 1)).toBe('_3.1_22');
    expect(placeOfText(problem, 1, '_3.1_22')).toBe(1);
    const bad = ['', '_3.1', '_x_22', '_-3_22', '_3.1_2.5', '_1e999_', '_3.1_22_'];
    for (const text of bad) expect(placeOfText(problem, 1, text), text).toBeNull();
    expect(placeOfText(problem, 0, '_3.1_22')).toBeNull(); // this action measures no lactate
    expect(placeOfText(problem, 1, '__')).toBe(-1);
  });
});

describe('a belief', () => {
  it('far from every state stays a belief', () => {
    const measured = new Measured(json);
    const rows = Float64Array.from([78, 9, 1.4, 0.4, 16, 62, 9, 3.1, 0.5, 22]);
    const same = Float64Array.from([1, 0, 0, 1]);
    const dynamics: Dynamics = { b1: Float64Array.from([0.5, 0.5]), T: [same, same], O: [rows, rows], measured };
    for (const values of [[1e7, NaN, NaN], [-1e7, 1e-300, 9e15], [62, 1e300, 0]]) {
      const { belief, chance } = update(dynamics, [0.5, 0.5], 1, measured.place(values));
      expect(belief[0] + belief[1]).toBeCloseTo(1, 12);
      expect(chance).toBeGreaterThan(0);
      expect(Number.isFinite(chance)).toBe(true);
    }
    const exact = update(dynamics, [0.5, 0.5], 1, measured.place([70, 2, 19]));
    const density = (s: number) => measured.factors.reduce((log, f, k) => log + logDensity(f, [70, 2, 19][k], rows, s * 5 + f.offset), 0);
    expect(exact.belief[0]).toBeCloseTo(1 / (1 + Math.exp(density(1) - density(0))), 13);
    expect(exact.chance).toBeCloseTo(0.5 * Math.exp(density(0)) + 0.5 * Math.exp(density(1)), 15);
  });
});

describe('what could have been measured', () => {
  it('has the mean of its family', () => {
    const measured = new Measured(json);
    const rows = Float64Array.from([78, 9, 1.4, 0.4, 16]);
    const even = Float64Array.from({ length: 2000 }, (_, i) => (i + 0.5) / 2000);
    const mean = (k: number) => valuesAt(measured.factors[k], rows, measured.factors[k].offset, even, even).reduce((x, y) => x + y / 2000, 0);
    expect(mean(0)).toBeCloseTo(78, 1);
    expect(mean(1)).toBeCloseTo(1.4 * Math.exp(0.08), 2);
    expect(mean(2)).toBeCloseTo(16, 1);
    const { weights } = outcomeChances(measured, Float64Array.from([...rows, 62, 9, 3.1, 0.5, 22]), 2, [0, 2]);
    expect(weights.length).toBe(2 * POINTS * 2);
    expect(Math.max(...weights)).toBe(1);
  });
});

describe('words', () => {
  it('are the program’s', () => {
    const [pressure, lactate] = new Measured(json).factors;
    expect(valueWords(pressure, 62.5)).toBe('pressure 62.5 mmHg');
    expect(valueWords(lactate, NaN)).toBe('lactate not measured');
    expect([12345.6, 123.45, 62.125, 7.3424, 0.5, 2e-5, 0, -3.25].map(shortNumber)).toEqual(['12346', '123.5', '62.12', '7.342', '0.5', '2e-05', '0', '-3.25']);
    expect(columnName(new Measured(json), 3)).toBe('lactate log sd');
  });
});
