import {
  createGatewayApp,
  EventStreams,
  type GatewayDatabase,
  openGatewayDatabase,
  ROLE,
} from '@mintmark/gateway-server'
import { orders } from '@mintmark/orders'
import { createLog, createMetrics, createSealer } from '@mintmark/server-kit'
import type { GatewayClient } from '@mintmark/transport'
import { sql } from 'kysely'
import { type Figure, type Row, summarize, toFigure } from './figures.ts'
import { createProjectClient, type GatewayStorage, startStorage } from './gateway-environment.ts'
import type { Measurement, MeasureOptions, Section } from './section.ts'
import { timed } from './statistics.ts'

const PAGE_SIZE = 20
const FIRST_PAGES = 50
const JUMPS = 40
const ROUNDS = 5
/** How much more the large project's pages may cost than the small one's. */
const MAX_RATIO = 3
const MAX_JUMP_MS = 100
const BASE_URL = 'http://gateway.bench'

/** Inserts orders of every state and of a thousand buyers. */
export async function insertOrders(owner: GatewayDatabase, project: number, count: number): Promise<void> {
  await sql`
    insert into gateway.orders (project_id, order_no, serial_no, status, market_type, chain_id, nft_address, nft_id,
      nft_name, search_key, sender, recipient, order_amount, pay_amount, expires_at)
    select ${project}, md5(n::text), n::text, case when n % 10 < 7 then 2 else 3 + n % 3 end, 1 + n % 7, '84532',
      '0x' || lpad((n % 50)::text, 40, '0'), (n % 1000)::text, 'Print #' || n, 'print #' || n,
      '0x' || lpad((n % 20)::text, 40, '5'), '0x' || lpad((n % 1000)::text, 40, 'b'), 1000, 1000, clock_timestamp()
    from generate_series(1, ${count}) n`.execute(owner.system)
}

/** A gateway in this process. */
async function createApp(stops: AsyncDisposableStack, { databaseUrl, secretKeys }: GatewayStorage) {
  const database = openGatewayDatabase({ url: databaseUrl, role: ROLE, max: 4 })
  stops.defer(() => database.close())
  const owner = openGatewayDatabase({ url: databaseUrl, max: 1 })
  stops.defer(() => owner.close())
  const log = createLog('gateway', 'silent')
  const eventStreams = new EventStreams({ url: databaseUrl, log })
  stops.defer(() => eventStreams.close())
  return await createGatewayApp({
    database,
    owner,
    eventStreams,
    sealer: createSealer(secretKeys),
    log,
    metrics: createMetrics('mintmark_gateway', log),
    publicUrl: BASE_URL,
    rateLimit: { perSecond: 1_000_000, burst: 1_000_000 },
  })
}

async function readFirstPages(client: GatewayClient): Promise<void> {
  for (let pageNumber = 1; pageNumber <= FIRST_PAGES; pageNumber += 1) {
    const { list } = await orders.list(client, { pageNumber, pageSize: PAGE_SIZE })
    if (list.length !== PAGE_SIZE) throw new Error(`Page ${pageNumber} has ${list.length} orders`)
  }
}

async function readItems(client: GatewayClient): Promise<void> {
  let count = 0
  for await (const _ of orders.list.items(client, { pageSize: PAGE_SIZE })) {
    count += 1
    if (count === FIRST_PAGES * PAGE_SIZE) return
  }
}

/** Times of jumps that are spread over the list, from the first page to the last. */
async function measureJumps(client: GatewayClient, pages: number): Promise<number[]> {
  const times: number[] = []
  for (let jump = 0; jump < JUMPS; jump += 1) {
    const pageNumber = 1 + Math.round((jump / (JUMPS - 1)) * (pages - 1))
    times.push(await timed(() => orders.list(client, { pageNumber, pageSize: PAGE_SIZE })))
  }
  return times
}

/** A project's client, with the times that were measured. */
interface Project {
  readonly client: GatewayClient
  readonly count: number
  readonly firstPages: number[]
  readonly items: number[]
}

/** Measures the projects in turns. The first round is a warm-up. */
async function measureRounds(projects: readonly Project[], onRound: (done: number) => void): Promise<void> {
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const { client, firstPages, items } of projects) {
      const [first, each] = [await timed(() => readFirstPages(client)), await timed(() => readItems(client))]
      if (round === 0) continue
      firstPages.push(first)
      items.push(each)
    }
    onRound(round + 1)
  }
}

function createRow(
  name: string,
  small: Figure,
  large: Figure,
): { readonly ratio: number; readonly row: Row } {
  const ratio = large.value / small.value
  return { ratio, row: { name, figures: [small, large, toFigure(ratio)] } }
}

async function measure({ quick, onStep }: MeasureOptions): Promise<Measurement> {
  await using stops = new AsyncDisposableStack()
  const storage = await startStorage(stops)
  const app = await createApp(stops, storage)
  const fetch: typeof globalThis.fetch = async (input, init) => await app.fetch(new Request(input, init))
  const createProject = async (name: string, count: number): Promise<Project> => {
    const { client, projectId } = await createProjectClient(storage, name, { baseUrl: BASE_URL, fetch })
    await insertOrders(storage.owner, projectId, count)
    return { client, count, firstPages: [], items: [] }
  }
  const small = await createProject('small', 10_000)
  const large = await createProject('large', quick ? 200_000 : 1_000_000)
  await sql`vacuum (freeze, analyze) gateway.orders`.execute(storage.owner.system)

  // The rows are inserted; then each round, and the jumps.
  const steps = ROUNDS + 3
  onStep(1, steps)
  await measureRounds([small, large], (done) => onStep(1 + done, steps))
  const near = await measureJumps(small.client, small.count / PAGE_SIZE)
  const far = await measureJumps(large.client, large.count / PAGE_SIZE)
  const slowestJump = Math.max(...far)
  const sizes = [small, large].map(({ count }) => `${count.toLocaleString('en')} orders`)
  const pages = `the first ${FIRST_PAGES} pages`
  const first = createRow(
    `${pages} of ${PAGE_SIZE}`,
    summarize(small.firstPages),
    summarize(large.firstPages),
  )
  const itemCount = FIRST_PAGES * PAGE_SIZE
  const items = createRow(`.items(), the first ${itemCount}`, summarize(small.items), summarize(large.items))
  return {
    columns: [...sizes.map((name) => ({ name, unit: 'ms' as const })), { name: 'ratio', unit: '×' }],
    rows: [
      first.row,
      items.row,
      createRow('a jump to a page, median', summarize(near), summarize(far)).row,
      createRow('a jump to a page, slowest', { value: Math.max(...near) }, { value: slowestJump }).row,
    ],
    aims: [
      { text: `${pages} cost at most ${MAX_RATIO} times as much`, reached: first.ratio <= MAX_RATIO },
      { text: `.items() costs at most ${MAX_RATIO} times as much`, reached: items.ratio <= MAX_RATIO },
      { text: `a jump to any page takes at most ${MAX_JUMP_MS} ms`, reached: slowestJump <= MAX_JUMP_MS },
    ],
  }
}

/** Compares paging in a project with many orders and in one with few. */
export const pagingSection: Section = {
  name: 'paging',
  title: 'Paging through orders, in this process, by the client',
  measure,
}
