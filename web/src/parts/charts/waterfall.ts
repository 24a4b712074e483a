// A belief's move as steps that add up: time passing, then each factor, in probability or in log-odds of one state.
import { logOdds } from '../../core/attribution';
import type { BeliefMove, Shift } from '../../core/explain';

export type Scale = 'log-odds' | 'probability';

export interface Bar {
  name: string;
  from: number;
  to: number;
}

export interface Fall {
  start: number;
  end: number;
  bars: Bar[]; // each begins where the last one ended
  domain: [number, number];
}

// Null: a belief of 0 or 1, before or after, has no log-odds.
export function waterfall(
  move: BeliefMove,
  belief: Float64Array,
  state: number,
  scale: Scale,
  names: { time: string; factors: string[] },
): Fall | null {
  const value = (shift: Shift) => (scale === 'probability' ? shift.belief[state] : shift.logOdds[state]);
  const start = scale === 'probability' ? belief[state] : logOdds(belief)[state];
  let at = start;
  const bar = (name: string, shift: Shift): Bar => {
    const from = at;
    at += value(shift);
    return { name, from, to: at };
  };
  const bars = [bar(names.time, move.time), ...move.factors.map(({ factor, shift }) => bar(names.factors[factor], shift))];
  // A result that measures no factor still moves the belief.
  if (move.factors.length === 0 && move.chance > 0 && Math.abs(value(move.evidence)) > 0) bars.push(bar('Evidence', move.evidence));
  if (!Number.isFinite(start) || bars.some(({ to }) => !Number.isFinite(to))) return null;
  return { start, end: at, bars, domain: scale === 'probability' ? [0, 1] : oddsDomain([start, ...bars.map(({ to }) => to)]) };
}

// At least from 27% to 73%, with some air at both ends.
function oddsDomain(values: number[]): [number, number] {
  const low = Math.min(...values, -1);
  const high = Math.max(...values, 1);
  const air = 0.08 * (high - low);
  return [low - air, high + air];
}

export const probabilityOf = (odds: number): number => 1 / (1 + Math.exp(-odds));

const round = [1e-6, 1e-5, 1e-4, 0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 0.9999, 1 - 1e-5, 1 - 1e-6];

// Round probabilities within a domain of log-odds.
export function probabilityTicks(domain: [number, number]): { at: number; words: string }[] {
  return round
    .map((p) => ({ at: Math.log(p / (1 - p)), words: `${Number((100 * p).toPrecision(7))}%` }))
    .filter(({ at }) => at >= domain[0] && at <= domain[1]);
}

// "odds × 3.7": what a shift in log-odds means.
export function oddsWords(shift: number): string {
  if (!Number.isFinite(shift)) return '–';
  if (Math.abs(shift) < 0.005) return 'no change';
  const times = Math.exp(Math.abs(shift));
  const digits = times < 1.1 ? 2 : times < 10 ? 1 : 0;
  const factor = digits > 0 ? times.toFixed(digits) : times < 1e6 ? Math.round(times).toLocaleString('en') : 'over a million';
  return `odds ${shift > 0 ? '×' : '÷'} ${factor}`;
}
