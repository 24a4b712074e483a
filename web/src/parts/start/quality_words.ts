// How good the fit is, in words a reader can use, with the figure behind each.
import { percent } from '../../core/format';
import type { CheckJson, ScoreJson } from '../../core/payload';

export interface QualityLine {
  mark: 'good' | 'care';
  text: string;
}

export function qualityLines(check: CheckJson): QualityLine[] {
  return [searchLine(check), identifiedLine(check), predictionLine(check.scores.auroc), calibrationLine(check.scores.calibration_error)]
    .filter((line) => line !== null);
}

function searchLine({ converged, modes }: CheckJson): QualityLine | null {
  if (converged === null) return null;
  if (!converged) return { mark: 'care', text: 'The search for the best explanation had not ended when it was stopped: treat every figure as provisional.' };
  const same = modes[0]?.share;
  const often = same !== undefined && modes.length > 1 ? ` ${percent(same)} of its starts ended there.` : '';
  return { mark: 'good', text: `The fit ended well: no small change explains the records better.${often}` };
}

function identifiedLine({ identified }: CheckJson): QualityLine | null {
  if (identified === null) return null;
  return identified
    ? { mark: 'good', text: 'The records settle the numbers shown here.' }
    : { mark: 'care', text: 'The records do not settle every number: other values give the same decisions. Rely on boundaries and probabilities.' };
}

function predictionLine({ value, low, high }: ScoreJson): QualityLine | null {
  if (value === null || !Number.isFinite(value)) return null;
  const words = value >= 0.9 ? 'very well' : value >= 0.8 ? 'well' : value >= 0.7 ? 'fairly' : value >= 0.6 ? 'weakly' : 'hardly better than chance';
  const range = low !== null && high !== null ? ` (${percent(low)} to ${percent(high)})` : '';
  return {
    mark: value >= 0.7 ? 'good' : 'care',
    text: `It tells decisions apart ${words}: of two visits with different actions it ranks the right one first ${percent(value)}${range} of the time.`,
  };
}

function calibrationLine({ value }: ScoreJson): QualityLine | null {
  if (value === null || !Number.isFinite(value)) return null;
  const off = percent(value).replace('%', value >= 0.015 ? ' percentage points' : ' percentage point');
  return value < 0.05
    ? { mark: 'good', text: `Its probabilities can be taken at face value: on average they are off by ${off}.` }
    : { mark: 'care', text: `Its probabilities are off by ${off} on average: read them as more or less likely, not as rates.` };
}
