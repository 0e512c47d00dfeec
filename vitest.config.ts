import { defineConfig } from 'vitest/config'

// Sources run as they are: every package's `exports` has the condition `@mintmark/source` before its built files.
const conditions = ['@mintmark/source', 'node', 'import', 'module', 'default']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ['@mintmark/source', 'node', 'import'] } },
  test: {
    include: ['packages/**/*.test.ts', 'tools/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    globalSetup: ['tools/vitest/postgres.ts'],
  },
})
