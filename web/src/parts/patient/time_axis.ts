// A record's visits where they were in time, and its beliefs on the way from one to the next, for the chart of beliefs.
import type { Step } from '../../core/histories';
import type { Mind } from '../../core/model';
import type { Estimate } from '../../core/payload';
import { drifted, driftIntervals, timesOf, type Moment } from '../../core/time/drift';

export interface TimeAxis {
  unit: string;
  times: number[]; // of visits, since the first
  between: (moment: Moment) => ArrayLike<number>;
  ghostBetween?: (moment: Moment) => ArrayLike<number>;
  sureBetween: (moments: Moment[]) => Estimate[][] | null;
}

// Beliefs of a mind before each visit of a record. `steps`: as they were, or as they might have been.
export interface Course {
  mind: Mind;
  steps: Step[];
  beliefs: ArrayLike<number>[];
}

const between =
  ({ mind, steps, beliefs }: Course) =>
  ({ visit, since }: Moment) =>
    drifted(mind, beliefs[visit], steps[visit].action, since);

// Undefined: visits have no times.
export function timeAxis(course: Course, draws: Mind[], ghost?: Course): TimeAxis | undefined {
  const unit = course.mind.problem.time?.unit;
  const times = timesOf(course.steps);
  if (!unit || !times) return undefined;
  return {
    unit,
    times: times.slice(0, course.beliefs.length),
    between: between(course),
    ghostBetween: ghost && between(ghost),
    sureBetween: (moments) => driftIntervals(draws, course.steps, moments),
  };
}
