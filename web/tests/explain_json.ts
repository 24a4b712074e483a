// What `interpole explain --json` prints, as far as it is compared.

export type Named = Record<string, number | null>;

export interface ShiftText {
  belief: Named;
  log_odds: Named;
}

export interface BranchText {
  observation: string | null;
  probability: number;
  belief: Named;
  next_policy: Named;
  next_likeliest_action: string;
}

export interface ActionText {
  action: string;
  expected_information_bits: number;
  expected_information_bits_world: number | null;
  could_change_next_likeliest_action: boolean;
  expected_change_of_next_decision: number;
  not_done: BranchText;
  outcomes: BranchText[];
}

export interface VisitText {
  visit: string;
  sentence: string;
  action: string;
  observation: string | null;
  belief: Named;
  policy: Named;
  likeliest_action: string;
  probability: number;
  surprise_bits: number;
  tail_probability: number;
  belief_interval?: Record<string, { low: number; high: number }>; // where the model says how sure it is
  policy_interval?: Record<string, { low: number; high: number }>;
  nearest_boundary: { action: string; distance: number; shift: Named } | null;
  move: {
    after: Named;
    outcome_probability: number;
    total: ShiftText;
    time: ShiftText;
    evidence: ShiftText;
    evidence_by_factor: Record<string, ShiftText>;
  } | null;
  counterfactuals: ActionText[];
  without_factor: Record<string, Omit<BranchText, 'observation'>>;
}

export interface ExplainText {
  patient: string;
  visits: VisitText[];
}

export interface AuditText {
  rules: { least_significant_move: number };
  not_applicable: { belated_diagnoses: string | null; uninformative_tests: string | null };
  draws: number;
  flagged_patients?: {
    patient: string;
    belated?: { left_out: string[]; confirmed: string; probability: number | null };
    uninformative_tests?: { visit: string; probability: number | null }[];
  }[];
}
