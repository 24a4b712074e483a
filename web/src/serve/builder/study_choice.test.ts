import { describe, expect, test } from 'vitest';
import { roleOf, withCuts, withRole, type StudyChoice } from './study_choice';

const none: StudyChoice = {
  name: 's', states: ['a', 'b'], id: '', order: '', action: '', by_presence: false, action_names: {}, terminal: [],
  factors: [], group: '', covariates: [], label_factor: '', label_level: '',
};
const full = [['who', 'id'], ['day', 'order'], ['drug', 'action'], ['lab', 'before']].reduce(
  (choice, [column, role]) => withRole(choice, column, role as 'id'), none);

describe('the role of a column', () => {
  test('IsTheOneItWasGiven', () => {
    for (const role of ['', 'id', 'order', 'action', 'presence', 'before', 'after', 'group', 'covariate'] as const) {
      expect(roleOf(withRole(full, 'x', role), 'x')).toBe(role);
    }
  });

  test('GoesFromTheColumnThatHadIt', () => {
    const other = withRole(full, 'person', 'id');
    expect(roleOf(other, 'who')).toBe('');
    expect(roleOf(other, 'person')).toBe('id');
    expect(roleOf(withRole(full, 'lab', 'id'), 'who')).toBe('');
    expect(withRole(full, 'lab', 'id').factors).toEqual([]);
  });

  test('OfWhatIsDoneIfFilledInIsSeenAsWell', () => {
    const ordered = withRole(full, 'test', 'presence');
    expect(ordered.factors.map((factor) => factor.column)).toEqual(['lab', 'test']);
    expect(withRole(ordered, 'drug', 'action').factors.map((factor) => factor.column)).toEqual(['lab']);
    expect(withRole(ordered, 'test', '').action).toBe('');
  });

  test('KeepsCutsWhenSeenChanges', () => {
    const cut = withCuts(full, 'lab', [7, 5, 7]);
    expect(cut.factors[0].cuts).toEqual([5, 7]);
    expect(withRole(cut, 'lab', 'after').factors[0]).toEqual({ column: 'lab', seen: 'after', cuts: [5, 7], levels: [] });
  });
});

describe('cuts', () => {
  test('KeepNamesOfLevelsWhereTheirNumberStays', () => {
    const named = { ...full, factors: [{ ...full.factors[0], cuts: [5], levels: ['low', 'high'] }], label_factor: 'lab', label_level: 'high' };
    expect(withCuts(named, 'lab', [6]).factors[0].levels).toEqual(['low', 'high']);
    expect(withCuts(named, 'lab', [6]).label_level).toBe('high');
    expect(withCuts(named, 'lab', [6, 8]).factors[0].levels).toEqual([]);
    expect(withCuts(named, 'lab', [6, 8]).label_factor).toBe('');
  });

  test('OfNoSuchColumnChangeNothing', () => {
    expect(withCuts(full, 'none', [1])).toBe(full);
  });
});
