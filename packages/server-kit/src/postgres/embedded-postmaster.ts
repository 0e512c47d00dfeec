import { execFile } from 'node:child_process'
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { platform } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { hasCode } from './path-exists.ts'

/** What `postmaster.pid` says of the server of a data folder. */
export interface Postmaster {
  readonly pid: number
  readonly port: number
  readonly ready: boolean
}

const pidFile = 'postmaster.pid'

/** Reads `postmaster.pid`; undefined where there is none, or where it is only being written. */
export async function readPostmaster(data: string): Promise<Postmaster | undefined> {
  const text = await readPidFile(join(data, pidFile))
  const lines = text?.split('\n') ?? []
  const pid = Number(lines[0])
  if (!Number.isInteger(pid) || pid <= 0) return undefined
  return { pid, port: Number(lines[3] ?? 0), ready: lines[7]?.trim() === 'ready' }
}

async function readPidFile(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** Whether a process of this id exists, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return hasCode(error, 'EPERM')
  }
}

/**
 * Whether a process was started as the server of this data folder. A machine that was switched off, or a container
 * that was started again, gives a dead server's id to another process, which then looks like the server being alive.
 */
export async function servesData(pid: number, data: string): Promise<boolean> {
  try {
    return isAlive(pid) && (await commandLine(pid)).includes(data)
  } catch (error) {
    if (!isAlive(pid)) return false
    throw error
  }
}

async function commandLine(pid: number): Promise<string> {
  // Everyone may read a command line; a process's folder is often hidden, from root in a container too.
  if (platform() === 'linux') return readFile(`/proc/${pid}/cmdline`, 'utf8')
  const [command, options] =
    platform() === 'win32'
      ? [
          'powershell',
          ['-NoProfile', '-Command', `(Get-CimInstance Win32_Process -Filter ProcessId=${pid}).CommandLine`],
        ]
      : ['ps', ['-ww', '-o', 'command=', '-p', String(pid)]]
  return (await promisify(execFile)(command, options)).stdout
}

/**
 * Lets a server start although `postmaster.pid` names a process that lives but is no server of this data.
 *
 * The file is not removed: it also says which shared memory the dead server had, by which PostgreSQL makes sure that
 * none of its processes is still at work on the data. Instead it is made to name this process, whose number a server
 * that this process starts takes for a leftover. The file is moved aside first: should another process have started
 * a server in the meantime, the file that comes along is that server's, and goes back.
 */
export async function disownStale(data: string, stale: Postmaster): Promise<void> {
  const place = join(data, pidFile)
  const aside = `${place}.stale-${process.pid}`
  try {
    await rename(place, aside)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return
    throw error
  }
  const lines = (await readFile(aside, 'utf8')).split('\n')
  if (lines[0] === String(stale.pid)) {
    await writeFile(aside, [process.pid, ...lines.slice(1)].join('\n'))
  }
  try {
    // Unlike a rename, a link never replaces the file of a server that started just now.
    await link(aside, place)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  }
  await rm(aside)
}
