// What the program puts into the page: one JSON document (docs/explorer-data.md). Everything else the explorer shows is
// computed from it, here.

export interface Estimate {
  middle: number;
  low: number;
  high: number;
}

// As in a model file; `terminal` and `allowed` are always present. T[a][s][s'], O[a][s'][z] (null: terminal action).
export interface DynamicsJson {
  initial_belief: number[];
  transition: number[][][];
  observation: (number[][] | null)[];
}

// What decisions follow beside beliefs. Terms that follow a covariate are there only where identifiers are allowed.
export interface PolicyJson {
  inertia: number;
  lapse: number;
  covariates: { name: string; categories?: string[]; centre?: number; scale?: number }[];
  terms: {
    kind: 'habit' | 'time' | 'missing' | 'context' | 'group';
    covariate?: string;
    period?: number;
    weights: number[][]; // [level][a]
  }[];
}

// Measured factors (docs/mathematics/measured-factors.md). A row of `observation` holds the parameters of all, one after another.
export interface MeasuredFactorJson {
  name: string;
  family: 'categorical' | 'ordinal' | 'normal' | 'lognormal' | 'student' | 'poisson' | 'negative-binomial';
  levels: string[]; // of categorical and ordinal ones; a value is the place of its level
  unit: string;
  lower: number | null; // limits of detection
  upper: number | null;
  yielded: boolean[]; // [a]
  parameters: string[];
}

export interface MeasuredJson {
  factors: MeasuredFactorJson[];
  values: (number | null)[][]; // [k][i]: its value at the i-th of all visits that have a result, record by record; null: none
}

// Visits at irregular times. Rows of `transition` are then those that docs/mathematics/time.md keeps, or those of one step.
export interface TimeJson {
  unit: string; // for people: "days"
  rule: 'rates' | 'steps';
  typical: number; // the gap by which rates are measured; the length of a step
  wait: number | null; // the action of a longer gap's further steps
}

export interface ModelJson extends DynamicsJson {
  states: string[];
  actions: string[];
  observations: string[];
  terminal: boolean[]; // [a]
  allowed: boolean[][]; // [a][z]
  inverse_temperature: number;
  means: number[][]; // [a][s], rows sum to one
  policy?: PolicyJson; // only of a policy with terms
  world: DynamicsJson | null;
  time?: TimeJson; // only where visits have times
  measured?: MeasuredJson; // then there are no names of outcomes: Z counts those of the records
}

// Posterior draws of the agent, each a flat list: initial_belief, transition (a, s, s'), observation (a, s', z; zeros for
// terminal actions), inverse_temperature, means (a, s); with terms also inertia, lapse, weights (term, level, a).
export interface DrawsJson {
  source: string; // for people
  agent: number[][]; // [draw][number]; the document has them the other way round, which packs better
}
export type PackedDrawsJson = { source: string; numbers: number[][] };

// An outcome is made of the levels of one or more factors.
export interface FactorsJson {
  names: string[];
  levels: string[][]; // [k]
  level: number[][]; // [z][k]
  measured: boolean[][]; // [a][k]
  outcomes?: MeasuredJson; // put here when the document is read: factors that are measured have values, and `level` is empty
}

export interface RecordsJson {
  // [record][step] = action · (Z + 1) + observation + 1, where a missing observation is −1. Of measured outcomes the document has
  // 2 · action + (1: there is a result), which is put into this form when it is read.
  steps: number[][];
  gaps?: number[][]; // [record][step]: the time to the next visit, one less than steps; only where visits have times
  ids: string[] | null; // null: pseudonyms, made from the position
  visits: string[][] | null; // names of visits; null: numbered from 1
  groups: number[] | null; // index into Payload.groups.groups, −1: none; only where identifiers are allowed
  sampled: boolean; // a random part of the patients
}

export interface AuditJson {
  tests: boolean[]; // [a]
  instead: number[][][]; // [a][z]: outcomes it could have had instead, itself included; empty for other actions
  own?: boolean[][]; // [a][k], of measured factors: what the test alone measures
  no_belated: string; // why it cannot be judged here; empty: it can
  no_uninformative: string;
  no_unlikely?: string; // why none are listed; empty: all are
  near_certain: number; // 0.9
  insignificant: number; // 0.5 standard deviations below the mean move
  certainty?: number; // share of draws that a belated or uninformative flag must stand in, 0 without draws; older reports: not there
  // By so much a test is likelier than anything else, in a draw that counts for how certain a belated flag is; older reports: 0.
  clearly?: number;
  least_move: number; // what that came to
  unlikely: number[]; // records named as unlikely under the policy
  test_values: TestValueJson[];
}

export interface TestValueJson {
  action: number;
  done: ValueOfTestJson;
  not_done: ValueOfTestJson;
}

export interface ValueOfTestJson {
  visits: number | null; // null: withheld, and so is the rest
  information: number | null;
  information_world: number | null; // null, too: the model has no world
  decides: number | null;
}

export interface SideBoundaryJson {
  from: number; // states: position 0 and 1 of the side
  to: number;
  before: number; // actions
  after: number;
  position: number; // of the fitted policy: the belief in `to`
  estimate: Estimate | null;
  present: number | null; // share of draws
}

export interface BiasFindingJson {
  field: 'initial_belief' | 'transition' | 'observation';
  action: number | null;
  state: number;
  outcome: number;
  name: string;
  agent: Estimate;
  world: Estimate;
  difference: Estimate;
  exceeds: number;
  removable_by?: number | null; // how often an unrecorded sign would have to be right to explain as much
  flagged: boolean;
  sentence: string;
}

export interface BiasJson {
  verdict?: 'difference' | 'none' | 'undecided' | 'withheld'; // older reports: not there
  reasons?: string[]; // why it is withheld or undecided
  sentences: string[];
  log_bayes_factor: number | null;
  margin: number;
  findings: BiasFindingJson[];
  changed: Estimate | null; // share of decisions that would change if the agent knew the world; only with a verdict of difference
  changed_beyond_chance?: Estimate | null; // … less what chance alone gives; older reports: not there
  source: string;
}

// What makes decisions foreseeable, in records that were not fitted.
export interface SharesJson {
  foreseen: number; // of the uncertainty that the frequencies of actions leave
  gained: number; // the same in nats a decision
  frequencies: number; // that uncertainty
  parts: { name: string; words: string; nats: number; share: number }[]; // of what is foreseen; none: there is nothing to share
  sentences: string[];
}

export type FlagName = 'belated' | 'uninformative_tests' | 'uninformative_patients' | 'unlikely';

export interface ShareJson {
  flagged: number;
  total: number;
  share: Estimate;
  p_value: number | null; // counts how uncertain flags are
  p_value_adjusted?: number | null; // … and how many cohorts are compared; older reports: not there
}

export interface CohortRowJson {
  name: string;
  patients: number | null; // null: withheld, here and below
  flags: Record<FlagName, ShareJson | null>;
  of_flagged: Record<FlagName, Estimate | null>;
  of_all: Estimate | null;
  records?: number[]; // of the page's, where identifiers are allowed; not of the first row
}

export interface CohortsJson {
  rows: CohortRowJson[]; // the first has all patients
  withheld: boolean;
}

export interface GroupsJson {
  groups: { group: string; patients: number | null }[];
  sentences: string[];
  verdict: 'difference' | 'none' | 'undecided' | 'withheld';
  cause: 'patients' | 'picture' | 'policy' | 'none' | 'undecided';
  policies_differ: boolean; // said aloud: boundaries that lie apart are a finding
  log_bayes_factor: number; // any difference, over none
  // What may differ, the first nothing: its evidence over that of nothing, and how likely it is.
  hypotheses: { differ: string; log_bayes_factor: number; probability: number }[];
  // `lowest` and `highest`: the two groups furthest apart; `difference`: between them.
  boundaries: (SideBoundaryJson & { groups: Estimate[]; largest_gap: Estimate; lowest: number; highest: number; difference: Estimate })[];
  policies: { inverse_temperature: number; means: number[][] }[]; // [group]
  notes: string[];
}

export interface CalibrationBinJson {
  low: number;
  high: number;
  decisions: number | null; // null: withheld, and so is the rest
  predicted: number | null;
  observed: number | null;
}

export interface ScoreJson {
  value: number | null;
  low: number | null;
  high: number | null;
}

// One number beside what the model expects of it, of all that a check compares the one that differs most.
export interface ModelCheckJson {
  name: string;
  question: string;
  what: string; // which number: 'at step 3, "test" is chosen'
  observed: number | null;
  expected: number | null;
  low: number | null;
  high: number | null;
  unit: 'share' | 'change' | 'correlation';
  failed: boolean;
  sentence: string;
}

export interface CheckJson {
  converged: boolean | null; // null: not known
  identified: boolean | null;
  log_likelihood: { actions: number | null; observations: number | null; total: number | null };
  scores: Record<'brier' | 'auroc' | 'auprc' | 'log_loss' | 'calibration_error', ScoreJson>;
  calibration: CalibrationBinJson[];
  checks: ModelCheckJson[]; // whether the model reproduces what it was not fitted to; empty: not checked
  not_checked: string[]; // what could not be checked, and why
  modes_disagree: boolean; // another explanation is nearly as good and says something else
  modes: { log_posterior: number; share: number }[]; // distinct optima of the restarts; may be empty
  weak: string[]; // what the data hardly tell, in words
  comparison: ComparisonRowJson[] | null; // from `interpole compare --json`
  provenance: Record<string, unknown>; // as the model file has it
}

// A second model of the same structure, on the same records.
export interface BesideJson {
  names: string[]; // of the first and the second, in a word each
  facts: string[]; // how the second was fitted
  warnings: string[]; // of its fit
  model: ModelJson;
  draws: DrawsJson | null;
  boundaries: SideBoundaryJson[];
  check: CheckJson;
  // Second less first, on the same resampled patients; null: not defined.
  paired: Record<'log_loss' | 'auroc', { middle: number; low: number | null; high: number | null } | null>;
  terms?: { sentences: string[]; starts?: string }; // as Payload.terms
}

// What those who read the page call these: one, and several (belated has one form).
export type WordsJson = Partial<Record<'patient' | 'visit' | 'test' | 'belated', string[]>>;

export interface ComparisonRowJson {
  learner: string;
  scores: Record<'brier' | 'auroc' | 'auprc' | 'log_loss', ScoreJson>;
}

export type ExampleKind = 'typical' | 'deteriorating' | 'belated' | 'valued';

export interface Payload {
  format: 'interpole-explorer';
  version: 1;
  program: string; // "interpole 0.1.0"
  title: string;
  made_by: 'report' | 'serve';
  refit: boolean; // of a live session: not the model file's own fit
  can_refit: boolean;
  individual: boolean; // identifiers are real
  min_cell: number;
  counts: { patients: number | null; decisions: number | null; histories: number | null };
  facts: string[]; // how it was fitted
  warnings: string[]; // shown on every page: not converged, not identified
  findings: string[]; // at most three, the most telling first
  model: ModelJson;
  draws: DrawsJson | null;
  factors: FactorsJson;
  records: RecordsJson;
  examples: Partial<Record<ExampleKind, { record: number; visit: number | null }>>;
  boundaries: SideBoundaryJson[];
  audit: AuditJson;
  bias: BiasJson | null;
  shares?: SharesJson | null; // null: not asked for; older reports: not there
  cohorts: CohortsJson | null;
  groups: GroupsJson | null;
  check: CheckJson;
  beside?: BesideJson; // only where one was asked for
  words?: WordsJson; // only where the study states some
  // What decisions follow beside beliefs, and a note where starting beliefs differ by covariates; only of such models.
  terms?: { sentences: string[]; starts?: string };
}
