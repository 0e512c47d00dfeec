import { createSigner, utf8 } from '@mintmark/core-auth'
import { sql } from 'kysely'
import { summarize } from './figures.ts'
import { type GatewayStorage, startGateway, startStorage, WALLET } from './gateway-environment.ts'
import {
  CONNECTIONS,
  type Contestant,
  compareUnderLoad,
  formatRequest,
  LOAD_COLUMNS,
  listRatios,
  summarizeRounds,
} from './load-runs.ts'
import { startChildServer } from './processes.ts'
import type { Measurement, MeasureOptions, Section } from './section.ts'
import { median } from './statistics.ts'

const READ_PATH = '/api/v1/wallet/walletInfo'
const CREATE_PATH = '/api/v1/card/promoCodeCards/create'
/** The gateway's rate as a share of the bare route's. */
const MIN_SHARES = { read: 0.7, create: 0.6 }
/** More than a server responds to in a round. */
const CREATES_PER_ROUND = 10_000

type Credentials = Awaited<ReturnType<GatewayStorage['newKey']>>

/** Adds the row that is read, and the tables of the bare route: a copy of that of cards without triggers. */
async function addRows({ owner: { system } }: GatewayStorage, projectId: number): Promise<void> {
  const row = { address: WALLET, name: 'Ada', email: 'ada@example.com', description: 'Collects prints.' }
  await system
    .insertInto('gateway.wallet_info')
    .values({ project_id: projectId, ...row })
    .execute()
  await sql`create schema bench`.execute(system)
  await sql`create table bench.cards (like gateway.cards including all)`.execute(system)
  await sql`create table bench.events (id bigint generated always as identity primary key,
    project_id bigint not null, type text not null, data jsonb not null)`.execute(system)
}

/** A read may be repeated while its timestamp is recent, so signing costs the load nothing. */
async function createRead(credentials: Credentials): Promise<string> {
  const query = `address=${WALLET}`
  const call = { method: 'GET', path: READ_PATH, query, body: new Uint8Array(0) }
  const headers = await createSigner({ credentials }).sign(call)
  return formatRequest('GET', `${READ_PATH}?${query}`, { accept: 'application/json', ...headers })
}

/** Creates the signed requests of a round. The name of each card is another one, and so its signature. */
async function createWrites(credentials: Credentials, path: string): Promise<string[]> {
  const signer = createSigner({ credentials })
  const round = crypto.randomUUID()
  const times = { startTime: '2026-01-01T00:00:00Z', endTime: '2099-12-31T23:59:59Z' }
  const requests: string[] = []
  for (let serial = 0; serial < CREATES_PER_ROUND; serial += 1) {
    const body = JSON.stringify({
      name: `${round} ${serial}`,
      nftAddress: WALLET,
      totalIssued: 100,
      ...times,
    })
    const headers = await signer.sign({ method: 'POST', path, query: '', body: utf8(body) })
    requests.push(formatRequest('POST', path, { accept: 'application/json', ...headers }, body))
  }
  return requests
}

async function measure({ quick, onStep }: MeasureOptions): Promise<Measurement> {
  await using stops = new AsyncDisposableStack()
  const storage = await startStorage(stops)
  const key = await storage.newKey('bench')
  await addRows(storage, key.projectId)
  const ports = {
    bare: await startChildServer(stops, 'bare-route.ts', [storage.databaseUrl, String(key.projectId)]),
    gateway: await startGateway(stops, storage),
  }
  const reads = [await createRead(key)]
  const creates = (path: string) => () => createWrites(key, path)
  const counts = quick ? { rounds: 5, warmUp: 2 } : { rounds: 11, warmUp: 6 }
  const compare = async (name: keyof typeof MIN_SHARES, ...contestants: [Contestant, Contestant]) => {
    const isRead = name === 'read'
    const onRound = (round: number, total: number) => onStep(isRead ? round : total + round, 2 * total)
    const plan = { ...counts, milliseconds: quick ? 500 : 2000, onRound }
    const [bare, gateway] = await compareUnderLoad(contestants, plan)
    const shares = listRatios(gateway, bare)
    const share = median(shares)
    const aim = `a ${name} of the gateway at least ${MIN_SHARES[name] * 100} % of the bare route's rate, at the median of rounds`
    return {
      rows: [
        {
          name: isRead
            ? 'bare Hono route, prepared read'
            : 'bare Hono route, prepared inserts of a card and its event',
          figures: [...summarizeRounds(bare), null],
        },
        {
          name: isRead ? 'gateway, signed walletInfo.get' : 'gateway, signed promoCodeCards.create',
          figures: [...summarizeRounds(gateway), summarize(shares.map((each) => each * 100))],
        },
      ],
      aim: { text: `${aim}: ${(share * 100).toFixed(1)} %`, reached: share >= MIN_SHARES[name] },
    }
  }
  const { bare, gateway } = ports
  const results = [
    await compare('read', { port: bare, requests: reads }, { port: gateway, requests: reads }),
    await compare(
      'create',
      { port: bare, requests: creates('/create') },
      { port: gateway, requests: creates(CREATE_PATH) },
    ),
  ]
  return {
    columns: [...LOAD_COLUMNS, { name: 'share of the bare route', unit: '%' }],
    rows: results.flatMap(({ rows }) => rows),
    aims: results.map(({ aim }) => aim),
  }
}

/** Measures the gateway's rates as shares of bare routes', on one machine under the same load. */
export const gatewaySection: Section = {
  name: 'gateway',
  title: `The gateway under load: ${CONNECTIONS} connections, responses per second`,
  measure,
}
