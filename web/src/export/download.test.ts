import { expect, test } from 'vitest';
import { fileName } from './download';

test('file names hold no paths, dots in front or odd characters', () => {
  expect(fileName('../../etc/passwd')).toBe('etc-passwd');
  expect(fileName('policy map <b>.svg')).toBe('policy-map-b-.svg');
  expect(fileName('***')).toBe('interpole');
});
