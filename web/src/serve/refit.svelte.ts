// A fit running on this machine, followed from the page: start, watch, stop, and read the new data when it is done.
import { app } from '../state/app.svelte';
import { fetchPayload, fitProgress, startFit, stopFit, type FitProgress, type FitRequest } from './client';

const pollEvery = 700; // milliseconds: a progress bar that moves, and hardly any work for the server

class Refit {
  status = $state.raw<FitProgress>({ state: 'idle', progress: 0, message: '', seconds: 0 });
  trouble = $state('');
  readonly running = $derived(this.status.state === 'running');
  #timer: ReturnType<typeof setTimeout> | undefined;

  async start(options: FitRequest): Promise<void> {
    await this.#guarded(async () => {
      await startFit(options);
      this.status = { state: 'running', progress: 0, message: 'Starting', seconds: 0 };
      this.#later();
    });
  }

  async stop(): Promise<void> {
    await this.#guarded(stopFit);
  }

  async forget(): Promise<void> {
    await this.#guarded(async () => {
      await stopFit();
      this.status = await fitProgress();
      await this.#show();
    });
  }

  // A fit may already be running when the page is opened again.
  async resume(): Promise<void> {
    await this.#guarded(async () => {
      const status = await fitProgress();
      if (status.state !== 'running') return;
      this.status = status;
      this.#later();
    });
  }

  async #show(): Promise<void> {
    const payload = await fetchPayload();
    if (payload) app.load(payload);
  }

  #later(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#look(), pollEvery);
  }

  async #look(): Promise<void> {
    await this.#guarded(async () => {
      const seen = this.status.shown;
      const status = await fitProgress();
      const justShown = status.shown && !seen;
      if (justShown || status.state === 'done') await this.#show();
      this.status = status;
      if (this.running) this.#later();
    });
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

export const refit = new Refit();
