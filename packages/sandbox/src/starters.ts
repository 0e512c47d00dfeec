import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** How many processes may be between npm and this one: a shell, and a program that starts this one. */
const MAX_DISTANCE = 4
const WATCH_MS = 500
const NPM = /^(?:\S+ )?(?:\S*\/)?np[mx](?:-cli\.c?js)?(?: |$)/
const TASK = /\btools\/setup\.mjs /

interface Ancestor {
  readonly pid: number
  readonly parent: number
  readonly command: string
}

/**
 * Calls `onEnd` once when npm, or a process between npm and this one, has ended. npm passes SIGTERM on to its
 * shell only, and the other signals that end it to nobody.
 */
export function watchStarters(onEnd: () => void, starters: readonly number[] = listStarters()): void {
  const timer = setInterval(() => {
    if (starters.every(isAlive)) return
    clearInterval(timer)
    onEnd()
  }, WATCH_MS)
  timer.unref()
}

/**
 * Lists the processes from the parent of this one to npm; without npm, a parent that runs a task of the
 * repository. A shell in which somebody started this process is not among them: it may end earlier.
 */
export function listStarters(): number[] {
  const ancestors: Ancestor[] = []
  for (let pid = process.ppid; pid > 1 && ancestors.length < MAX_DISTANCE; ) {
    const ancestor = readProcess(pid)
    if (ancestor === undefined) break
    ancestors.push(ancestor)
    if (NPM.test(ancestor.command)) return ancestors.map((each) => each.pid)
    pid = ancestor.parent
  }
  return ancestors
    .slice(0, 1)
    .filter(({ command }) => TASK.test(command))
    .map((each) => each.pid)
}

/** Reads a process. Undefined if it has ended, and on Windows, which has no such signals. */
function readProcess(pid: number): Ancestor | undefined {
  if (process.platform === 'win32') return undefined
  try {
    if (process.platform === 'linux') {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
      // The name of the program, in parentheses, may contain anything.
      const [, parent] = /.*\) \S (\d+) /s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
      return { pid, parent: Number(parent), command }
    }
    const line = execFileSync('ps', ['-ww', '-o', 'ppid=,command=', '-p', String(pid)], { encoding: 'utf8' })
    const [, parent, command = ''] = /^\s*(\d+)\s+(.*)$/m.exec(line) ?? []
    return { pid, parent: Number(parent), command }
  } catch {
    // It has ended, or may not be read. Then nothing is watched.
    return undefined
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/**
 * Whether this process was started to survive its terminal, as `nohup` does it. A handler of SIGHUP would
 * replace that.
 */
export function ignoresHangup(): boolean {
  if (process.platform !== 'linux') return false
  const [, mask = '0'] = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  return (BigInt(`0x${mask}`) & 1n) === 1n
}
