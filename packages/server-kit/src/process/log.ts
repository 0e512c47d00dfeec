import pino, { type Logger } from 'pino'
import { ConfigurationError, type EnvironmentReader } from '../environment.ts'
import { getTraceFields } from '../tracing/log-fields.ts'
import { readTracingSettings } from '../tracing/tracing-settings.ts'

export type { Logger }

const LEVELS: readonly string[] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

/**
 * Creates a log of JSON lines on standard output. Calls are logged with id, status and duration only, without
 * headers and bodies, so that the log contains no secrets or signatures. Errors are logged without the
 * additional properties of database drivers.
 *
 * @param hasTraceIds Whether lines within a recorded trace name it.
 * @throws ConfigurationError for an unknown level.
 */
export function createLog(
  name: string,
  level = 'info',
  destination?: pino.DestinationStream,
  hasTraceIds = false,
): Logger {
  checkLevel(level)
  return pino(
    {
      name,
      level,
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

/** Reads LOG_LEVEL. @throws ConfigurationError for an unknown level. */
export function readLogLevel(env: EnvironmentReader): string {
  const level = env.text('LOG_LEVEL') ?? 'info'
  checkLevel(level)
  return level
}

function checkLevel(level: string): void {
  if (LEVELS.includes(level)) return
  throw new ConfigurationError(
    `LOG_LEVEL: expected one of ${LEVELS.join(', ')}, received ${JSON.stringify(level)}`,
  )
}

function describeCause(error: Error): object {
  const { cause, code } = error as Error & { code?: unknown }
  return {
    ...(typeof code === 'string' && { code }),
    ...(cause instanceof Error && { cause: { type: cause.name, message: cause.message } }),
  }
}
