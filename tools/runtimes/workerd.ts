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
import { environmentOf, PATIENCE } from './child.ts'
import { PROGRAM, type Project } from './project.ts'

/** A worker that answers what the program saw. */
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

/** No flag for Node's modules: the packages need none. Only this machine is reached, where the servers are. */
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
 * Bundles a worker as wrangler does and has workerd run it; answers what it answers to one request.
 *
 * @param bindings What it finds in its environment.
 * @throws Error where it does not answer with success; the message holds what it said instead.
 */
export async function askWorker(
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
    env: environmentOf({}),
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    timeout: PATIENCE,
    killSignal: 'SIGKILL',
  })
  const ended = once(workerd, 'close')
  // It is piped, as is said above.
  const complaints = text(workerd.stderr as Readable)
  let failure: unknown = 'workerd did not start'
  try {
    // The fourth of its pipes, which it writes to.
    const port = await portOf(workerd.stdio[3] as Readable)
    if (port !== undefined) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, init)
      if (answer.ok) return await answer.json()
      failure = await answer.text()
    }
  } catch (error) {
    failure = error
  } finally {
    workerd.kill('SIGKILL')
    await ended
  }
  throw new Error([String(failure), await complaints].join('\n').trim(), { cause: failure })
}

/** Runs the program as a worker; answers what it saw. */
export function runInWorkerd(project: Project, given: object): Promise<unknown> {
  return askWorker(project, worker, { path: '/', init: { method: 'POST', body: JSON.stringify(given) } })
}

/** The port that a line on workerd's control pipe names; undefined when it ends without one. */
async function portOf(control: Readable): Promise<number | undefined> {
  for await (const line of createInterface(control)) {
    const told: { event: string; port?: number } = JSON.parse(line)
    if (told.event === 'listen') return told.port
  }
  return undefined
}
