// What a picture of beliefs can show; Simplex.svelte chooses the form that fits the number of states.
import type { Layout } from '../../core/geometry/simplex_layout';
import type { Mind } from '../../core/model';

export interface SimplexProps {
  layout: Layout;
  mind: Mind;
  draws?: Mind[]; // for the uncertainty of the boundary
  points?: 'points' | 'density' | 'none'; // where all patients' beliefs lie …
  beliefs?: Float64Array; // … by another model than the page's: [node·S + s]
  path?: { beliefs: ArrayLike<number>[]; actions?: number[]; current?: number };
  ghost?: { beliefs: ArrayLike<number>[] };
  branches?: { belief: ArrayLike<number>; label: string }[];
  handles?: boolean;
  onmean?: (action: number, mean: number[]) => void;
  onpick?: (visit: number) => void;
  transitions?: boolean;
  transitionAction?: number;
  extrapolated?: boolean; // fade what lies far from all data
  boundary?: [number, number] | null; // the chosen one
  onboundary?: (actions: [number, number]) => void;
  online?: (actions: [number, number], step: ArrayLike<number>) => void; // a boundary was moved by a step of belief
  oncross?: (belief: Float64Array | null) => void; // the belief under the cross-hair
  regions?: boolean; // off: the empty picture, to explain what it is
  readout?: boolean; // below the picture; off where a view has its own
  compact?: boolean; // a small picture: no scales, no cross-hair, no zooming. Of all others these stand in the address
  label: string;
}
