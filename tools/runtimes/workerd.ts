import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { build } from 'esbuild'
import { toolchain } from '../toolchains/toolchains.ts'
import { PROGRAM, type Project } from './project.ts'

/** A worker that returns what the program returns. */
const worker = `
import { program } from './${PROGRAM}'
export default {
  async fetch(request) {
    try {
      return Response.json(await program(await request.json()))
    } catch (error) {
      return new Response(String(error), { status: 500 })
    }
  },
}
`

/** The packages need no flag for Node's modules. The worker reaches only this machine. */
const configuration = (script: string, bindings: Readonly<Record<string, string>>) => `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "worker", worker = .worker),
    (name = "internet", network = (allow = ["local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "worker")],
);
const worker :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed ${JSON.stringify(script)})],
  bindings = [${Object.entries(bindings).map((binding) => `(name = "${binding[0]}", text = ${JSON.stringify(binding[1])})`)}],
  compatibilityDate = "2026-01-01",
);
`

/**
 * Bundles a worker as wrangler does, runs it in workerd, and returns the JSON of its answer to one request.
 *
 * @param bindings The worker's environment.
 * @throws Error when the answer is no success; the message contains it.
 */
export async function requestWorker(
  { folder }: Project,
  code: string,
  { path, init = {}, bindings = {} }: { path: string; init?: RequestInit; bindings?: Record<string, string> },
): Promise<unknown> {
  const name = `worker-${randomUUID()}`
  const built = await build({
    stdin: { contents: code, resolveDir: folder, loader: 'ts' },
    outfile: join(folder, `${name}.js`),
    bundle: true,
    format: 'esm',
    target: 'es2024',
    conditions: ['workerd', 'worker', 'browser'],
    logLevel: 'silent',
  })
  for (const warning of built.warnings) throw new Error(warning.text)
  writeFileSync(join(folder, `${name}.capnp`), configuration(`${name}.js`, bindings))
  const workerd = spawn(toolchain('workerd'), ['serve', '--control-fd=3', `${name}.capnp`], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    timeout: 120_000,
    killSignal: 'SIGKILL',
  })
  const closed = once(workerd, 'close')
  // These pipes exist because of `stdio`.
  const errors = text(workerd.stderr as Readable)
  try {
    const port = await readPort(workerd.stdio[3] as Readable)
    const response = await fetch(`http://127.0.0.1:${port}${path}`, init)
    if (!response.ok) throw new Error(await response.text())
    return await response.json()
  } catch (cause) {
    workerd.kill('SIGKILL')
    throw new Error(`${String(cause)}\n${await errors}`, { cause })
  } finally {
    workerd.kill('SIGKILL')
    await closed
  }
}

/** Runs the program as a worker. */
export function runInWorkerd(project: Project, given: object): Promise<unknown> {
  return requestWorker(project, worker, { path: '/', init: { method: 'POST', body: JSON.stringify(given) } })
}

/** Reads the port from workerd's control pipe. */
async function readPort(control: Readable): Promise<number> {
  for await (const line of createInterface(control)) {
    const message: { event: string; port?: number } = JSON.parse(line)
    if (message.event === 'listen' && message.port !== undefined) return message.port
  }
  throw new Error('workerd did not start')
}
