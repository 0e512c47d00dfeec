import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { repositoryRoot } from '../workspace.ts'

/** A server in a process of its own. */
export interface ServerProcess {
  name: string
  exited: Promise<number | null>
  stop(): Promise<void>
}

/** Starts a server's built command and waits until `/health` responds; its log goes to this process's standard output. */
export async function startServer(
  name: string,
  options: { packageName: string; url: string; env: Record<string, string>; log: (line: string) => void },
): Promise<ServerProcess> {
  const cli = join(repositoryRoot, 'packages', options.packageName, 'dist', 'cli.js')
  const child = spawn(process.execPath, ['--enable-source-maps', cli, 'serve'], {
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Ctrl-C reaches the start alone, which stops its servers in their order.
    detached: true,
  })
  let complaints = ''
  const pass = (chunk: Buffer) => options.log(chunk.toString())
  child.stdout.on('data', pass)
  child.stderr.on('data', (chunk: Buffer) => {
    complaints = (complaints + chunk.toString()).slice(-4000)
    pass(chunk)
  })
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  await ready(name, child, options.url, () => complaints)
  return {
    name,
    exited,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), 15_000)
      await exited
      clearTimeout(timer)
    },
  }
}

async function ready(
  name: string,
  child: ChildProcess,
  url: string,
  complaints: () => string,
): Promise<void> {
  const end = Date.now() + 30_000
  while (Date.now() < end) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`The ${name} did not start.\n${complaints().trim()}`)
    }
    const answered = await fetch(`${url}/health`).then(
      (answer) => answer.ok,
      () => false,
    )
    if (answered) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  child.kill('SIGKILL')
  throw new Error(`The ${name} does not answer at ${url}.\n${complaints().trim()}`)
}
