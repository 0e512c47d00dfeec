const started = new Set<() => Promise<void>>()

/**
 * Stops something after the last test of the current file, wherever it was started. vitest ignores an
 * `afterAll` that is called in a hook or in a test.
 *
 *     stopAfterFile(() => chain.stop())
 */
export function stopAfterFile(stop: () => Promise<void>): void {
  started.add(stop)
}

/** Stops what the tests of a file have started. The set-up file of vitest calls it after each file. */
export async function stopStarted(): Promise<void> {
  const stops = [...started]
  started.clear()
  await Promise.all(stops.map((stop) => stop()))
}
