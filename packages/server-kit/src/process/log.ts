import pino, { type Logger } from 'pino'
import type { EnvironmentReader } from '../environment.ts'
import { choice } from '../settings.ts'
import { getTraceFields } from '../tracing/log-fields.ts'
import { readTracingSettings } from '../tracing/tracing-settings.ts'

export type { Logger }

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** The declaration of LOG_LEVEL. */
export const logLevel = choice(`${LEVELS.join(', ')}; JSON lines on standard output`, {
  choices: LEVELS,
  default: 'info',
})

/**
 * Creates a log of JSON lines on standard output. Calls are logged with id, status and duration only, without
 * headers and bodies, so that the log contains no secrets or signatures. Errors are logged without the
 * additional properties of database drivers.
 *
 * @param level Default: info.
 * @param hasTraceIds Whether lines within a recorded trace name it.
 * @throws ConfigurationError for an unknown level.
 */
export function createLog(
  name: string,
  level?: string,
  destination?: pino.DestinationStream,
  hasTraceIds = false,
): Logger {
  return pino(
    {
      name,
      level: logLevel.parse(level, 'LOG_LEVEL'),
      base: { name },
      timestamp: pino.stdTimeFunctions.isoTime,
      ...(hasTraceIds && { mixin: getTraceFields }),
      serializers: {
        err: (error: unknown) =>
          error instanceof Error
            ? { type: error.name, message: error.message, stack: error.stack, ...describeCause(error) }
            : { message: String(error) },
      },
    },
    // Lines are buffered, because a write per line would take a tenth of the time of a fast call. The buffer
    // is flushed when the process exits.
    destination ?? pino.destination({ fd: 1, sync: false, minLength: 16_000, periodicFlush: 100 }),
  )
}

/**
 * Creates the log that the environment configures: with its LOG_LEVEL, and with the ids of traces if they are
 * exported.
 */
export function createServerLog(
  name: string,
  env: EnvironmentReader,
  destination?: pino.DestinationStream,
): Logger {
  const isTraced = readTracingSettings(env, name) !== undefined
  return createLog(name, env.text('LOG_LEVEL'), destination, isTraced)
}

function describeCause(error: Error): object {
  const { cause, code } = error as Error & { code?: unknown }
  return {
    ...(typeof code === 'string' && { code }),
    ...(cause instanceof Error && { cause: { type: cause.name, message: cause.message } }),
  }
}
