// The page's arithmetic beside the program's, on data simulated and fitted by the program itself:
//   INTERPOLE_PROGRAM=…/interpole npx vitest run --config vitest.agreement.config.ts
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { include: ['tests/**/*.test.ts'], environment: 'node', testTimeout: 300_000, hookTimeout: 300_000 },
});
