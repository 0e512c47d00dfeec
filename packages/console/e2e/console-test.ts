import { stopStarted } from '@mintmark/devkit/stop-after-file'
import { test as playwrightTest, type WorkerFixture } from '@playwright/test'
import { type ConsoleFixture, type ConsoleOptions, startConsole } from './console-fixture.ts'
import { type ConsoleSandbox, startConsoleSandbox } from './sandbox-fixture.ts'
import { storeTaskPictures } from './task-pictures.ts'

/** Lets pages use a camera, which shows a test picture. */
export const CAMERA = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream']

/** A fixture that the tests of a file share, because every file has a worker of its own. */
export function perFile<Value>(
  start: (stops: AsyncDisposableStack) => Value | Promise<Value>,
  stop: (value: Value) => Promise<void> | void = () => {},
): [WorkerFixture<Value, object>, { scope: 'worker' }] {
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of other fixtures from it.
  const fixture: WorkerFixture<Value, object> = async ({}, use) => {
    await using stops = new AsyncDisposableStack()
    const value = await start(stops)
    await use(value)
    await stop(value)
  }
  return [fixture, { scope: 'worker' }]
}

/** Takes pictures of tasks (`@staff`), and ends the tabs of each test and what the helpers of servers started. */
export const baseTest = playwrightTest.extend<{ closeTabs: undefined }, { stopHelpers: undefined }>({
  stopHelpers: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of other fixtures from it.
    async ({}, use) => {
      await use(undefined)
      await stopStarted()
    },
    { scope: 'worker', auto: true },
  ],
  closeTabs: [
    async ({ browser }, use, { tags, title }) => {
      await use(undefined)
      const contexts = browser.contexts()
      if (tags.length > 0) await storeTaskPictures(contexts, title)
      for (const context of contexts) await context.close()
    },
    { auto: true },
  ],
})

interface ConsoleTestOptions extends ConsoleOptions {
  /** More arguments of the browser, such as a picture for its camera. */
  readonly browserArguments?: readonly string[]
}

interface ConsoleTestFixtures {
  readonly consoleOptions: ConsoleOptions
  readonly app: ConsoleFixture
}

/**
 * Creates the `test` of a file, whose tests share a console.
 *
 * @param prepare Fills the project before the first test.
 */
export function consoleTest(
  { browserArguments = [], ...options }: ConsoleTestOptions = {},
  prepare?: (app: ConsoleFixture) => Promise<unknown>,
) {
  return baseTest.extend<object, ConsoleTestFixtures>({
    launchOptions: [
      async ({ launchOptions }, use) => {
        await use({ ...launchOptions, args: [...(launchOptions.args ?? []), ...browserArguments] })
      },
      { scope: 'worker' },
    ],
    consoleOptions: perFile(() => options),
    app: [
      async ({ browser, consoleOptions }, use) => {
        const app = await startConsole(browser, consoleOptions)
        await prepare?.(app)
        await use(app)
        await app.close()
      },
      { scope: 'worker' },
    ],
  })
}

interface SandboxTestFixtures {
  /** An empty database, for tests that change rows in ways that the server does not allow. */
  readonly databaseUrl: string | undefined
  readonly app: ConsoleSandbox
}

/** Creates the `test` of a file, whose tests share a sandbox with demo data. */
export function sandboxTest() {
  return baseTest.extend<object, SandboxTestFixtures>({
    databaseUrl: perFile(() => undefined),
    app: [
      async ({ browser, databaseUrl }, use) => {
        await using app = await startConsoleSandbox(browser, databaseUrl)
        await use(app)
      },
      { scope: 'worker' },
    ],
  })
}
