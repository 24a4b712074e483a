// What the model check says in words, and how figures without a percentage are written.
import type { CheckJson, ScoreJson } from '../../core/payload';

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
  return (Math.abs(value) < 100 ? value.toFixed(3) : value.toFixed(1)).replace('-', '−');
}

export function range(score: ScoreJson): string {
  return score.low === null || score.high === null ? '–' : `${figure(score.low)} to ${figure(score.high)}`;
}

export interface Verdict {
  tone: 'good' | 'bad' | 'unknown';
  title: string;
  words: string;
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
