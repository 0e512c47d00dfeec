import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createSigner } from '@mintmark/core-auth'
import { createKey, gatewaySchema, type Tables } from '@mintmark/gateway-server'
import { createSealer, migrate, newSecretKey, openDatabase } from '@mintmark/server-kit'
import { startTestServer } from '@mintmark/server-kit/testing'
import { repositoryRoot } from '../workspace.ts'
import type { LoadOrder, LoadReport } from './load.ts'
import { type Measured, median, type Section } from './section.ts'

const address = '0x00000000000000000000000000000000000000a1'
const path = '/api/v1/wallet/walletInfo'
const CONNECTIONS = 32
/** What the gateway should answer of what the bare route answers. */
const WANTED = 0.7

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url))
const execArgv = ['--conditions=@mintmark/source']

/** BENCH_PROFILE names a folder: both servers leave a CPU profile there. */
const profiling = process.env.BENCH_PROFILE
  ? ['--cpu-prof', `--cpu-prof-dir=${process.env.BENCH_PROFILE}`]
  : []

/** A database with the row, and a key that may read it. */
async function prepare(url: string, secretKeys: string) {
  await migrate(url, gatewaySchema)
  const database = openDatabase<Tables>({ url, max: 1 })
  try {
    const key = await createKey(database.system, createSealer(secretKeys), {
      project: 'bench',
      name: 'bench',
    })
    await database.system
      .insertInto('gateway.wallet_info')
      .values({
        ...{ project_id: key.projectId, address, name: 'Ada', email: 'ada@example.com' },
        description: 'Collects prints.',
      })
      .execute()
    return key
  } finally {
    await database.close()
  }
}

/** The gateway's own command, its log going to a file as it would in production; answers its port. */
export async function startGateway(url: string, secretKeys: string, folder: string) {
  const file = join(folder, 'gateway.log')
  const log = openSync(file, 'w')
  const cli = join(repositoryRoot, 'packages', 'gateway-server', 'src', 'cli.ts')
  const settings = {
    ...{ DATABASE_URL: url, SECRET_KEYS: secretKeys, GATEWAY_PORT: '0', LOG_LEVEL: 'info' },
    ...{
      RATE_LIMIT_PER_SECOND: '1000000',
      RATE_LIMIT_BURST: '1000000',
      CONCURRENT_CALLS_PER_PROJECT: '1000',
    },
  }
  const env = { ...process.env, ...settings }
  const child = spawn(process.execPath, [...execArgv, ...profiling, cli, 'serve'], {
    env,
    stdio: ['ignore', log, 'inherit'],
  })
  closeSync(log)
  const patience = Date.now() + 60_000
  while (Date.now() < patience) {
    const ready = readFileSync(file, 'utf8')
      .split('\n')
      .find((line) => line.includes('"msg":"ready"'))
    if (ready) return { child, port: Number(new URL(JSON.parse(ready).url).port) }
    if (child.exitCode !== null) throw new Error('the gateway did not start')
    await pause(20)
  }
  child.kill('SIGKILL')
  throw new Error(`the gateway was not ready in time: ${readFileSync(file, 'utf8')}`)
}

/** The signed request as bytes. A read may come again while its timestamp is young, so that signing costs the load nothing. */
async function signedRequest(key: { apiKey: string; secret: string }): Promise<string> {
  const headers = await createSigner({ credentials: key }).sign({
    method: 'GET',
    path,
    query: `address=${address}`,
    body: new Uint8Array(0),
  })
  const lines = Object.entries({ host: '127.0.0.1:4000', accept: 'application/json', ...headers })
  return `GET ${path}?address=${address} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
}

/** Processor seconds that a server has used so far. */
async function usedBy(port: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const [, seconds] = /^process_cpu_seconds_total ([\d.e-]+)/m.exec(text) ?? []
  if (seconds === undefined) throw new Error('the server does not say what it used')
  return Number(seconds)
}

interface Put {
  rate: number
  cost: number
}

/** Answers a second, and the microseconds of processor that one took the server. */
async function put(load: ChildProcess, order: LoadOrder): Promise<Put> {
  const before = await usedBy(order.port)
  load.send(order)
  const [report] = (await once(load, 'message')) as [LoadReport]
  if (report.failed > 0) throw new Error(`${report.failed} of ${report.answered} answers were not 200`)
  const used = (await usedBy(order.port)) - before
  return { rate: report.answered / report.seconds, cost: (used * 1e6) / report.answered }
}

async function measure({ quick }: { quick: boolean }): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-bench-'))
  const stops: (() => unknown)[] = [() => rmSync(folder, { recursive: true })]
  try {
    const server = await startTestServer()
    stops.push(() => server.stop())
    const secretKeys = newSecretKey('bench')
    const key = await prepare(server.url, secretKeys)
    const bare = fork(here('bare-route.ts'), [server.url, String(key.projectId)], {
      execArgv: [...execArgv, ...profiling],
    })
    stops.push(() => end(bare))
    const [barePort] = (await once(bare, 'message')) as [number]
    const gateway = await startGateway(server.url, secretKeys, folder)
    stops.push(() => end(gateway.child))
    const load = fork(here('load.ts'), [], { execArgv })
    stops.push(() => end(load))
    const request = await signedRequest(key)
    const order = { request, connections: CONNECTIONS, milliseconds: quick ? 500 : 2000 }
    const ports = { bare: barePort, gateway: gateway.port }
    const names = Object.keys(ports) as (keyof typeof ports)[]
    const seen = { bare: [] as Put[], gateway: [] as Put[] }
    // Optimised code takes tens of thousands of calls to come about, the more so on a busy machine.
    const warmUp = quick ? 2 : 6
    for (let round = 0; round < warmUp + (quick ? 5 : 11); round++) {
      for (const name of names.reverse()) {
        const figures = await put(load, { ...order, port: ports[name] })
        if (round >= warmUp) seen[name].push(figures)
      }
    }
    const ratio = median(seen.gateway.map(({ rate }, round) => rate / (seen.bare[round]?.rate ?? 0)))
    const figures = (puts: readonly Put[]) => {
      const rates = puts.map(({ rate }) => rate)
      const cost = median(puts.map((each) => each.cost))
      return [median(rates), Math.min(...rates), Math.max(...rates), cost].map((value) => value.toFixed(0))
    }
    return {
      columns: ['per second', 'slowest round', 'fastest round', 'CPU µs each', 'of bare'],
      rows: [
        { name: 'bare Hono route, prepared read', figures: [...figures(seen.bare), ''] },
        {
          name: 'gateway, signed walletInfo.get',
          figures: [...figures(seen.gateway), `${(ratio * 100).toFixed(0)} %`],
        },
      ],
      aims: [
        {
          text: `gateway at least ${WANTED * 100} % of the bare route, at the median of rounds: ${(ratio * 100).toFixed(1)} %`,
          reached: ratio >= WANTED,
        },
      ],
    }
  } finally {
    for (const stop of stops.reverse()) await stop()
  }
}

export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}

/** What the gateway answers of what a route with nothing in it answers, on one machine under one load. */
export const gatewaySection: Section = {
  name: 'gateway',
  title: `The gateway under load: ${CONNECTIONS} connections, answers per second`,
  measure,
}
