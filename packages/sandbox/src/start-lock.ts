import { readFile, rm, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { SandboxStartError } from './start-error.ts'

/** A process that has created its lock writes its id within this time. */
const WRITE_TIME_MS = 1000

/** The locks of this process, whose id may also be that of a start that was killed. */
const ownLocks = new Set<string>()

/**
 * Prevents a second start in a folder until the chain of the first one occupies it: both would use the same
 * files. Replaces the lock of a process that was killed. Returns an idempotent function that removes the
 * lock.
 *
 * @throws SandboxStartError while another sandbox is being started in the folder.
 */
export async function lockStart(dataDir: string): Promise<() => Promise<void>> {
  const path = resolve(dataDir, 'start.lock')
  const createError = (starter: string) =>
    new SandboxStartError(
      `${starter} is starting a sandbox in ${dataDir}. Wait until it has started, or choose another folder. If it is no sandbox, remove ${path}`,
    )
  if (ownLocks.has(path)) throw createError(`Process ${process.pid}`)
  ownLocks.add(path)
  try {
    const owner = await findOwner(path)
    if (owner !== undefined) throw createError(`Process ${owner}`)
    if (!(await createLock(path))) throw createError('Another process')
  } catch (error) {
    ownLocks.delete(path)
    throw error
  }
  return async () => {
    if (ownLocks.delete(path)) await rm(path, { force: true })
  }
}

/** Returns the running process that holds a lock. Removes the lock of a process that has ended. */
async function findOwner(path: string): Promise<number | undefined> {
  let content = await readLock(path)
  // Its process may be about to write its id.
  if (content === '') {
    await pause(WRITE_TIME_MS)
    content = await readLock(path)
  }
  const owner = Number(content ?? '')
  if (owner !== process.pid && isRunning(owner)) return owner
  await rm(path, { force: true })
  return undefined
}

async function readLock(path: string): Promise<string | undefined> {
  return await readFile(path, 'utf8').catch(() => undefined)
}

/** Returns false if another process came first. */
async function createLock(path: string): Promise<boolean> {
  try {
    await writeFile(path, String(process.pid), { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function isRunning(processId: number): boolean {
  // Zero addresses the group of this process.
  if (!(processId > 0)) return false
  try {
    process.kill(processId, 0)
    return true
  } catch (error) {
    // A process of another user exists too.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
