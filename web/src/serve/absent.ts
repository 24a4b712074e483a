// In place of `live.ts` in the page of a report, which asks nobody for anything: no builder, no fits, no requests.
import type { live as served } from './live';

type Live = { [K in keyof typeof served]: K extends 'RefitPanel' | 'StudyBuilder' ? (typeof served)[K] | undefined : (typeof served)[K] };

const nobody = (): never => {
  throw new Error('A report has nobody to ask.');
};

export const live: Live = {
  RefitPanel: undefined,
  StudyBuilder: undefined,
  session: { builder: false },
  fetchPayload: nobody,
  fetchSession: nobody,
  isServed: () => false,
  takeToken: nobody,
};
