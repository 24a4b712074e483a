// How good the fit is, in words a reader can use, with the figure behind each.
import { percent } from '../../core/format';
import type { CheckJson, ScoreJson } from '../../core/payload';
import { isDoubted, isShared } from '../check/check_words';

// The page's own text in the study's words.
type Say = (text: string) => string;

export interface QualityLine {
  mark: 'good' | 'care' | 'plain';
  text: string;
}

// No line gets a tick beside one that asks for care, nor where it was not asked whether patients were seen as they are.
export function qualityLines(check: CheckJson, say: Say = (text) => text): QualityLine[] {
  const doubted = isDoubted(check);
  const lines = [
    searchLine(check), checksLine(check), sharedLine(check, say), identifiedLine(check), predictionLine(check.scores.auroc, say),
    calibrationLine(check.scores.calibration_error, doubted),
  ].filter((line) => line !== null);
  const ticks = !isShared(check) && lines.every(({ mark }) => mark !== 'care');
  return lines.map((line) => (!ticks && line.mark === 'good' ? { ...line, mark: 'plain' } : line));
}

function sharedLine(check: CheckJson, say: Say): QualityLine | null {
  if (!isShared(check)) return null;
  return { mark: 'plain', text: say('It takes it that those who decided saw patients as they are. A whole fit (coupled dynamics) asks whether they did.') };
}

function checksLine({ checks }: CheckJson): QualityLine | null {
  if (checks.length === 0) return null;
  const failed = checks.filter((check) => check.failed);
  if (failed.length === 0) return { mark: 'good', text: `It reproduces what it was not fitted to: ${checks.length} checks, none failed.` };
  return {
    mark: 'care',
    text: `It fails ${failed.length} of ${checks.length} checks, so that what it says of beliefs may come from something else. ${failed[0].sentence}`,
  };
}

function searchLine({ converged, modes, modes_disagree }: CheckJson): QualityLine | null {
  if (converged === null) return null;
  if (converged && modes_disagree) return { mark: 'care', text: 'Another explanation is nearly as good, and says something else: no figure is certain.' };
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

function predictionLine({ value, low, high }: ScoreJson, say: Say): QualityLine | null {
  if (value === null || !Number.isFinite(value)) return null;
  const words = value >= 0.9 ? 'very well' : value >= 0.8 ? 'well' : value >= 0.7 ? 'fairly' : value >= 0.6 ? 'weakly' : 'hardly better than chance';
  const range = low !== null && high !== null ? ` (${percent(low)} to ${percent(high)})` : '';
  return {
    mark: value >= 0.7 ? 'good' : 'care',
    text: say(`It tells decisions apart ${words}: of two visits with different actions it ranks the right one first ${percent(value)}${range} of the time.`),
  };
}

function calibrationLine({ value }: ScoreJson, doubted: boolean): QualityLine | null {
  if (value === null || !Number.isFinite(value)) return null;
  const off = percent(value).replace('%', value >= 0.015 ? ' percentage points' : ' percentage point');
  if (doubted && value < 0.05) return { mark: 'plain', text: `Its probabilities are off by ${off} on average; where they are off by more, they mislead.` };
  return value < 0.05
    ? { mark: 'good', text: `Its probabilities can be taken at face value: on average they are off by ${off}.` }
    : { mark: 'care', text: `Its probabilities are off by ${off} on average: read them as more or less likely, not as rates.` };
}
