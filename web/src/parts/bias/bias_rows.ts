// The bias audit's numbers as lines of a chart: which come first, and what they are called.
import { percent, points } from '../../core/format';
import { columnName } from '../../core/measured/words';
import type { Problem } from '../../core/model';
import type { BiasFindingJson, FactorsJson } from '../../core/payload';
import type { IntervalRow } from '../charts/interval_rows';
import { signedPoints } from '../charts/signed_points';

export type BiasField = BiasFindingJson['field'];

export const fieldWords: Record<BiasField, string> = {
  initial_belief: 'Where patients start',
  transition: 'How states change',
  observation: 'What results show',
};
export const fields = Object.keys(fieldWords) as BiasField[];

export interface BiasFilter {
  field: BiasField | null;
  action: number | null;
  flaggedOnly: boolean;
}

export function filtered(findings: BiasFindingJson[], filter: BiasFilter): BiasFindingJson[] {
  return findings.filter(
    (finding) =>
      (filter.field === null || finding.field === filter.field) &&
      (filter.action === null || finding.action === filter.action) &&
      (!filter.flaggedOnly || finding.flagged),
  );
}

// What stands out first, the larger difference before the smaller; then the rest, the likelier to matter first.
export function byWeight(findings: BiasFindingJson[]): BiasFindingJson[] {
  const size = (finding: BiasFindingJson) => Math.abs(finding.difference.middle);
  return [...findings].sort(
    (a, b) =>
      Number(b.flagged) - Number(a.flagged) ||
      (a.flagged ? size(b) - size(a) : b.exceeds - a.exceeds || size(b) - size(a)),
  );
}

// "CDR-SB impaired, hippocampus below"; of a single factor its level is enough.
function outcomeOf(problem: Problem, factors: FactorsJson, action: number, outcome: number): string {
  if (problem.measured) return columnName(problem.measured, outcome);
  const measured = factors.names.map((_, k) => k).filter((k) => factors.measured[action]?.[k]);
  if (factors.names.length < 2 || measured.length === 0) return problem.observations[outcome];
  return measured.map((k) => `${factors.names[k]} ${factors.levels[k][factors.level[outcome][k]]}`).join(', ');
}

export function nameOf(problem: Problem, factors: FactorsJson, finding: BiasFindingJson): string {
  const { states, actions } = problem;
  const action = finding.action === null ? '' : actions[finding.action];
  switch (finding.field) {
    case 'initial_belief':
      return `${states[finding.outcome]} at the start`;
    case 'transition':
      return finding.state === finding.outcome
        ? `${states[finding.state]} lasts after ${action}`
        : `${states[finding.state]} → ${states[finding.outcome]} after ${action}`;
    default:
      return `${outcomeOf(problem, factors, finding.action ?? -1, finding.outcome)} if ${states[finding.state]}, after ${action}`;
  }
}

export function rowOf(problem: Problem, factors: FactorsJson, finding: BiasFindingJson, margin: number): IntervalRow {
  const { difference } = finding;
  return {
    label: nameOf(problem, factors, finding),
    note: finding.sentence || undefined,
    marks: [finding.agent, finding.world],
    aside: [
      points(difference.middle),
      `(${signedPoints(difference.low)} to ${signedPoints(difference.high)})`,
      `over ${Math.round(margin * 100)} points: ${percent(finding.exceeds)} sure`,
    ],
    flagged: finding.flagged ? 'stands out' : undefined,
  };
}
