import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/** A program that runs beside this one, with the programs that it starts. */
export interface ProcessGroup {
  /** Rejects with everything that the program printed if it fails. */
  readonly done: Promise<void>
  readonly child: ChildProcess
  /** Ends the program and all that it has started, also programs that it waits for synchronously. */
  end(): void
}

/** Runs a program of Node in a process group of its own. Windows has none: there only the program is ended. */
export function startGroup(parameters: readonly string[], cwd: string): ProcessGroup {
  const detached = process.platform !== 'win32'
  const child = spawn(process.execPath, parameters, { cwd, detached, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      printed += chunk
    })
  }
  async function wait(): Promise<void> {
    const [status, signal] = await once(child, 'close')
    if (status !== 0) throw new Error(`${parameters.join(' ')} ended with ${status ?? signal}:\n${printed}`)
  }
  return {
    done: wait(),
    child,
    end() {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
      if (detached) process.kill(-child.pid, 'SIGTERM')
      else child.kill()
    },
  }
}
