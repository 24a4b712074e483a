// The tests beside the sources: no program, no network, no page. `npx vitest run`
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Nothing is to fail because a machine is busy.
  test: { include: ['src/**/*.test.ts'], environment: 'node', testTimeout: 120_000 },
});
