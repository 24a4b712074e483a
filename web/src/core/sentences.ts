// The explanation of a decision as one sentence, in the program's words (explain/record/trajectory_words.cpp).
import type { FactorsJson } from './payload';
import type { Visit } from './explain';
import type { Step } from './histories';
import { percent, percentIn, roundHalfToEven } from './format';
import type { VisitIntervals } from './intervals';
import { measuredIn } from './attribution';
import { valueWords } from './measured/words';
import { measuredFactors } from './measured/outcomes';
import { MISSING, type Problem } from './model';

const HARDLY = 0.005; // a change of belief that percents do not show
const RARE = 0.05;

// One for each decision. The first says what is believed at first; the others what the last outcome changed. Then what was
// likely, and what was done.
export function sentences(problem: Problem, factors: FactorsJson, visits: Visit[], intervals: VisitIntervals[] = []): string[] {
  return visits.map((visit, t) => {
    const sure = { last: intervals[t - 1], now: intervals[t] };
    const before =
      t === 0 ? firstBelief(problem, visit.belief, sure.now) : changeOf(problem, factors, visits[t - 1], visit.belief, sure);
    return `${before}; ${choiceOf(problem, visit, sure.now)}.`;
  });
}

interface HowSure {
  last?: VisitIntervals;
  now?: VisitIntervals;
}

// "CDR-SB normal"; the outcome's own name where there is one factor.
export function factorWords(factors: FactorsJson, observation: number, factor: number): string {
  const table = measuredFactors(factors);
  if (table) return valueWords(table.factors[factor], table.at(observation, factor));
  const name = factors.levels[factor][factors.level[observation][factor]];
  return factors.names.length === 1 ? name : `${factors.names[factor]} ${name}`;
}

export function joined(words: string[]): string {
  return words.map((word, i) => (i === 0 ? '' : i + 1 === words.length ? ' and ' : ', ') + word).join('');
}

function firstBelief(problem: Problem, belief: Float64Array, sure?: VisitIntervals): string {
  return `At first the belief is ${joined(problem.states.map((state, s) => `${state} ${percentIn(belief[s], sure?.belief[s])}`))}`;
}

// What moved the belief in one state, as the table of the view "Why" has it: time first, then what was seen of each factor.
// Parts that whole percentage points do not show are left out.
interface MovePart {
  words: string;
  points: number;
  ofTime: boolean;
}

function visibleParts(factors: FactorsJson, last: Visit, state: number): MovePart[] {
  if (!last.move) return [];
  const parts = [
    { words: 'the passing of time', change: last.move.time.belief[state], ofTime: true },
    ...last.move.factors.map(({ factor, shift }) => ({
      words: factorWords(factors, last.step.observation, factor), change: shift.belief[state], ofTime: false,
    })),
  ];
  return parts.map(({ words, change, ofTime }) => ({ words, points: roundHalfToEven(100 * change), ofTime })).filter(({ points }) => points !== 0);
}

// "+12 points by the passing of time, −3 by CDR-SB normal"
function inPoints(parts: MovePart[]): string {
  return parts
    .map(({ words, points }, i) => {
      const unit = i > 0 ? '' : Math.abs(points) === 1 ? ' point' : ' points';
      return `${points < 0 ? '−' : '+'}${Math.abs(points)}${unit} by ${words}`;
    })
    .join(', ');
}

function seenWords(factors: FactorsJson, step: Step): string {
  if (step.observation === MISSING) return '';
  const measured = measuredIn(factors, step);
  return joined(measured.map((k) => factorWords(factors, step.observation, k)));
}

// Where one thing did it all, it comes first; where several did, each with what it did.
function changeOf(problem: Problem, factors: FactorsJson, last: Visit, now: Float64Array, sure: HowSure): string {
  let moved = 0;
  let likeliest = 0;
  // What differs by rounding alone counts as equal where exponentials are computed here and there.
  const alike = problem.measured || problem.time ? 1e-9 : 0;
  for (let s = 0; s < now.length; ++s) {
    if (Math.abs(now[s] - last.belief[s]) > Math.abs(now[moved] - last.belief[moved]) + alike) moved = s;
    if (now[s] > now[likeliest]) likeliest = s;
  }
  const change = now[moved] - last.belief[moved];
  const hardly = Math.abs(change) < HARDLY;
  const parts = visibleParts(factors, last, hardly ? likeliest : moved);
  const seen = seenWords(factors, last.step);
  const byTime = parts.some(({ ofTime }) => ofTime);
  const what = hardly
    ? `the belief hardly moved (${problem.states[likeliest]} ${percentIn(now[likeliest], sure.now?.belief[likeliest])})`
    : `the belief in ${problem.states[moved]} ${change > 0 ? 'rose' : 'fell'} from ${percentIn(last.belief[moved], sure.last?.belief[moved])} to ${percentIn(now[moved], sure.now?.belief[moved])}`;
  if (last.step.observation === MISSING) return `Without a result, ${what}`;
  if (seen === '') return `With time, ${what}`;
  const oneWay = parts.every(({ points }) => points > 0 === change > 0);
  if (parts.length === 0 || (!byTime && oneWay && !hardly)) {
    return `After ${parts.length === 0 ? seen : joined(parts.map(({ words }) => words))}, ${what}`;
  }
  if (byTime && parts.length === 1) return `With time, ${what}, which ${seen} hardly changed`;
  return `T${what.slice(1)}: ${inPoints(parts)}`;
}

function choiceOf(problem: Problem, visit: Visit, sure?: VisitIntervals): string {
  const likely = problem.actions[visit.region];
  const chance = visit.policy[visit.region];
  const alone = visit.byBelief ? `; by belief alone ${percent(visit.byBelief[visit.region])}` : '';
  const how = `${chance > 0.5 ? 'more likely than not' : 'the likeliest choice'} (${percentIn(chance, sure?.policy[visit.region])}${alone})`;
  if (visit.step.action === visit.region) return `${likely} was ${how}, and was chosen`;
  const rare = visit.probability < RARE ? ', a rare choice here' : '';
  return `${likely} was ${how}, but ${problem.actions[visit.step.action]} was chosen (${percentIn(visit.probability, sure?.policy[visit.step.action])}${rare})`;
}
