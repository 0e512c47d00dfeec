import type { Logger } from '@mintmark/server-kit'
import type { SimulatedProcess } from './simulation.ts'

/**
 * Creates the log of a simulated process, which writes into the trace.
 *
 * @param onError Receives what is logged as an error.
 */
export function createProcessLog(
  process: SimulatedProcess,
  onError: (error: unknown, message: string) => void = () => {},
): Logger {
  const write = (level: string) => (fields: { err?: unknown } & object, message: string) => {
    if (level === 'error') onError(fields.err, message)
    const error = fields.err instanceof Error ? ` (${fields.err.message.split('\n')[0]})` : ''
    process.simulation.trace(`${process.name} ${level}: ${message}${error}`)
  }
  const log = { info: write('info'), warn: write('warn'), error: write('error'), debug: write('debug') }
  // Only these methods are called.
  return log as unknown as Logger
}
