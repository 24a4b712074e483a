// The study being built: what the program knows of the table, what is chosen, and what the program makes of the choice.
import { fetchBuilder, postChoice, sendTable } from '../client';
import { withRole, type Role, type StudyChoice } from './study_choice';

export interface ColumnInfo {
  name: string;
  kind: 'numbers' | 'days' | 'words' | 'empty';
  filled: number;
  distinct: number;
  common: string[];
}

export interface BuilderState {
  table: { name: string; rows: number; whole: boolean; notes: string[]; columns: ColumnInfo[] } | null;
  open?: string;
  choice?: StudyChoice;
}

export interface HistogramInfo {
  low: number;
  high: number;
  counts: (number | null)[]; // null: few, but not none
}

export interface FactorInfo {
  column: string;
  numeric: boolean;
  levels: string[];
  yielded_by: string[];
  histogram: HistogramInfo | null;
  cuts: number[]; // as used
}

export interface BuiltStudy {
  trouble: string;
  study: string; // TOML
  roles: { actions: { cell: string; name: string }[]; factors: FactorInfo[] } | null;
  check: {
    patients: number;
    decisions: number;
    actions: Record<string, number>;
    attrition: { rows_in: number; patients_in: number; rows_kept: number; patients_kept: number; dropped: { reason: string; rows: number; patients: number }[] };
    factors: { name: string; levels: Record<string, number>; missing: number }[];
    warnings: string[];
  } | null;
  preview: { did: string; saw: string | null }[][];
}

const pause = 350; // milliseconds without a change before the program is asked

class Builder {
  state = $state.raw<BuilderState>({ table: null });
  choice = $state.raw<StudyChoice | null>(null);
  built = $state.raw<BuiltStudy | null>(null);
  reading = $state(false); // a table
  asking = $state(false); // what comes of the choice
  trouble = $state('');
  readonly ready = $derived(this.built !== null && this.built.trouble === '' && (this.built.check?.patients ?? 0) > 0 && !this.asking);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asked = 0;

  async load(): Promise<void> {
    await this.#guarded(async () => this.#begin(await fetchBuilder()));
  }

  async send(file: File): Promise<void> {
    this.reading = true;
    await this.#guarded(async () => this.#begin(await sendTable(file)));
    this.reading = false;
  }

  change(choice: StudyChoice): void {
    this.choice = choice;
    this.asking = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#ask(), pause);
  }

  give(column: string, role: Role): void {
    if (this.choice) this.change(withRole(this.choice, column, role));
  }

  #begin(state: BuilderState): void {
    this.state = state;
    this.built = null;
    if (state.choice) this.change(state.choice);
  }

  // Answers that come late, after another question, are dropped.
  async #ask(): Promise<void> {
    const number = ++this.#asked;
    await this.#guarded(async () => {
      const built = await postChoice(this.choice);
      if (number !== this.#asked) return;
      // What is wrong with one part leaves the others in sight.
      this.built = { ...built, roles: built.roles ?? this.built?.roles ?? null };
    });
    if (number === this.#asked) this.asking = false;
  }

  async #guarded(work: () => Promise<void>): Promise<void> {
    try {
      this.trouble = '';
      await work();
    } catch (error) {
      this.trouble = error instanceof Error ? error.message : String(error);
    }
  }
}

export const builder = new Builder();
