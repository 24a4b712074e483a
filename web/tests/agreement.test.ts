// The explorer computes beliefs, policies, moves, counterfactuals, flags and sentences itself. Here they stand beside those of the
// program: numbers to 1e-12, sentences to the letter.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { branches, expectedInformation, withoutEachFactor, type Branch } from '../src/core/counterfactual';
import { explainRecord, sentences, type BeliefMove, type Shift, type Visit } from '../src/core/explain';
import { recordIntervals, type VisitIntervals } from '../src/core/intervals';
import { flagProbabilities, nodeFlags, recordFlags, type FlagOptions, type FlagProbabilities } from '../src/core/flags';
import { boundariesOn } from '../src/core/geometry/regions';
import { layoutFor } from '../src/core/geometry/simplex_layout';
import { valueWords } from '../src/core/measured/words';
import { beliefsAt, buildHistories, stepsOf, type Histories } from '../src/core/histories';
import { mindOf, mindsOfDraws, policyAt, update, worldOf, type Dynamics, type Mind } from '../src/core/model';
import type { Estimate, Payload } from '../src/core/payload';
import { contextAfter } from '../src/core/policy_terms';
import { drifted, timesOf } from '../src/core/time/drift';
import { Closeness } from './closeness';
import type { ActionText, AuditText, BranchText, ExplainText, ShiftText, VisitText } from './explain_json';
import { modelOfFile } from './model_file';
import { Prepared, table, type Setting } from './program';

const settings: Setting[] = [
  { name: 'bias', environment: 'bias', study: 'bias.toml', patients: 300, seed: 3, dynamics: 'coupled', gaps: true },
  { name: 'adni', environment: 'adni', study: 'adni/adnimerge.toml', patients: 400, seed: 4, dynamics: 'coupled', draws: true },
  { name: 'adni, one mind', environment: 'adni', study: 'adni/adnimerge.toml', patients: 300, seed: 5, dynamics: 'shared' },
  { name: 'tree', environment: 'tree', study: 'tree.toml', patients: 300, seed: 6, dynamics: 'shared' },
  { name: 'ward, with terms', environment: 'ward', study: 'ward.toml', patients: 600, seed: 1, dynamics: 'coupled', terms: true },
  { name: 'ward, at irregular times', environment: 'ward', study: 'ward.toml', patients: 300, seed: 2, dynamics: 'coupled', times: true, record: 'time = "time"\nunit = "days"' },
  { name: 'clinic, measured at irregular times', environment: 'clinic', study: 'clinic.toml', patients: 150, seed: 1, dynamics: 'coupled', draws: true },
  { name: 'clinic, in steps of a day', environment: 'clinic', study: 'clinic.toml', patients: 80, seed: 2, dynamics: 'shared', record: 'time = "time"\nunit = "days"\nsteps = 1\nwait = "see"' },
  { name: 'vitals, measured', environment: 'vitals', study: 'vitals.toml', patients: 150, seed: 1, dynamics: 'coupled', draws: true },
];

describe.each(settings)('$name', (setting) => {
  let prepared: Prepared;
  let payload: Payload;
  let mind: Mind;
  let world: Dynamics | null;
  let h: Histories;
  const close = new Closeness();
  let unread = 0; // factors left out of an outcome, compared
  let intervals = 0; // their ends, compared

  beforeAll(() => {
    prepared = Prepared.make(setting);
    payload = prepared.payload;
    mind = mindOf(payload.model);
    world = worldOf(payload.model);
    h = buildHistories(payload.records, mind.problem);
  });

  afterAll(() => {
    if (!prepared) return;
    console.log(`${setting.name}: ${close.compared} numbers, widest gap ${close.widest.toExponential(1)}`);
    prepared.remove();
  });

  function idOf(record: number): string {
    const id = payload.records.ids?.[record];
    if (id === undefined) throw new Error('the payload has no identifiers');
    return id;
  }

  function visitName(record: number, visit: number): string {
    return payload.records.visits?.[record][visit] ?? String(visit + 1);
  }

  // Long records and short ones, spread over the data.
  function someRecords(): number[] {
    const order = payload.records.steps.map((_, r) => r);
    order.sort((x, y) => payload.records.steps[y].length - payload.records.steps[x].length || x - y);
    return Array.from({ length: 10 }, (_, i) => order[Math.floor((i * (order.length - 1)) / 9)]);
  }

  it('is handed the model as its file has it', () => {
    const { measured, ...model } = payload.model;
    expect(model).toEqual(modelOfFile(prepared.text('model.json')));
    expect(measured !== undefined).toBe(['vitals', 'clinic'].includes(setting.environment));
    expect(payload.model.time !== undefined).toBe(setting.record !== undefined || setting.environment === 'clinic');
    // A policy without terms would say nothing of contexts.
    if (setting.terms) expect(payload.model.policy!.terms.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['habit', 'time']));
    expect('terms' in payload).toBe('policy' in payload.model);
  });

  it('has the beliefs and policies of every visit of every patient', () => {
    const rows = table(prepared.ask('beliefs', '--output', '-'));
    const beliefs = beliefsAt(h, mind);
    const { S, states, actions } = mind.problem;
    const recordOf = new Map(payload.records.steps.map((_, r) => [idOf(r), r]));
    const seen = new Map<string, number>();
    for (const row of rows) {
      const record = recordOf.get(row.patient)!;
      const visit = seen.get(row.patient) ?? 0;
      seen.set(row.patient, visit + 1);
      const node = h.paths[record][visit];
      const belief = beliefs.subarray(node * S, (node + 1) * S);
      const where = `patient ${row.patient}, step ${row.step}`;
      states.forEach((state, s) => close.number(belief[s], Number(row[`belief:${state}`]), `${where}, ${state}`));
      const before = stepsOf(payload.records, record, mind.problem.Z).slice(0, visit);
      const policy = policyAt(mind.policy, belief, contextAfter(before));
      actions.forEach((action, a) => close.number(policy[a], Number(row[`policy:${action}`]), `${where}, ${action}`));
    }
    expect(rows.length).toBe(payload.records.steps.reduce((sum, codes) => sum + codes.length, 0));
  });

  it('explains patients as the program does, with all that could have been', () => {
    for (const record of someRecords()) {
      const there = JSON.parse(prepared.ask('explain', '--patient', idOf(record), '--json')) as ExplainText;
      const steps = stepsOf(payload.records, record, mind.problem.Z);
      const here = explainRecord(mind, payload.factors, steps);
      const sure = recordIntervals(mindsOfDraws(payload.model, payload.draws), steps);
      const words = sentences(mind.problem, payload.factors, here, sure?.visits);
      expect(words).toEqual(there.visits.map((visit) => visit.sentence));
      let known: Float64Array | null = world ? world.b1 : null;
      here.forEach((visit, t) => {
        const where = `patient ${there.patient}, visit ${t + 1}`;
        expect(there.visits[t].visit).toBe(visitName(record, t));
        sameVisit(visit, there.visits[t], where);
        sameIntervals(sure?.visits[t] ?? null, there.visits[t], where);
        sameBranches(visit, known, there.visits[t].counterfactuals, where);
        sameWithout(visit, there.visits[t].without_factor, where);
        if (known && world && visit.move) {
          const next = update(world, known, visit.step.action, visit.step.observation, visit.step.gap);
          known = next.chance > 0 ? next.belief : null;
        }
      });
    }
    // A comparison of nothing with nothing would say nothing.
    if (['adni', 'vitals', 'clinic'].includes(setting.environment)) expect(unread).toBeGreaterThan(10);
    if (payload.draws) expect(intervals).toBeGreaterThan(100);
  });

  it('lets beliefs drift between visits as the program does', () => {
    if (!payload.model.time) return;
    const recordOf = new Map(payload.records.steps.map((_, r) => [idOf(r), r]));
    const beliefs = beliefsAt(h, mind);
    const { S, states } = mind.problem;
    let between = 0;
    for (const row of table(prepared.ask('beliefs', '--at', '1,5,16,40', '--output', '-'))) {
      const record = recordOf.get(row.patient)!;
      const steps = stepsOf(payload.records, record, mind.problem.Z);
      const times = timesOf(steps)!;
      const at = Number(row.time);
      const visit = times.filter((time) => time <= at).length - 1;
      const node = h.paths[record][visit];
      const here = drifted(mind, beliefs.subarray(node * S, (node + 1) * S), steps[visit].action, at - times[visit]);
      states.forEach((state, s) => close.number(here[s], Number(row[`belief:${state}`]), `${row.patient} at ${row.time}: ${state}`));
      between += at === times[visit] ? 0 : 1;
    }
    expect(between).toBeGreaterThan(50);
  });

  function sameVisit(here: Visit, there: VisitText, where: string): void {
    const { states, actions } = mind.problem;
    expect(actions[here.step.action]).toBe(there.action);
    expect(nameOf(here.step.observation)).toBe(there.observation);
    expect(actions[here.region], where).toBe(there.likeliest_action);
    close.named(here.belief, there.belief, states, `${where}: belief`);
    close.named(here.policy, there.policy, actions, `${where}: policy`);
    close.number(here.probability, there.probability, `${where}: probability`);
    close.number(here.surprise, there.surprise_bits, `${where}: surprise`);
    close.number(here.tail, there.tail_probability, `${where}: tail`);
    expect(here.boundary === null, where).toBe(there.nearest_boundary === null);
    if (here.boundary && there.nearest_boundary) {
      expect(actions[here.boundary.action], where).toBe(there.nearest_boundary.action);
      close.number(here.boundary.distance, there.nearest_boundary.distance, `${where}: distance`);
      close.named(here.boundary.shift, there.nearest_boundary.shift, states, `${where}: shift`);
    }
    expect(here.move === null, where).toBe(there.move === null);
    if (here.move && there.move) sameMove(here.move, there.move, where);
  }

  // As `explain` calls an outcome; null: nothing was recorded.
  function nameOf(observation: number): string | null {
    if (observation < 0) return null;
    const { measured, observations } = mind.problem;
    if (!measured) return observations[observation];
    return measured.values(observation).flatMap((x, k) => (Number.isNaN(x) ? [] : [valueWords(measured.factors[k], x)])).join(', ');
  }

  // The page has draws with five digits: a percentage is the same but for its rounding.
  function sameIntervals(here: VisitIntervals | null, there: VisitText, where: string): void {
    expect(here === null, where).toBe(there.belief_interval === undefined);
    if (!here || !there.belief_interval || !there.policy_interval) return;
    const same = (x: Estimate, y: { low: number; high: number }, what: string) => {
      expect(Math.abs(x.low - y.low), `${where}: ${what}`).toBeLessThan(3e-4);
      expect(Math.abs(x.high - y.high), `${where}: ${what}`).toBeLessThan(3e-4);
      intervals += 2;
    };
    mind.problem.states.forEach((state, s) => same(here.belief[s], there.belief_interval![state], state));
    mind.problem.actions.forEach((action, a) => same(here.policy[a], there.policy_interval![action], action));
  }

  function sameMove(here: BeliefMove, there: NonNullable<VisitText['move']>, where: string): void {
    close.named(here.after, there.after, mind.problem.states, `${where}: after`);
    close.number(here.chance, there.outcome_probability, `${where}: chance`);
    for (const part of ['total', 'time', 'evidence'] as const) sameShift(here[part], there[part], `${where}: ${part}`);
    const names = here.factors.map((share) => payload.factors.names[share.factor]);
    expect(names, where).toEqual(Object.keys(there.evidence_by_factor));
    here.factors.forEach((share, i) => sameShift(share.shift, there.evidence_by_factor[names[i]], `${where}: ${names[i]}`));
  }

  function sameShift(here: Shift, there: ShiftText, where: string): void {
    close.named(here.belief, there.belief, mind.problem.states, where);
    close.named(here.logOdds, there.log_odds, mind.problem.states, `${where}, log-odds`);
  }

  function sameBranches(visit: Visit, known: Float64Array | null, there: ActionText[], where: string): void {
    const { problem } = mind;
    const running = problem.actions.map((_, a) => a).filter((a) => !problem.terminal[a]);
    expect(there.map((action) => action.action)).toEqual(running.map((a) => problem.actions[a]));
    running.forEach((action, i) => {
      const here = branches(mind, visit.belief, action, visit.context, visit.step.gap);
      const place = `${where}, ${problem.actions[action]}`;
      close.number(here.information, there[i].expected_information_bits, `${place}: information`);
      if (known && world) {
        const told = expectedInformation(problem, world, known, action, visit.step.gap);
        close.number(told, there[i].expected_information_bits_world, `${place}: information of the world`);
      }
      close.number(here.expectedChange, there[i].expected_change_of_next_decision, `${place}: change`);
      expect(here.decides, place).toBe(there[i].could_change_next_likeliest_action);
      sameBranch(here.unseen, there[i].not_done, place);
      expect(here.outcomes.length, place).toBe(there[i].outcomes.length);
      here.outcomes.forEach((branch, z) => sameBranch(branch, there[i].outcomes[z], place));
    });
  }

  // One factor of the recorded outcome not read.
  function sameWithout(visit: Visit, there: VisitText['without_factor'], where: string): void {
    const here = withoutEachFactor(mind, payload.factors, visit.belief, visit.step, visit.context);
    expect(here.map(({ factor }) => payload.factors.names[factor]), where).toEqual(Object.keys(there));
    here.forEach(({ factor, branch }) => {
      const name = payload.factors.names[factor];
      sameOutcome(branch, there[name], `${where}, ${name} not read`);
      ++unread;
    });
  }

  function sameBranch(here: Branch, there: BranchText, where: string): void {
    expect(nameOf(here.observation), where).toBe(there.observation);
    sameOutcome(here, there, where);
  }

  function sameOutcome(here: Branch, there: Omit<BranchText, 'observation'>, where: string): void {
    const { states, actions } = mind.problem;
    close.number(here.chance, there.probability, `${where}: chance`);
    close.named(here.belief, there.belief, states, `${where}: belief`);
    close.named(here.policy, there.next_policy, actions, `${where}: next policy`);
    expect(actions[here.next], where).toBe(there.next_likeliest_action);
  }

  it.each([
    { nearCertain: 0.9, insignificant: 0.5 },
    { nearCertain: 0.7, insignificant: -0.4 },
  ])('flags what the program flags at $nearCertain and $insignificant', (options) => {
    sameFlags(options, null, []);
  });

  if (setting.draws) {
    it('is as sure of flags as the program, given the same draws', () => {
      const columns = table(prepared.text('draws.csv'));
      const { S, A, Z, measured, terminal } = mind.problem;
      // The file has no results of terminal actions; the page has zeros there.
      const rows = S * (measured?.columns ?? Z);
      const agent = columns.map((row) => {
        const numbers = Object.values(row).slice(4).map(Number);
        const take = (count: number) => numbers.splice(0, count);
        const dynamics = take(S + A * S * S);
        const results = terminal.flatMap((ends) => (ends ? Array<number>(rows).fill(0) : take(rows)));
        return [...dynamics, ...results, ...take(1 + A * S)];
      });
      const draws = mindsOfDraws(payload.model, { source: '', agent });
      const options = { nearCertain: 0.9, insignificant: 0.5 };
      const sure = flagProbabilities(h, draws, payload.audit, options);
      expect(sure?.draws).toBe(20);
      sameFlags(options, sure, ['--draws', prepared.file('draws.csv')]);
      // Between two multiples of 1/20, so that the program's rounding of shares to single precision does not decide.
      sameFlags(options, sure, ['--draws', prepared.file('draws.csv')], 0.625);
    });
  }

  function sameFlags(options: FlagOptions, sure: FlagProbabilities | null, more: string[], certainty = 0): void {
    const thresholds = [`--near-certain=${options.nearCertain}`, `--insignificant=${options.insignificant}`, `--certainty=${certainty}`];
    const said = prepared.ask('audit', ...thresholds, ...more, '--json', '--list', '--csv', prepared.file('flags.csv'));
    const there = JSON.parse(said) as AuditText;
    const flags = nodeFlags(h, mind, payload.audit, options);
    close.number(flags.leastMove, there.rules.least_significant_move, 'least move');
    expect(payload.audit.no_belated || null).toBe(there.not_applicable.belated_diagnoses);
    expect(payload.audit.no_uninformative || null).toBe(there.not_applicable.uninformative_tests);
    const rows = new Map(table(prepared.text('flags.csv')).map((row) => [row.patient, row]));
    const listed = new Map(there.flagged_patients?.map((patient) => [patient.patient, patient]));
    expect(rows.size).toBe(payload.records.steps.length);
    const found = { belated: 0, uninformative: 0 };
    payload.records.steps.forEach((_, r) => {
      const here = recordFlags(h, flags, payload.audit, payload.records, r, sure, certainty);
      const named = (visits: number[]) => visits.map((t) => visitName(r, t)).join(';');
      const empty = here.tests.filter((test) => test.uninformative);
      found.belated += here.belated ? 1 : 0;
      found.uninformative += empty.length;
      const row = rows.get(idOf(r))!;
      expect([row.belated, row.left_out_visits, row.confirmed_visit, row.tests, row.uninformative, row.uninformative_visits]).toEqual([
        here.belated ? '1' : '0',
        named(here.leftOut),
        here.belated ? visitName(r, here.confirmed) : '',
        String(here.tests.length),
        String(empty.length),
        named(empty.map((test) => test.visit)),
      ]);
      if (!sure) return;
      const patient = listed.get(idOf(r));
      if (here.belated) close.number(here.probability!, patient!.belated!.probability, `${idOf(r)}: belated`);
      empty.forEach((test, i) => {
        close.number(test.probability!, patient!.uninformative_tests![i].probability, `${idOf(r)}: test`);
      });
    });
    // A comparison of nothing with nothing would say nothing.
    if (setting.environment === 'adni') expect(Math.min(found.belated, found.uninformative)).toBeGreaterThan(5);
  }

  it('draws boundaries where the program says they cross the sides', () => {
    expect(payload.boundaries.length).toBeGreaterThan(0);
    for (const side of payload.boundaries) {
      const [panel] = layoutFor(mind.problem, 'interval', [side.from, side.to]).panels;
      const pair = [side.before, side.after].sort((x, y) => x - y);
      const found = boundariesOn(panel, mind.policy).filter(({ actions }) => actions[0] === pair[0] && actions[1] === pair[1]);
      const [[x0], [x1]] = panel.corners;
      const shares = found.map(({ segment }) => (segment[0][0] - x0) / (x1 - x0));
      expect(shares.some((share) => Math.abs(share - side.position) < 1e-9), `${JSON.stringify(side)}: ${shares}`).toBe(true);
    }
  });
});
