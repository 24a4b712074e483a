// In which share of posterior draws each flag stands. All draws, all histories: worked out piece by piece so that the page
// stays responsive, and begun anew when a threshold moves.
import { flagProbabilitiesInPieces, type FlagOptions } from '../../core/flags';
import type { Histories } from '../../core/histories';
import type { Mind } from '../../core/model';
import type { AuditJson } from '../../core/payload';
import type { NodeCertainty } from './flagged';

// A slider on its way should not start the work at every step.
const patience = 250;

export class FlagCertainty {
  progress = $state(0); // 0 … 1
  result = $state.raw<NodeCertainty | null>(null);

  // Returns how to give up, as effects want it.
  start(h: Histories, draws: Mind[], audit: AuditJson, options: FlagOptions): () => void {
    const control = new AbortController();
    this.progress = 0;
    const timer = setTimeout(async () => {
      const result = await flagProbabilitiesInPieces(h, draws, audit, options, (done) => (this.progress = done), control.signal);
      if (control.signal.aborted) return;
      this.result = result;
      this.progress = 1;
    }, patience);
    return () => {
      control.abort();
      clearTimeout(timer);
    };
  }
}
