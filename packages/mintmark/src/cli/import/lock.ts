import { readFile, rm, writeFile } from 'node:fs/promises'
import { SetupError } from '../errors.ts'

function isRunning(processId: number): boolean {
  try {
    process.kill(processId, 0)
    return true
  } catch (error) {
    // A process of another user exists too.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

async function readOwner(path: string): Promise<number | undefined> {
  try {
    return Number(await readFile(path, 'utf8')) || undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function tryLock(path: string): Promise<boolean> {
  try {
    await writeFile(path, String(process.pid), { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/**
 * Prevents a second import of the same file at the same time. The lock of a process that was killed is
 * replaced. Returns the function that releases the lock.
 */
export async function lockImport(path: string): Promise<() => Promise<void>> {
  if (!(await tryLock(path))) {
    const owner = await readOwner(path)
    if (owner !== undefined && owner !== process.pid && isRunning(owner)) {
      throw new SetupError(
        `Process ${owner} is importing this file. Wait until it ends, or remove ${path} if that process is no import`,
      )
    }
    await rm(path, { force: true })
    if (!(await tryLock(path)))
      throw new SetupError('Another process is importing this file. Wait until it ends')
  }
  return () => rm(path, { force: true })
}
