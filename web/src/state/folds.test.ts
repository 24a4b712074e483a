import { expect, test } from 'vitest';
import { foldOf, foldsText } from './folds';

test('WhatIsNotSaidIsAsUsual', () => {
  expect(foldOf(null, 'who')).toBeNull();
  expect(foldOf('search', 'who')).toBeNull();
  expect(foldsText('who', 'who', null)).toBeNull();
});

test('OneIsOpenedAndClosedWithoutTheOthers', () => {
  const text = foldsText(foldsText(null, 'search', true), 'who', false);
  expect(text).toBe('search,-who');
  expect(foldOf(text, 'search')).toBe(true);
  expect(foldOf(text, 'who')).toBe(false);
  expect(foldsText(text, 'search', false)).toBe('-who,-search');
});
