import { defineConfig } from '@playwright/test'

/** `npm run test:release` brings a browser. */
const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'

/** The tests of the console in Chromium. */
export default defineConfig({
  testDir: 'packages/console/e2e',
  outputDir: '.mintmark/e2e',
  globalSetup: './packages/console/e2e/global-setup.ts',
  reporter: 'list',
  workers: 2,
  // The limits only end tests that hang: databases, chains and browsers start slowly on a loaded machine.
  timeout: 300_000,
  expect: { timeout: 170_000 },
  use: {
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath,
      args: [
        ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
        // A page that never stops allocating fails its test instead of the machine.
        '--js-flags=--max-old-space-size=512',
      ],
    },
  },
})
