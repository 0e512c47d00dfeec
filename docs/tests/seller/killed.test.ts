// Purchases of stock payers while everything is killed or cut at random, and payers sign again until they have what they paid for.
import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createProcessPool, type RunningProcess } from '@mintmark/devkit/process-pool'
import { type Random, randomFrom } from '@mintmark/devkit/random'
import { createTestDatabase } from '@mintmark/devkit/testing'
import { createPostgresStore } from '@mintmark/seller'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { wrapAxiosWithPayment } from '@x402/axios'
import axios from 'axios'
import { Pool } from 'pg'
import { afterAll, expect, it, vi } from 'vitest'
import { startFreezingNode } from '../../../packages/facilitator-server/src/e2e/testing-failing-path.ts'
import type { Orders } from '../../../packages/facilitator-server/src/faults/facilitator-process.ts'
import { type Environment, openPayer, startEnvironment } from './fixture.ts'
import { buyTool } from './mcp-tool.ts'
import type { SellerOrders } from './seller-process.ts'
import { serveFor } from './serve.ts'

/** How many purchases are made, and the seed of what breaks. */
const PURCHASES = Number(process.env.PURCHASES ?? 100)
const SEED = Number(process.env.PURCHASE_SEED ?? Date.now() % 1_000_000)

const stops = new AsyncDisposableStack()
afterAll(() => stops.disposeAsync())

/** A server that is killed and started again. */
interface Killable {
  readonly getUrl: () => string | undefined
  kill(): Promise<void>
}

/** Keeps one process running. */
async function keepRunning(start: () => Promise<RunningProcess | object>): Promise<Killable> {
  let running: RunningProcess | undefined
  const run = async () => {
    const started = await start()
    running = 'url' in started ? (started as RunningProcess) : undefined
  }
  await run()
  return {
    getUrl: () => running?.url,
    async kill() {
      running?.kill('SIGKILL')
      await running?.ended
      running = undefined
      await run()
    },
  }
}

/** Starts processes of a program from its source. */
function createPool<Orders extends object>(program: string) {
  vi.stubEnv('NODE_OPTIONS', '--conditions=@mintmark/source')
  const sources = { getScript: (name: string) => resolve(import.meta.dirname, name), cache: '' }
  return createProcessPool<Orders>({ bundle: sources, program, spare: 2 }, stops)
}

/** Two sellers, a facilitator and a node that can be killed or cut. */
async function startParts(environment: Environment, random: Random) {
  const { facilitator, chain, account } = environment
  await facilitator.shutdown()
  const node = await startFreezingNode(chain.rpcUrl)
  stops.defer(() => node.close())
  const env = { ...facilitator.env, CHAINS: `84532=${node.url}`, REPEAT_TIMEOUT_MS: '2000' }
  const facilitators = await createPool<Orders>(
    '../../../packages/facilitator-server/src/faults/facilitator-process.ts',
  )
  const settler = await keepRunning(() => facilitators.start({ env, end: undefined }))
  const loses = (path: string) => path.endsWith('/settle') && random.chance(0.1)
  const facilitatorUrl = await serveFor(settler.getUrl, loses, stops)

  const database = await createTestDatabase({ name: 'sales', prepare: async () => {} })
  const pool = new Pool({ connectionString: database.url })
  pool.on('error', () => {})
  stops.defer(() => database.drop())
  stops.defer(() => pool.end())
  await createPostgresStore(pool).createTable()
  const sellers = await createPool<SellerOrders>('seller-process.ts')
  const orders = { databaseUrl: database.url, facilitatorUrl, token: account.token }
  const shops = await Promise.all([1, 2].map(() => keepRunning(() => sellers.start(orders))))
  const shopUrl = await serveFor(
    () => random.pick(shops).getUrl(),
    () => false,
    stops,
  )
  const cut = () =>
    pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`)
  return { node, settler, shops, shopUrl, pool, cut }
}

/** Breaks one thing after the other until all reports are there. */
async function breakThings(
  { node, settler, shops, cut }: Awaited<ReturnType<typeof startParts>>,
  { facilitator }: Environment,
  random: Random,
  countReports: () => number,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  const things: Readonly<Record<string, () => Promise<unknown>>> = {
    seller: () => random.pick(shops).kill(),
    async facilitator() {
      await settler.kill()
      // What a dead process holds would be left alone for half a minute.
      await facilitator.db
        .updateTable('facilitator.settlements')
        .set({ lease_until: new Date() })
        .where('state', 'in', ['sent', 'unknown'])
        .execute()
    },
    async node() {
      node.freeze()
      await pause(random.integer(1_000))
      node.thaw()
    },
    database: cut,
  }
  while (countReports() < PURCHASES) {
    const before = countReports()
    await pause(500 + random.integer(2_000))
    // Otherwise a machine under load would start processes without end, and sell nothing.
    await vi.waitUntil(() => countReports() > before, { timeout: 120_000 })
    const name = random.pick(Object.keys(things))
    await things[name]?.()
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

type Payer = Awaited<ReturnType<typeof openPayer>>

interface Attempt {
  readonly payer: Payer
  readonly shopUrl: string
  readonly number: number
  readonly identifier: string | undefined
  readonly signal: AbortSignal | null
}

interface Answer {
  readonly status: number | string
  readonly text: string
}

/** How payers buy. Over MCP nobody knows whether a result has arrived, so its payers name all purchases. */
const BUYERS: Readonly<Record<string, (attempt: Attempt) => Promise<Answer>>> = {
  async fetch({ payer, shopUrl, number, identifier, signal }) {
    const response = await payer.buy(`${shopUrl}/report?n=${number}`, {
      ...(identifier && { identifier }),
      signal,
    })
    return { status: response.status, text: await response.text() }
  },
  async axios({ payer, shopUrl, number, identifier, signal }) {
    const http = axios.create({ responseType: 'text', validateStatus: (status) => status !== 402 })
    // Its own version of `@x402/core` has the same class with other private fields.
    const paying = wrapAxiosWithPayment(http, payer.createClient(identifier) as never)
    const config = signal === null ? {} : { signal }
    const { status, data } = await paying.get<string>(`${shopUrl}/report?n=${number}`, config)
    return { status, text: data }
  },
  async mcp({ payer, shopUrl, number, identifier }) {
    const client = new Client({ name: 'payer', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(new URL(`${shopUrl}/mcp`)) as Transport)
    try {
      const { isError, content } = await buyTool(client, String(number), payer.createClient(identifier))
      return { status: isError ? 'refused' : 200, text: content[0]?.text ?? '' }
    } finally {
      await client.close()
    }
  },
}
/** One of eight payers buys over MCP. */
const KINDS = ['fetch', 'axios', 'fetch', 'mcp', 'axios', 'fetch', 'axios', 'fetch'] as const

it(
  `pays and delivers each of ${PURCHASES} purchases once, although sellers, the facilitator, the node and connections are killed at random`,
  async () => {
    const random = randomFrom(SEED)
    const environment = await startEnvironment(stops)
    const parts = await startParts(environment, random)
    let next = 0
    /** The reports that arrived, by their numbers. */
    const reports = new Map<number, string>()
    let longestMs = 0
    const statuses: Record<string, number> = {}

    /** Asks for one report, each time with a new signature, until it is there. */
    const buy = async (payer: Payer, kind: string, number: number) => {
      const startedAt = performance.now()
      const isNamed = kind === 'mcp' || number % 2 === 0
      const identifier = isNamed ? `purchase_${SEED}_${number}`.padEnd(16, '0') : undefined
      for (;;) {
        // Without an identifier, a payer that leaves after the response was written has received it.
        const signal = isNamed && random.chance(0.2) ? AbortSignal.timeout(random.integer(400)) : null
        const attempt = { payer, shopUrl: parts.shopUrl, number, identifier, signal }
        const response = await BUYERS[kind]?.(attempt).catch(() => undefined)
        const status = response?.status ?? 'broken'
        statuses[status] = (statuses[status] ?? 0) + 1
        if (response?.status === 200) {
          expect(response.text).toContain(`report ${number} of run `)
          longestMs = Math.max(longestMs, performance.now() - startedAt)
          return response.text
        }
        await pause(50)
      }
    }
    const payers: Payer[] = []
    while (payers.length < KINDS.length) payers.push(await openPayer(environment, BigInt(2 * PURCHASES + 10)))
    const bought = payers.map(async (payer, index) => {
      const kind = KINDS[index] ?? 'fetch'
      const numbers: number[] = []
      while (next < PURCHASES) {
        next += 1
        const number = next
        numbers.push(number)
        reports.set(number, await buy(payer, kind, number))
      }
      return { payer, kind, numbers }
    })
    const [counts, totals] = await Promise.all([
      breakThings(parts, environment, random, () => reports.size),
      Promise.all(bought),
    ])
    expect(new Set(reports.values()).size).toBe(PURCHASES)
    let repeats = 0
    const repeatUnnamed = async ({ payer, kind, numbers }: Awaited<(typeof bought)[number]>) => {
      let paid = BigInt(numbers.length)
      expect(await payer.paid()).toBe(paid)
      for (const number of kind === 'mcp' ? [] : numbers.filter((each) => each % 2 === 1)) {
        const isRepeated = (await buy(payer, kind, number)) === reports.get(number)
        if (isRepeated) repeats += 1
        else paid += 1n
        expect(await payer.paid()).toBe(paid)
      }
    }
    await Promise.all(totals.map(repeatUnnamed))
    console.log(JSON.stringify({ seed: SEED, counts, statuses, longestMs: Math.round(longestMs), repeats }))
  },
  Math.max(1_800_000, PURCHASES * 200),
)
