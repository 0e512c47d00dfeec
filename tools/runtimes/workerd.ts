import { spawn } from 'node:child_process'
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

const worker = `
import { program } from './${PROGRAM}'
export default {
  async fetch(request) {
    return Response.json(await program(await request.json()))
  },
}
`

/** No flag for Node's modules: the packages need none. Only this machine is reached, where the servers are. */
const configuration = `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "program", worker = .program),
    (name = "internet", network = (allow = ["local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "program")],
);
const program :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.bundled.js")],
  compatibilityDate = "2026-01-01",
);
`

/** Bundles the program as wrangler does, and has workerd run it as a worker; answers what the program answered. */
export async function runInWorkerd({ folder }: Project, given: object): Promise<unknown> {
  writeFileSync(join(folder, 'worker.js'), worker)
  writeFileSync(join(folder, 'workerd.capnp'), configuration)
  await build({
    absWorkingDir: folder,
    entryPoints: ['worker.js'],
    outfile: 'worker.bundled.js',
    bundle: true,
    format: 'esm',
    target: 'es2024',
    conditions: ['workerd', 'worker', 'browser'],
    logLevel: 'silent',
  })
  const workerd = spawn(toolchain('workerd'), ['serve', '--control-fd=3', 'workerd.capnp'], {
    cwd: folder,
    env: environmentOf({}),
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    timeout: PATIENCE,
    killSignal: 'SIGKILL',
  })
  const ended = once(workerd, 'close')
  // It is piped, as is said above.
  const complaints = text(workerd.stderr as Readable)
  try {
    // The fourth of its pipes, which it writes to.
    const port = await portOf(workerd.stdio[3] as Readable)
    if (port !== undefined) {
      const answer = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: JSON.stringify(given) })
      if (answer.ok) return await answer.json()
    }
  } finally {
    workerd.kill('SIGKILL')
    await ended
  }
  throw new Error(`the worker failed: ${(await complaints).trim()}`)
}

/** The port that a line on workerd's control pipe names; undefined when it ends without one. */
async function portOf(control: Readable): Promise<number | undefined> {
  for await (const line of createInterface(control)) {
    const told: { event: string; port?: number } = JSON.parse(line)
    if (told.event === 'listen') return told.port
  }
  return undefined
}
