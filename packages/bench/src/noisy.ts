import { setPriority } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { promoCodeCards } from '@mintmark/cards'
import { contracts, lazyMinting } from '@mintmark/contracts'
import type { GatewayClient } from '@mintmark/operation'
import { createGateway } from '@mintmark/transport'
import { walletInfo } from '@mintmark/wallet'
import { sql } from 'kysely'
import { type Row, summarize, toFigure } from './figures.ts'
import { type GatewayStorage, startStorage, WALLET } from './gateway-environment.ts'
import type { NoisyOrder, NoisyReport } from './noisy-callers.ts'
import { nextMessage, startChild, startServer } from './processes.ts'
import type { Measurement, MeasureOptions, Section } from './section.ts'
import { percentile } from './statistics.ts'

const CALLERS = 30
/**
 * Calls per second of the other project. On a busy machine, more of them would reach its own limit of
 * concurrent calls.
 */
const RATE = 10
/** How much longer the calls of the other project may take at the 99th percentile. */
const MAX_RATIO = 10
const NFT_ADDRESS = '0x00000000000000000000000000000000000000b2'
/** The limits of a server that sets none. */
const DEFAULT_LIMITS = { RATE_LIMIT_PER_SECOND: '100', RATE_LIMIT_BURST: '200' }

interface Span {
  readonly milliseconds: number[]
  /** The errors of failed calls. */
  readonly errors: string[]
}

const createSpan = (): Span => ({ milliseconds: [], errors: [] })

/** Calls at a fixed rate, each when it is due: two reads by key, a list and a write in turn. */
async function callSteadily(client: GatewayClient, span: Span, spanMs: number): Promise<void> {
  const running: Promise<void>[] = []
  const startedAt = performance.now()
  for (let serial = 0; (serial * 1000) / RATE < spanMs; serial += 1) {
    const due = startedAt + (serial * 1000) / RATE
    await pause(Math.max(0, due - performance.now()))
    running.push(measureCall(span, due, makeCall(client, serial)))
  }
  await Promise.all(running)
}

async function measureCall(span: Span, due: number, call: Promise<unknown>): Promise<void> {
  try {
    await call
  } catch (error) {
    span.errors.push(error instanceof Error ? error.message : String(error))
  }
  span.milliseconds.push(performance.now() - due)
}

async function makeCall(client: GatewayClient, serial: number): Promise<void> {
  if (serial % 4 === 2) await promoCodeCards.list(client, {})
  else if (serial % 4 === 3) await walletInfo.edit(client, { address: WALLET, name: `Ada ${serial}` })
  else await walletInfo.get(client, { address: WALLET })
}

/** Creates a project with a product, a presale and 10,000 cards. */
async function createNoisyProject({ owner, newKey }: GatewayStorage, baseUrl: string) {
  const { projectId, apiKey, secret } = await newKey('noisy')
  const client = createGateway({ baseUrl, credentials: { apiKey, secret } })
  await contracts.add(client, { nftAddress: NFT_ADDRESS, name: 'Lamps', nftType: 'ERC721', chainId: '84532' })
  await lazyMinting.updatePresale(client, {
    nftAddress: NFT_ADDRESS,
    phases: [{ name: 'all', startTime: '2020-01-01T00:00:00Z', price: '1', whitelistMode: 'LIST' }],
  })
  await sql`
    insert into gateway.mintable_nfts (project_id, program, nft_address, name, owner, description, img_url, token_uri, properties)
    select ${projectId}, 'product', ${NFT_ADDRESS}, repeat('n', 200), ${WALLET}, repeat('d', 4000), repeat('u', 2048), repeat('t', 2048),
      jsonb_build_array(jsonb_build_object('trait_type', 'size', 'value', repeat('v', 32000)))
    from generate_series(1, 100)`.execute(owner.system)
  await sql`
    insert into gateway.cards (project_id, program, name, creator, chain_id, nft_address, nft_id, start_time, end_time,
      validity_period, total_issued, qr_code)
    select ${projectId}, 'promo_code', 'Card ' || n * 7919 % 1000, ${WALLET}, '84532', ${NFT_ADDRESS}, n::text,
      '2026-01-01', '2099-01-01', '2099-01-01', 1, md5(n::text)
    from generate_series(1, 10000) n`.execute(owner.system)
  return { apiKey, secret }
}

/** Creates a project that makes a few cheap calls. */
async function createQuietProject({ newKey }: GatewayStorage, baseUrl: string): Promise<GatewayClient> {
  const { apiKey, secret } = await newKey('quiet')
  const client = createGateway({ baseUrl, credentials: { apiKey, secret }, retries: 0, timeout: 120_000 })
  await walletInfo.add(client, { address: WALLET, name: 'Ada' })
  return client
}

function addUp(reports: readonly NoisyReport[]): string {
  const sums = new Map<string, number>()
  for (const report of reports)
    for (const [status, count] of Object.entries(report)) sums.set(status, (sums.get(status) ?? 0) + count)
  return [...sums].map(([status, count]) => `${count} × ${status}`).join(', ')
}

function describeErrors({ errors }: Span): string {
  const [first] = errors
  return first === undefined ? 'none' : `${errors.length}, such as ${first.slice(0, 200)}`
}

function createRow(name: string, { milliseconds, errors }: Span): Row {
  const tail = [percentile(milliseconds, 0.99), percentile(milliseconds, 1)]
  const counts = [milliseconds.length, errors.length]
  return { name, figures: [summarize(milliseconds), ...[...tail, ...counts].map(toFigure)] }
}

async function measure({ quick, onStep }: MeasureOptions): Promise<Measurement> {
  await using stops = new AsyncDisposableStack()
  const storage = await startStorage(stops)
  const port = await startServer(stops, 'gateway', {
    ...DEFAULT_LIMITS,
    DATABASE_URL: storage.databaseUrl,
    SECRET_KEYS: storage.secretKeys,
    LOG_LEVEL: 'info',
  })
  const baseUrl = `http://127.0.0.1:${port}`
  const credentials = await createNoisyProject(storage, baseUrl)
  const client = await createQuietProject(storage, baseUrl)
  const spanMs = quick ? 5000 : 20_000
  const quiet = createSpan()
  const noisy = createSpan()
  const reports: NoisyReport[] = []
  await callSteadily(client, createSpan(), 2000)
  const child = startChild(stops, 'noisy-callers.ts')
  // Real callers do not use the processors of the server.
  if (child.pid !== undefined) setPriority(child.pid, 10)
  // Quiet and noisy spans take turns, so that other load of the machine concerns both.
  const rounds = quick ? 2 : 4
  for (let round = 0; round < rounds; round += 1) {
    await callSteadily(client, quiet, spanMs)
    const report = nextMessage<NoisyReport>(child)
    const order: NoisyOrder = {
      baseUrl,
      credentials,
      nftAddress: NFT_ADDRESS,
      callers: CALLERS,
      milliseconds: spanMs,
    }
    child.send(order)
    await callSteadily(client, noisy, spanMs)
    reports.push(await report)
    onStep(round + 1, rounds)
  }
  const ratio = percentile(noisy.milliseconds, 0.99) / percentile(quiet.milliseconds, 0.99)
  return {
    columns: [
      { name: 'median', unit: 'ms' },
      { name: 'p99', unit: 'ms' },
      { name: 'longest', unit: 'ms' },
      { name: 'calls', unit: 'count' },
      { name: 'failed', unit: 'count' },
    ],
    rows: [createRow('quiet', quiet), createRow(`beside ${CALLERS} callers`, noisy)],
    notes: [`Responses to the ${CALLERS} callers: ${addUp(reports)}`],
    aims: [
      {
        text: `p99 beside them at most ${MAX_RATIO} times the quiet one: ${ratio.toFixed(1)} ×`,
        reached: ratio <= MAX_RATIO,
      },
      {
        text: `no call of the other project fails: ${describeErrors(noisy)}`,
        reached: noisy.errors.length === 0,
      },
    ],
  }
}

/** Measures the calls of a project while another one repeats the most expensive operations. */
export const noisySection: Section = {
  name: 'noisy',
  title: `${RATE} calls per second of a project, beside ${CALLERS} callers of another one that repeat expensive operations`,
  measure,
}
