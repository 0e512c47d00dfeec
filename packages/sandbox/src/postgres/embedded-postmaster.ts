import { execFile } from 'node:child_process'
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { platform } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { hasCode } from './path-exists.ts'

/** The server of a data folder, by its `postmaster.pid`. */
export interface Postmaster {
  readonly pid: number
  readonly port: number
  readonly ready: boolean
}

const PID_FILE = 'postmaster.pid'

/** Reads `postmaster.pid`. Returns undefined when it does not exist or is incomplete. */
export async function readPostmaster(data: string): Promise<Postmaster | undefined> {
  const text = await readPidFile(join(data, PID_FILE))
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

/** Whether a process with this id exists, of any owner. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return hasCode(error, 'EPERM')
  }
}

/**
 * Whether a process was started as the server of this data folder. After a power loss, or in a restarted
 * container, another process can have the id of the dead server.
 */
export async function servesData(pid: number, data: string): Promise<boolean> {
  try {
    return isAlive(pid) && (await readCommandLine(pid)).includes(data)
  } catch (error) {
    if (!isAlive(pid)) return false
    throw error
  }
}

async function readCommandLine(pid: number): Promise<string> {
  // All users may read a command line. The working directory of a process is often hidden, in a container
  // even from root.
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
 * Makes it possible to start a server although `postmaster.pid` contains the id of a live process that is not
 * a server of this data.
 *
 * The file is not removed, because it also identifies the shared memory of the dead server, by which
 * PostgreSQL checks that none of its processes still uses the data. Instead the id is replaced with that of
 * this process, which a server that this process starts treats as stale. The file is moved aside first: if
 * another process has started a server meanwhile, the moved file is that server's and is restored.
 */
export async function disownStale(data: string, stale: Postmaster): Promise<void> {
  const place = join(data, PID_FILE)
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
    // Unlike a rename, a link never replaces the file of a server that has just started.
    await link(aside, place)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  }
  await rm(aside)
}
