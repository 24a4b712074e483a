import { expect, test } from 'vitest';
import { inWords, inWordsAround } from './study_words';

const icu = { patient: ['stay', 'stays'], visit: ['hour', 'hours'], test: ['lactate measurement', 'lactate measurements'], belated: ['late'] };

test('AStudyWithoutWordsChangesNothing', () => {
  expect(inWords('A patient at a visit', undefined)).toBe('A patient at a visit');
  expect(inWordsAround('A patient', undefined, [])).toBe('A patient');
});

test('OneAndSeveralAndCapitalsAreKept', () => {
  expect(inWords('Patients under pseudonyms; visit by visit', icu)).toBe('Stays under pseudonyms; hour by hour');
  expect(inWords('Belated diagnoses', icu)).toBe('Late diagnoses');
  expect(inWords('A patient’s wish', icu)).toBe('A stay’s wish');
});

test('ArticlesFollowTheWord', () => {
  expect(inWords('at a visit', icu)).toBe('at an hour');
  expect(inWords('A visit', icu)).toBe('An hour');
  expect(inWords('a patient, a test', { patient: ['animal', 'animals'], test: ['X-ray', 'X-rays'] })).toBe('an animal, an X-ray');
  expect(inWords('a patient', { patient: ['unit', 'units'] })).toBe('a unit');
});

test('OnlyWholeWordsAreTaken', () => {
  expect(inWords('tested, visiting, outpatient', icu)).toBe('tested, visiting, outpatient');
});

test('WordsThatAreNotStatedStay', () => {
  expect(inWords('tests of a patient', { patient: ['claim', 'claims'] })).toBe('tests of a claim');
});

test('NamesOfTheDataAreLeftAlone', () => {
  const names = ['test', 'patient over 75', 'a.b'];
  expect(inWordsAround('After test, a visit of patients; patient over 75', icu, names)).toBe('After test, an hour of stays; patient over 75');
  expect(inWordsAround('"visit" and “patient” of a patient', icu, [])).toBe('"visit" and “patient” of a stay');
});
