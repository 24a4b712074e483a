// What the served page has beside a report. In the page of a report `absent.ts` stands in its place (vite.config.ts).
import RefitPanel from './RefitPanel.svelte';
import StudyBuilder from './builder/StudyBuilder.svelte';
import { fetchPayload, fetchSession, isServed, takeToken } from './client';
import { session } from './session.svelte';

export const live = { RefitPanel, StudyBuilder, session, fetchPayload, fetchSession, isServed, takeToken };
