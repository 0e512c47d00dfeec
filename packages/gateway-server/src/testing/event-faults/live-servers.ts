import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { type BundledServer, bundleServer } from '@mintmark/devkit/bundle-server'
import type { Random } from '@mintmark/devkit/random'

/** Points at which a gateway may end itself. Its jobs pass them only when they have work. */
const FAULTS = ['claimed', 'observed', 'applied', 'indexer read', 'indexer writing', 'indexer written']

/** Servers that start at the same time. Usually one or two of them serve. */
const SLOTS = 3
/** How long a server serves. It starts for several seconds on a loaded machine. */
const LIFE_MS = { least: 500, most: 9000 }

interface Server {
  readonly url: string
  callsInProgress: number
}

/** Gateways in processes of their own, which are killed again and again. */
export interface LiveServers {
  /** Calls any server that serves. Fails when the server is killed meanwhile. */
  readonly fetch: (request: Request) => Promise<Response>
  /** Kills by the state of the server: with calls in progress, at a point of a job, or idle. */
  readonly kills: { working: number; atPoint: number; idle: number }
  /** Kills all servers and starts no others. */
  stop(): Promise<void>
}

/** Starts servers on a database, which are killed at random times. */
export async function startLiveServers(
  env: Readonly<Record<string, string>>,
  random: Random,
  stops: AsyncDisposableStack,
): Promise<LiveServers> {
  const program = await bundleServer(
    {
      server: resolve(import.meta.dirname, '../../..'),
      programs: { gateway: resolve(import.meta.dirname, '../killed-gateway.ts') },
      functions: { 'migrations/functions': 'src/functions' },
    },
    stops,
  )
  const servers = new Set<Server>()
  const children = new Set<ChildProcess>()
  const kills = { working: 0, atPoint: 0, idle: 0 }
  let isStopping = false

  const runOne = async () => {
    const fault = random.chance(0.3) ? random.pick(FAULTS) : ''
    const child = startServer(program, { ...env, FAULT: fault, FAULT_AFTER: String(random.integer(4)) })
    children.add(child)
    const ended = once(child, 'exit')
    const url = await Promise.race([readUrl(child), ended.then(() => undefined)])
    if (url !== undefined) {
      const server: Server = { url, callsInProgress: 0 }
      servers.add(server)
      const first = await Promise.race([
        pause(LIFE_MS.least + random.integer(LIFE_MS.most - LIFE_MS.least), 'time'),
        ended.then(() => 'point'),
      ])
      servers.delete(server)
      if (first === 'point') kills.atPoint += 1
      else if (server.callsInProgress > 0) kills.working += 1
      else kills.idle += 1
    }
    child.kill('SIGKILL')
    await ended
    children.delete(child)
  }
  const slots = Array.from({ length: SLOTS }, async () => {
    while (!isStopping) await runOne()
  })

  return {
    kills,
    async fetch(request) {
      while (servers.size === 0) {
        if (isStopping) throw new Error('No server runs any more')
        await pause(20)
      }
      const server = random.pick([...servers])
      server.callsInProgress += 1
      try {
        const { pathname, search } = new URL(request.url)
        const response = await fetch(new Request(`${server.url}${pathname}${search}`, request))
        // The body, too, is received before the call has ended.
        const body = await response.arrayBuffer()
        return new Response(response.status === 204 ? null : body, response)
      } finally {
        server.callsInProgress -= 1
      }
    },
    async stop() {
      isStopping = true
      for (const child of children) child.kill('SIGKILL')
      await Promise.all(slots)
    },
  }
}

function startServer(program: BundledServer, env: Readonly<Record<string, string>>): ChildProcess {
  return spawn(process.execPath, [program.getScript('gateway')], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: program.cache, ...env },
    // The process ends with its parent, to which the last one is a channel.
    stdio: ['ignore', 'pipe', process.env.MINTMARK_FAULTS_LOG ? 'inherit' : 'ignore', 'ipc'],
  })
}

/** Reads the URL that a server prints when it is ready. Waits for ever if the process ends before that. */
async function readUrl(child: ChildProcess): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  if (child.stdout === null) throw new Error('The output of the process is not read')
  createInterface(child.stdout).on('line', (line) => {
    if (line.startsWith('ready ')) resolve(line.slice('ready '.length))
    else if (process.env.MINTMARK_FAULTS_LOG) console.log(line)
  })
  return await promise
}
