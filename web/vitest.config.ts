// The tests beside the sources: no program, no network, no page. `npx vitest run`
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { include: ['src/**/*.test.ts'], environment: 'node' },
});
