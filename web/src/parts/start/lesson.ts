// "How to read this" on a real record of the data: what each of the four steps shows and says.
import { percent } from '../../core/format';
import { layoutFor, type Layout } from '../../core/geometry/simplex_layout';
import type { Visit } from '../../core/explain';
import { mostLikely, policyAt, type Mind } from '../../core/model';
import { measuredIn } from '../../core/attribution';
import { factorWords } from '../../core/sentences';
import type { FactorsJson } from '../../core/payload';

export interface Lesson {
  title: string;
  text: string;
  shown: number; // beliefs of the record drawn
  regions: boolean;
}

// The page's own text in the study's words.
type Say = (text: string) => string;

const most = 4; // visits in a small picture

// Triangles for three states; for more, the two states this patient's belief moves between, and the rest.
export function lessonLayout(mind: Mind, visits: Visit[]): Layout {
  const { S } = mind.problem;
  if (S <= 3) return layoutFor(mind.problem, S === 3 ? 'triangle' : 'interval');
  const spread = mind.problem.states.map((_, s) => {
    const shares = visits.map((visit) => visit.belief[s]);
    return { s, moved: Math.max(...shares) - Math.min(...shares) };
  });
  const pair = spread.sort((x, y) => y.moved - x.moved).slice(0, 2).map(({ s }) => s).sort((x, y) => x - y);
  return layoutFor(mind.problem, 'two-plus-rest', pair, visits[0].belief);
}

export function lessons(mind: Mind, factors: FactorsJson, visits: Visit[], who: string, corners: string[], say: Say): Lesson[] {
  const { S } = mind.problem;
  const shape = S === 2 ? 'interval' : 'triangle';
  const place = S === 2 ? 'end' : 'corner';
  return [
    {
      title: `The ${shape} holds every belief`,
      text: `At a ${place} one state is certain: ${listed(corners)}. Half-way between two of them both are equally likely${S > 2 ? '; in the middle nothing is known' : ''}.`,
      shown: 0,
      regions: false,
    },
    { title: 'A dot is a belief', text: `${who} ${say('at the first visit')}: ${beliefOf(mind, visits[0].belief)}. Nobody wrote this down; it is inferred from what was decided.`, shown: 1, regions: false },
    { title: 'Each result moves it', text: movedText(mind, factors, visits, say), shown: Math.min(most, visits.length), regions: false },
    { title: 'At the line the choice changes', text: choiceText(mind, visits, say), shown: Math.min(most, visits.length), regions: true },
  ];
}

function listed(names: string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names[names.length - 1]}`;
}

// The states worth naming, the most likely first.
function beliefOf(mind: Mind, belief: ArrayLike<number>): string {
  return mind.problem.states
    .map((name, s) => ({ name, share: belief[s] }))
    .sort((x, y) => y.share - x.share)
    .filter(({ share }, i) => i === 0 || share >= 0.005)
    .slice(0, 3)
    .map(({ name, share }) => `${name} ${percent(share)}`)
    .join(', ');
}

function movedText(mind: Mind, factors: FactorsJson, visits: Visit[], say: Say): string {
  const [first, second] = visits;
  if (!second) return say('This patient has one visit only: the dot stays where it is.');
  const action = mind.problem.actions[first.step.action];
  const seen =
    first.step.observation < 0
      ? 'no result was recorded'
      : `the result was ${measuredIn(factors, first.step)
          .map((k) => factorWords(factors, first.step.observation, k))
          .join(', ')}`;
  return `${say('At visit 1')} the action was ${action}; ${seen}. The belief moved to ${beliefOf(mind, second.belief)}. ${say('Numbers count the visits.')}`;
}

function choiceText(mind: Mind, visits: Visit[], say: Say): string {
  const last = visits[Math.min(most, visits.length) - 1];
  // As the picture has it: by belief alone.
  const region = mostLikely(mind.policy, last.belief);
  const likely = mind.problem.actions[region];
  const chance = percent(policyAt(mind.policy, last.belief)[region]);
  return `On each side another action is the most likely one. ${say('At visit')} ${last.index + 1} the dot lies where that is ${likely} (${chance}); what was done: ${mind.problem.actions[last.step.action]}.`;
}
