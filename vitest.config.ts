import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

// Sources run as they are: every package's `exports` has the condition `@mintmark/source` before its built files.
// The other conditions are Node's own: `import` or `module` given here would also apply to `require`, which pg uses.
const conditions = ['@mintmark/source', 'node']

/** What only `npm run test:release` runs: packed packages, a copy of the repository, or hundreds of killed processes. */
const releaseTests = [
  'tools/{gates,new,release,runtimes}/**/*.test.ts',
  'docs/tests/deploy/*.test.ts',
  'packages/facilitator-server/src/faults/*.test.ts',
  'packages/gateway-server/src/testing/event-faults/*.test.ts',
]
/** What `npm run test:release` repeats: with more kills and simulations than `npm test`, and in a browser. */
const repeatedTests = [
  'packages/gateway-server/src/**/{killed,documents,card-pages}.test.ts',
  'packages/facilitator-server/src/simulation/*.test.ts',
]
const RELEASE_KILLS = '12'
const RELEASE_SEEDS = '400'
const exclude = ['**/node_modules/**', '**/dist/**']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    globalSetup: ['tools/vitest/postgres.ts'],
    // Databases and chains are real and start slowly on a loaded machine. The limit only ends tests that hang.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // By default, a condition that a test waits for must hold within a second.
    expect: { poll: { timeout: 170_000 } },
    // Tests mostly wait for databases, chains and processes, so more of them than cores run at a time.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          // Files of a worker share modules, because loading them took a third of the time. A test restores what it replaces.
          isolate: false,
          include: ['{docs,examples,packages,tools}/**/*.test.ts'],
          exclude: [...exclude, ...releaseTests],
        },
      },
      {
        extends: true,
        test: {
          name: 'release',
          include: [...releaseTests, ...repeatedTests],
          exclude,
          env: { KILLS: RELEASE_KILLS, SIMULATION_SEEDS: RELEASE_SEEDS },
          globalSetup: ['tools/vitest/release.ts'],
        },
      },
    ],
  },
})
