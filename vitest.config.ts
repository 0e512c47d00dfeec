import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

// Sources run as they are: every package's `exports` has the condition `@mintmark/source` before its built
// files. The other conditions are Node's own: `import` or `module` given here would also apply to `require`,
// which pg uses.
const conditions = ['@mintmark/source', 'node']

/**
 * What only `npm run test:release` runs, because it needs packed packages, a copy of the repository, or
 * processes that are killed.
 */
const releaseTests = [
  'tools/{gates,new,release,runtimes}/**/*.test.ts',
  'docs/tests/deploy/*.test.ts',
  'docs/tests/large-import.test.ts',
  'examples/tour/*.test.ts',
  'packages/{facilitator,gateway}-server/src/**/{killed,crash}.test.ts',
  'packages/facilitator-server/src/faults/faults.test.ts',
  'packages/{facilitator,gateway}-server/src/simulation/mutations.test.ts',
  'packages/gateway-server/src/testing/event-faults/*.test.ts',
]
/** What only `npm run test:release` runs, because a file takes longer than ten seconds. It needs nothing built. */
const longTests = [
  // Whole servers and sandboxes, started and stopped many times.
  'packages/sandbox/src/**/*.test.ts',
  'packages/facilitator-server/src/e2e/*.test.ts',
  'docs/tests/x402/*.test.ts',
  'docs/site/search.test.ts',
  'docs/tests/other-languages.test.ts',
  'docs/tests/seller/{foreign-facilitators,mcp,purchases,status}.test.ts',
  // Seeds.
  'packages/{facilitator,gateway}-server/src/simulation/simulation.test.ts',
  'packages/{facilitator,gateway}-server/src/**/seeded-*.test.ts',
  'packages/facilitator-server/src/schemes/agreement/agreement*.test.ts',
  'packages/gateway-server/{src,tests}/**/*-properties.test.ts',
  // Compilers, and migrations from nothing.
  'packages/devkit/src/chain/compile.test.ts',
  'packages/facilitator-server/src/{database/migrate,webhooks/migration}.test.ts',
  // Processes that are started many times, and measured programs.
  'packages/gateway-server/src/cli.test.ts',
  'packages/mintmark/src/cli/import/import.test.ts',
  'packages/mcp/src/lost-answers.test.ts',
  'tools/bundle/bundle.test.ts',
  // Payments, mints and deposits that wait for blocks.
  'packages/facilitator-server/src/chains/evm/{deposits/deposit-watch,transactions/nonce-conflicts}.test.ts',
  'packages/facilitator-server/src/http/operator/operator-settlements.test.ts',
  'packages/gateway-server/src/**/{collateral,large-logs,mint-watching}.test.ts',
  'packages/gateway-server/src/commands/orders.test.ts',
  // Limits that are waited for, and sessions of the database that are ended.
  'packages/gateway-server/tests/{overload,server-limits}.test.ts',
  'packages/{facilitator,gateway}-server/src/{http/operator,operator}/end-session.test.ts',
  // Every list with many rows, every caller with every operation, and many sign-ins, streams and lagging nodes.
  'packages/gateway-server/tests/list-{counts,indexes}.test.ts',
  'packages/gateway-server/src/**/{card-codes,reservation-end,second-factor,stream-failures}.test.ts',
]
/** What only `npm run test:night` runs: sellers and facilitators start dozens of times. */
const killedSellers = 'docs/tests/seller/killed.test.ts'
/** What `npm run test:release` repeats in its Chromium: without one, `npm test` skips these pages. */
const browserTests = [
  'packages/gateway-server/{src,tests}/**/{documents,card-pages}.test.ts',
  'docs/tests/browser-page.test.ts',
]
/** Measures how long a new user takes from an empty folder to a paid order, and installs everything for it. */
const newUserTest = 'tools/release/new-user.test.ts'
/**
 * What `npm run test:night` repeats, with more runs, seeds, kills and lost answers than `npm test` and
 * `npm run test:release`.
 */
const nightTests = [
  newUserTest,
  'docs/tests/large-import.test.ts',
  'docs/tests/x402/stock-failures.test.ts',
  'packages/gateway-server/{src,tests}/**/*-properties.test.ts',
  'packages/{facilitator,gateway}-server/src/**/{seeded-faults,deposit-watch,mint-watching}.test.ts',
  'packages/{facilitator,gateway}-server/src/simulation/simulation.test.ts',
  'packages/facilitator-server/src/faults/faults.test.ts',
  'packages/gateway-server/src/testing/event-faults/*.test.ts',
  'packages/gateway-server/src/**/killed.test.ts',
  'packages/mcp/src/lost-answers.test.ts',
  killedSellers,
  'packages/sandbox/src/sandbox.test.ts',
  'tools/bundle/*.test.ts',
]
/** How often the nightly tests repeat, unless the environment says otherwise. The tests have smaller numbers of their own. */
const nightEnvironment = {
  CARD_SEQUENCES: '10000',
  FACILITATOR_KILLS: '200',
  FAULT_SEEDS: '1-5',
  GATEWAY_KILLS: '30',
  IMPORT_ROWS: '100000',
  KILLS: '12',
  LATE_BLOCKS: 'all',
  LOST_ANSWERS: '10000',
  MEASURED_PROGRAMS: 'all',
  PROJECT_MOVES: '10',
  PROPERTY_RUNS: '15',
  PURCHASES: '2000',
  SANDBOXES: '10',
  SIMULATION_SEEDS: '400',
}
const exclude = ['**/node_modules/**', '**/dist/**']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    globalSetup: ['tools/vitest/postgres.ts'],
    setupFiles: ['tools/vitest/stop-after-file.ts'],
    // Databases and chains are real and start slowly on a loaded machine. The limit only ends tests that
    // hang.
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
          // Files of a worker share modules, because loading them took a third of the time. A test restores
          // what it replaces.
          isolate: false,
          include: ['{docs,examples,packages,tools}/**/*.test.ts'],
          exclude: [...exclude, ...releaseTests, ...longTests, killedSellers],
        },
      },
      { extends: true, test: { name: 'long', isolate: false, include: longTests, exclude } },
      {
        extends: true,
        test: {
          name: 'release',
          include: [...releaseTests, ...browserTests],
          exclude: [...exclude, newUserTest],
          globalSetup: ['tools/vitest/release.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'night',
          include: nightTests,
          exclude,
          env: { ...nightEnvironment, ...process.env },
          globalSetup: ['tools/vitest/release.ts'],
        },
      },
    ],
  },
})
