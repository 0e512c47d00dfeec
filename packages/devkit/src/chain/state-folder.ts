import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

/** Where a dev chain keeps itself between two runs. */
export interface StateFolder {
  /** Blocks, transactions, accounts: all that a later start needs. */
  readonly state: string
  /** Earlier blocks' states of the running process; of no use to the next one. */
  readonly history: string
  /** The process ids of the anvil that writes here and of the process that started it. */
  readonly pid: string
}

/** How long an anvil whose starter was killed may take to save its state and go. */
const departureBound = 10_000

/**
 * Makes the folder ready for one anvil: creates it, drops what a killed process left behind, and waits for an anvil that
 * is still on its way out.
 *
 * @throws Error when another dev chain keeps running on this folder: two would overwrite each other's state.
 */
export async function openStateFolder(path: string): Promise<StateFolder> {
  const folder = {
    state: join(path, 'state.json'),
    history: join(path, 'history'),
    pid: join(path, 'anvil.pid'),
  }
  await mkdir(path, { recursive: true })
  await waitForPredecessor(folder)
  await dropHistory(folder)
  return folder
}

/** Notes which process writes to the folder, for the next `openStateFolder` to find. */
export async function occupy(folder: StateFolder, pid: number): Promise<void> {
  await writeFile(folder.pid, `${pid} ${process.pid}\n`)
}

/** Ends what `occupy` began, once the process is gone. */
export async function vacate(folder: StateFolder): Promise<void> {
  await rm(folder.pid, { force: true })
  await dropHistory(folder)
}

/**
 * Moves a state file that cannot be read out of the way, without losing it.
 *
 * @returns where it is now, or undefined when there was none.
 */
export async function setAsideState(folder: StateFolder): Promise<string | undefined> {
  if (!existsSync(folder.state)) return undefined
  let number = 1
  while (existsSync(`${folder.state}.unreadable-${number}`)) number += 1
  const aside = `${folder.state}.unreadable-${number}`
  await rename(folder.state, aside)
  return aside
}

/** anvil writes a file for every block it keeps and leaves them all when it ends. */
async function dropHistory(folder: StateFolder): Promise<void> {
  await rm(folder.history, { recursive: true, force: true })
}

async function waitForPredecessor(folder: StateFolder): Promise<void> {
  if (!existsSync(folder.pid)) return
  const [pid = 0, starter = 0] = (await readFile(folder.pid, 'utf8')).split(' ').map(Number)
  const deadline = Date.now() + departureBound
  while (await writesTo(folder, pid)) {
    // Only an anvil whose starter is gone is about to go as well.
    if (isAlive(starter) || Date.now() > deadline) {
      throw new Error(`A dev chain already runs on ${folder.state} (process ${pid}): stop it first`)
    }
    await sleep(100)
  }
}

/** Process ids are used again: a process counts only when its command line names this folder's state. */
async function writesTo(folder: StateFolder, pid: number): Promise<boolean> {
  if (!isAlive(pid)) return false
  return (await commandLine(pid)).includes(folder.state)
}

function isAlive(pid: number): boolean {
  // Zero and negative numbers would ask about whole groups of processes.
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it lives, and belongs to someone else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

async function commandLine(pid: number): Promise<string> {
  try {
    if (existsSync('/proc/self/cmdline')) return await readFile(`/proc/${pid}/cmdline`, 'utf8')
    const { stdout } = await promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)])
    return stdout
  } catch (error) {
    // It ended between the two questions.
    if (!isAlive(pid)) return ''
    throw error
  }
}
