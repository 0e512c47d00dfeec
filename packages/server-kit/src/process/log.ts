import pino, { type Logger } from 'pino'

import { ConfigurationError } from './environment.ts'

export type { Logger }

const levels: readonly string[] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

/**
 * JSON lines to standard output. Calls are logged by id, status and time alone: no headers and no bodies, so that no secret or
 * signature can be in them; errors lose what a driver may put beside its message.
 *
 * @throws ConfigurationError for a level that is none.
 */
export function createLog(name: string, level = 'info', destination?: pino.DestinationStream): Logger {
  if (!levels.includes(level)) {
    throw new ConfigurationError(
      `LOG_LEVEL: expected one of ${levels.join(', ')}, received ${JSON.stringify(level)}`,
    )
  }
  return pino(
    {
      name,
      level,
      base: { name },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: {
        err: (error: unknown) =>
          error instanceof Error
            ? { type: error.name, message: error.message, stack: error.stack, ...causeOf(error) }
            : { message: String(error) },
      },
    },
    // Lines are written a few at a time: a write of its own for each would cost a fast call a tenth of its time. What is left is
    // written when the process exits.
    destination ?? pino.destination({ fd: 1, sync: false, minLength: 4096, periodicFlush: 100 }),
  )
}

function causeOf(error: Error): object {
  const { cause, code } = error as Error & { code?: unknown }
  return {
    ...(typeof code === 'string' && { code }),
    ...(cause instanceof Error && { cause: { type: cause.name, message: cause.message } }),
  }
}
