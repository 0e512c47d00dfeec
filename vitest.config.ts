import { defineConfig } from 'vitest/config'

// Sources run as they are: every package's `exports` has the condition `@mintmark/source` before its built files.
// The other conditions are Node's own: `import` or `module` given here would also apply to `require`, which pg uses.
const conditions = ['@mintmark/source', 'node']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: ['packages/**/*.test.ts', 'tools/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    globalSetup: ['tools/vitest/postgres.ts'],
    // Databases and chains are real and start slowly on a busy machine: a limit tells a test that hangs, nothing else.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
