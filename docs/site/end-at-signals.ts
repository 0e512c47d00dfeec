/**
 * Ends this process with status 0 at SIGINT and SIGTERM, because that is how a program that serves pages is
 * stopped.
 */
export function endAtSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(0))
}
