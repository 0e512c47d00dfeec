import { setTimeout as pause } from 'node:timers/promises'
import { isRetryable } from '@mintmark/server-kit'
import { retryLostConnection } from './lost-connection.ts'

const MAX_ATTEMPTS = 6

/**
 * Executes one statement that is its own transaction. The statement is repeated after a conflict with another
 * transaction, and while the connection is lost, for at most `patience` milliseconds. It must be repeatable:
 * if the connection is lost, the statement may have been committed, and it may still be running.
 *
 * `faultPoint` is called while the statement runs.
 */
export async function executeStatement<Result>(
  execute: () => Promise<Result>,
  patience: number,
  faultPoint: () => void | Promise<void> = () => {},
): Promise<Result> {
  const executeOnce = async () => {
    const [result] = await Promise.all([execute(), faultPoint()])
    return result
  }
  return retryLostConnection(() => retryConflicts(executeOnce), patience)
}

async function retryConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isRetryable(error) || attempt >= MAX_ATTEMPTS) throw error
      // Two statements that pause equally long would conflict again.
      await pause(Math.random() * Math.min(500, 10 * 2 ** attempt))
    }
  }
}
