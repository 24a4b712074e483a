// The explanation of a decision as one sentence, in the program's words (explain/record/trajectory_words.cpp).
import type { FactorsJson } from './payload';
import type { Visit } from './explain';
import type { Step } from './histories';
import { percent } from './format';
import { MISSING, type Problem } from './model';

const HARDLY = 0.005; // a change of belief that percents do not show
const RARE = 0.05;

// One for each decision. The first says what is believed at first; the others what the last outcome changed. Then what was
// likely, and what was done.
export function sentences(problem: Problem, factors: FactorsJson, visits: Visit[]): string[] {
  return visits.map((visit, t) => {
    const before =
      t === 0 ? firstBelief(problem, visit.belief) : changeOf(problem, factors, visits[t - 1], visit.belief);
    return `${before}; ${choiceOf(problem, visit)}.`;
  });
}

// "CDR-SB normal"; the outcome's own name where there is one factor.
export function factorWords(factors: FactorsJson, observation: number, factor: number): string {
  const name = factors.levels[factor][factors.level[observation][factor]];
  return factors.names.length === 1 ? name : `${factors.names[factor]} ${name}`;
}

export function joined(words: string[]): string {
  return words.map((word, i) => (i === 0 ? '' : i + 1 === words.length ? ' and ' : ', ') + word).join('');
}

function firstBelief(problem: Problem, belief: Float64Array): string {
  return `At first the belief is ${joined(problem.states.map((state, s) => `${state} ${percent(belief[s])}`))}`;
}

function causeOf(factors: FactorsJson, step: Step): string {
  if (step.observation === MISSING) return 'Without a result,';
  const measured = factors.names.map((_, k) => k).filter((k) => factors.measured[step.action][k]);
  if (measured.length === 0) return 'With time,';
  return `After ${joined(measured.map((k) => factorWords(factors, step.observation, k)))},`;
}

function changeOf(problem: Problem, factors: FactorsJson, last: Visit, now: Float64Array): string {
  let moved = 0;
  let likeliest = 0;
  for (let s = 0; s < now.length; ++s) {
    if (Math.abs(now[s] - last.belief[s]) > Math.abs(now[moved] - last.belief[moved])) moved = s;
    if (now[s] > now[likeliest]) likeliest = s;
  }
  const change = now[moved] - last.belief[moved];
  const cause = causeOf(factors, last.step);
  if (Math.abs(change) < HARDLY) {
    return `${cause} the belief hardly moved (${problem.states[likeliest]} ${percent(now[likeliest])})`;
  }
  const way = change > 0 ? 'rose' : 'fell';
  return `${cause} the belief in ${problem.states[moved]} ${way} from ${percent(last.belief[moved])} to ${percent(now[moved])}`;
}

function choiceOf(problem: Problem, visit: Visit): string {
  const likely = problem.actions[visit.region];
  const chance = visit.policy[visit.region];
  const alone = visit.byBelief ? `; by belief alone ${percent(visit.byBelief[visit.region])}` : '';
  const how = `${chance > 0.5 ? 'more likely than not' : 'the likeliest choice'} (${percent(chance)}${alone})`;
  if (visit.step.action === visit.region) return `${likely} was ${how}, and was chosen`;
  const rare = visit.probability < RARE ? ', a rare choice here' : '';
  return `${likely} was ${how}, but ${problem.actions[visit.step.action]} was chosen (${percent(visit.probability)}${rare})`;
}
