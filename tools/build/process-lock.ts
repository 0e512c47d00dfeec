import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const hasCode = (error: unknown, code: string) => (error as NodeJS.ErrnoException).code === code

/** How long a process sleeps before it looks for the lock again. */
const RETRY_MS = 100

/**
 * Runs work that only one process at a time may do. Others wait. The lock of a process that died is removed.
 *
 * @param lock The file that exists meanwhile. It contains the id of the process.
 */
export function runLocked<Result>(lock: string, work: () => Result): Result {
  mkdirSync(dirname(lock), { recursive: true })
  const clock = new Int32Array(new SharedArrayBuffer(4))
  while (!tryLock(lock)) {
    const holder = readHolder(lock)
    if (holder !== undefined && !isAlive(holder)) rmSync(lock, { force: true })
    // The build is synchronous, and so is the wait for it.
    else Atomics.wait(clock, 0, 0, RETRY_MS)
  }
  try {
    return work()
  } finally {
    rmSync(lock, { force: true })
  }
}

function tryLock(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  }
}

/**
 * Returns the process that holds a lock. Undefined if the lock was removed, or if its id is not written yet.
 */
function readHolder(lock: string): number | undefined {
  try {
    return Number(readFileSync(lock, 'utf8')) || undefined
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // A process of another user exists too.
    return hasCode(error, 'EPERM')
  }
}
