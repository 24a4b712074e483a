// What the reader chooses of a table, and how a column gets and loses a role. The program makes the study of it and
// checks it; nothing here knows what a study may be.

export interface FactorChoice {
  column: string;
  seen: 'before' | 'after';
  cuts: number[]; // empty: the program's
  levels: string[]; // empty: the program's
}

export interface StudyChoice {
  name: string;
  states: string[];
  id: string;
  order: string; // empty: the rows as they stand
  action: string;
  by_presence: boolean;
  action_names: Record<string, string>;
  terminal: string[];
  factors: FactorChoice[];
  group: string;
  covariates: string[];
  label_factor: string;
  label_level: string;
}

export type Role = '' | 'id' | 'order' | 'action' | 'presence' | 'before' | 'after' | 'group' | 'covariate';

export const roleWords: [Role, string][] = [
  ['', 'not used'],
  ['id', 'whose row it is'],
  ['order', 'when: orders the visits'],
  ['action', 'what was done'],
  ['presence', 'done if filled in'],
  ['before', 'seen before the decision'],
  ['after', 'seen after the decision'],
  ['group', 'site, ward or clinician'],
  ['covariate', 'describes the patient'],
];

export function roleOf(choice: StudyChoice, column: string): Role {
  if (choice.id === column) return 'id';
  if (choice.order === column) return 'order';
  if (choice.action === column) return choice.by_presence ? 'presence' : 'action';
  if (choice.group === column) return 'group';
  if (choice.covariates.includes(column)) return 'covariate';
  return choice.factors.find((factor) => factor.column === column)?.seen ?? '';
}

// A role that one column has goes from another that had it.
export function withRole(choice: StudyChoice, column: string, role: Role): StudyChoice {
  if (roleOf(choice, column) === role) return choice;
  const kept = choice.factors.find((factor) => factor.column === column);
  let next = withoutRoles(choice, column);
  switch (role) {
    case 'id':
      return { ...next, id: column };
    case 'order':
      return { ...next, order: column };
    case 'action':
    case 'presence':
      next = { ...withoutAction(next), action: column, by_presence: role === 'presence', action_names: {}, terminal: [] };
      // What was measured is seen afterwards, too.
      return role === 'presence' ? withFactor(next, { column, seen: 'after', cuts: [], levels: [] }) : next;
    case 'before':
    case 'after':
      return withFactor(next, { column, cuts: kept?.cuts ?? [], levels: kept?.levels ?? [], seen: role });
    case 'group':
      return { ...next, group: column };
    case 'covariate':
      return { ...next, covariates: [...next.covariates, column] };
    default:
      return next;
  }
}

export function withFactor(choice: StudyChoice, factor: FactorChoice): StudyChoice {
  const known = choice.factors.some((other) => other.column === factor.column);
  const factors = known
    ? choice.factors.map((other) => (other.column === factor.column ? factor : other))
    : [...choice.factors, factor];
  return { ...choice, factors };
}

function withoutAction(choice: StudyChoice): StudyChoice {
  return choice.by_presence ? withoutFactor(choice, choice.action) : choice;
}

function withoutFactor(choice: StudyChoice, column: string): StudyChoice {
  const labelled = choice.label_factor === column;
  return {
    ...choice,
    factors: choice.factors.filter((factor) => factor.column !== column),
    label_factor: labelled ? '' : choice.label_factor,
    label_level: labelled ? '' : choice.label_level,
  };
}

function withoutRoles(choice: StudyChoice, column: string): StudyChoice {
  const next = withoutFactor(choice, column);
  const acted = next.action === column;
  return {
    ...next,
    id: next.id === column ? '' : next.id,
    order: next.order === column ? '' : next.order,
    action: acted ? '' : next.action,
    by_presence: acted ? false : next.by_presence,
    group: next.group === column ? '' : next.group,
    covariates: next.covariates.filter((name) => name !== column),
  };
}

// Cuts in order, without repeats; names of levels stay where their number does.
export function withCuts(choice: StudyChoice, column: string, cuts: number[]): StudyChoice {
  const factor = choice.factors.find((other) => other.column === column);
  if (!factor) return choice;
  const ordered = [...new Set(cuts.filter(Number.isFinite))].sort((x, y) => x - y);
  const levels = factor.levels.length === ordered.length + 1 ? factor.levels : [];
  const next = withFactor(choice, { ...factor, cuts: ordered, levels });
  return choice.label_factor === column && levels.length === 0 ? { ...next, label_factor: '', label_level: '' } : next;
}
