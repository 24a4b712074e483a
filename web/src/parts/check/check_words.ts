// What the model check says in words, and how figures without a percentage are written.
import type { CheckJson, ModelCheckJson, ScoreJson } from '../../core/payload';

export type ScoreName = keyof CheckJson['scores'];

export interface ScoreWords {
  name: string;
  meaning: string;
  better: 'higher' | 'lower';
}

export const scoreWords: Record<ScoreName, ScoreWords> = {
  auroc: {
    name: 'AUROC',
    meaning: 'How well actions are told apart: 0.5 is guessing, 1 is perfect.',
    better: 'higher',
  },
  auprc: {
    name: 'AUPRC',
    meaning: 'The same where an action is rare: 1 is perfect, guessing scores how frequent the action is.',
    better: 'higher',
  },
  brier: {
    name: 'Brier score',
    meaning: 'How far probabilities are from what was done, squared: 0 is perfect.',
    better: 'lower',
  },
  log_loss: {
    name: 'Log loss',
    meaning: 'How surprising the recorded decisions are, in nats: 0 is perfect.',
    better: 'lower',
  },
  calibration_error: {
    name: 'Calibration error',
    meaning: 'How far said and observed frequencies are apart on average: 0 is perfect.',
    better: 'lower',
  },
};
export const scoreNames = Object.keys(scoreWords) as ScoreName[];

export function figure(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return '–';
  const text = Math.abs(value) < 100 ? value.toFixed(3) : value.toFixed(1);
  return Number(text) === 0 ? text.replace('-', '') : text.replace('-', '−');
}

export function range(score: ScoreJson): string {
  return score.low === null || score.high === null ? '–' : `${figure(score.low)} to ${figure(score.high)}`;
}

export interface Verdict {
  tone: 'good' | 'bad' | 'unknown' | 'plain';
  title: string;
  words: string;
}

// Something is known that keeps the model from being believed as a whole: nothing about it is then simply fine.
export function isDoubted({ converged, checks, modes_disagree }: CheckJson): boolean {
  return converged === false || modes_disagree || checks.some((check) => check.failed);
}

// One set of dynamics for those who decided and for the world: whether they saw patients as they are was not asked.
export function isShared({ provenance }: CheckJson): boolean {
  return (provenance.options as { dynamics?: unknown } | undefined)?.dynamics === 'shared';
}

// What stands beside every finding while it holds, in a few words each.
export function cautions(check: CheckJson): string[] {
  const failed = check.checks.filter(({ failed: fails }) => fails).length;
  return [
    ...(check.converged === false ? ['the search had not ended, so this is provisional'] : []),
    ...(check.modes_disagree ? ['another explanation, nearly as good, says something else'] : []),
    ...(failed > 0 ? [`the model fails ${failed} of ${check.checks.length} checks, so this may come from something it does not have`] : []),
    ...(isShared(check) ? ['whether those who decided saw patients as they are was not asked'] : []),
  ];
}

// No tick stands beside something that is wrong, here or among the explanations that the search found, nor beside the question
// that was not asked.
export function verdicts(check: CheckJson): Verdict[] {
  const all = [
    convergence(check.converged), agreement(check), reproduction(check), oneOrTwo(check), identification(check.identified),
  ].filter((one) => one !== null);
  const ticks = !isDoubted(check) && !isShared(check) && all.every(({ tone }) => tone !== 'bad');
  return all.map((verdict) => (!ticks && verdict.tone === 'good' ? { ...verdict, tone: 'plain' } : verdict));
}

function oneOrTwo(check: CheckJson): Verdict | null {
  if (!isShared(check)) return null;
  return {
    tone: 'unknown',
    title: 'Agent and world were taken for one',
    words: 'This fit takes it that those who decided saw patients as they are, and did not ask whether they did. Where they did not, what it says of tests and of beliefs is off.',
  };
}

export function agreement({ modes, modes_disagree }: CheckJson): Verdict | null {
  if (!modes_disagree) return null;
  const behind = modes.length > 1 ? `, ${(modes[0].log_posterior - modes[1].log_posterior).toFixed(1)} nats behind` : '';
  return {
    tone: 'bad',
    title: 'Two explanations disagree',
    words: `The search found another explanation that is nearly as good${behind}, and says something else. Read nothing into what they differ in.`,
  };
}

export function reproduction({ checks, not_checked }: CheckJson): Verdict {
  if (checks.length === 0) {
    return { tone: 'unknown', title: 'The model was not checked', words: not_checked[0] ?? 'Nothing says whether it reproduces what it was not fitted to.' };
  }
  const failed = checks.filter((check) => check.failed).length;
  return failed === 0
    ? { tone: 'good', title: 'The model reproduces the records', words: `Of ${checks.length} checks of what it was not fitted to, none failed.` }
    : {
        tone: 'bad',
        title: `The model fails ${failed} of ${checks.length} checks`,
        words: 'Decisions follow something that the model does not have. What it says of beliefs, and of bias, may come from that.',
      };
}

export function convergence(converged: boolean | null): Verdict {
  if (converged === null) {
    return { tone: 'unknown', title: 'How the fit ended is not known', words: 'The model file does not say how its fit ended.' };
  }
  return converged
    ? { tone: 'good', title: 'The fit ended well', words: 'The search for the best explanation ended where no step improves it.' }
    : {
        tone: 'bad',
        title: 'The fit did not end well',
        words: 'The search stopped before it found the best explanation: read nothing into the numbers. Fit again with more iterations.',
      };
}

export function identification(identified: boolean | null): Verdict {
  if (identified === null) {
    return { tone: 'unknown', title: 'Whether the records settle it is not known', words: 'The model file does not say whether other numbers would explain the records as well.' };
  }
  return identified
    ? { tone: 'good', title: 'The records settle it', words: 'No other set of numbers gives the same decisions everywhere, as far as was checked.' }
    : {
        tone: 'bad',
        title: 'The records do not settle every number',
        words: 'Other means or state names would give the same decisions. Read boundaries and probabilities, not single means.',
      };
}

// Restarts that ended in the best explanation, and how far the next one is behind.
export function modesVerdict(modes: CheckJson['modes']): string {
  if (modes.length === 0) return 'The model file does not list what the restarts found.';
  const best = `${Math.round(modes[0].share * 100)}% of the restarts found the best explanation`;
  if (modes.length === 1) return modes[0].share >= 0.999 ? 'All restarts found the same explanation.' : `${best}.`;
  return `${best}; ${modes.length - 1} other ${modes.length === 2 ? 'one was' : 'ones were'} found.`;
}

// Shares and changes of shares in percent, correlations as they are.
export function checkFigure({ unit }: ModelCheckJson, value: number | null): string {
  if (value === null || !Number.isFinite(value)) return '–';
  const text = unit === 'correlation' ? value.toFixed(3) : `${(100 * value).toFixed(1)}%`;
  return text.replace('-', '−');
}

export function checkRange(check: ModelCheckJson): string {
  return `${checkFigure(check, check.expected)} [${checkFigure(check, check.low)}, ${checkFigure(check, check.high)}]`;
}

// How far the observed number is from the expected one, in half-widths of the interval; null: not known.
export function deviation({ observed, expected, low, high }: ModelCheckJson): number | null {
  if (observed === null || expected === null || low === null || high === null || !(high > low)) return null;
  return (2 * (observed - expected)) / (high - low);
}
