import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

/** The files of a dev chain between two runs. */
export interface StateFolder {
  /** Blocks, transactions and accounts, read by the next start. */
  readonly state: string
  /** States of earlier blocks, used only by the running process. */
  readonly history: string
  /** The process ids of the anvil that writes here and of the process that started it. */
  readonly pid: string
}

/** Time for an anvil whose parent was killed to save its state and end. */
const departureBound = 10_000

/**
 * Prepares the folder for one anvil: creates it, removes files of a killed process, and waits for an anvil
 * that is ending.
 *
 * @throws Error when another dev chain uses this folder.
 */
export async function openStateFolder(path: string): Promise<StateFolder> {
  const folder = getFiles(path)
  await mkdir(path, { recursive: true })
  await waitForPredecessor(folder)
  await dropHistory(folder)
  return folder
}

function getFiles(path: string): StateFolder {
  return { state: join(path, 'state.json'), history: join(path, 'history'), pid: join(path, 'anvil.pid') }
}

/**
 * Returns the id of the process whose dev chain uses a folder. Returns undefined if none does, or if that
 * process has ended.
 */
export async function findStarter(path: string): Promise<number | undefined> {
  const folder = getFiles(path)
  const { pid, starter } = await readPids(folder)
  return isAlive(starter) && (await writesTo(folder, pid)) ? starter : undefined
}

/** Records which process writes to the folder. */
export async function occupy(folder: StateFolder, pid: number): Promise<void> {
  await writeFile(folder.pid, `${pid} ${process.pid}\n`)
}

/** Reverts `occupy` after the process has ended. */
export async function vacate(folder: StateFolder): Promise<void> {
  await rm(folder.pid, { force: true })
  await dropHistory(folder)
}

/**
 * Renames a state file that cannot be read.
 *
 * @returns Its new path, or undefined when there was no file.
 */
export async function setAsideState(folder: StateFolder): Promise<string | undefined> {
  if (!existsSync(folder.state)) return undefined
  let number = 1
  while (existsSync(`${folder.state}.unreadable-${number}`)) number += 1
  const aside = `${folder.state}.unreadable-${number}`
  await rename(folder.state, aside)
  return aside
}

/** Removes the files of earlier states. anvil writes one per block and does not remove them. */
async function dropHistory(folder: StateFolder): Promise<void> {
  await rm(folder.history, { recursive: true, force: true })
}

async function waitForPredecessor(folder: StateFolder): Promise<void> {
  const { pid, starter } = await readPids(folder)
  const deadline = Date.now() + departureBound
  while (await writesTo(folder, pid)) {
    // anvil ends by itself only after its parent has ended.
    if (isAlive(starter) || Date.now() > deadline) {
      throw new Error(`A dev chain already uses ${folder.state} (process ${pid}). Stop it first`)
    }
    await sleep(100)
  }
}

/** Reads what `occupy` has recorded: zeros if nothing is. */
async function readPids(folder: StateFolder): Promise<{ pid: number; starter: number }> {
  if (!existsSync(folder.pid)) return { pid: 0, starter: 0 }
  const [pid = 0, starter = 0] = (await readFile(folder.pid, 'utf8')).split(' ').map(Number)
  return { pid, starter }
}

/** Process ids are reused, so the command line of the process must name this folder's state. */
async function writesTo(folder: StateFolder, pid: number): Promise<boolean> {
  if (!isAlive(pid)) return false
  return (await commandLine(pid)).includes(folder.state)
}

function isAlive(pid: number): boolean {
  // Zero and negative numbers address process groups.
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: the process belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

async function commandLine(pid: number): Promise<string> {
  try {
    if (existsSync('/proc/self/cmdline')) return await readFile(`/proc/${pid}/cmdline`, 'utf8')
    const { stdout } = await promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)])
    return stdout
  } catch (error) {
    // It ended in the meantime.
    if (!isAlive(pid)) return ''
    throw error
  }
}
