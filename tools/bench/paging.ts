import {
  createGatewayApp,
  createKey,
  type GatewayDatabase,
  gatewaySchema,
  openGatewayDatabase,
  ROLE,
} from '@mintmark/gateway-server'
import type { GatewayClient } from '@mintmark/operation'
import { orders } from '@mintmark/orders'
import { createLog, createMetrics, createSealer, createSecretKey, migrate } from '@mintmark/server-kit'
import { startTestServer } from '@mintmark/server-kit/testing'
import { createGateway } from '@mintmark/transport'
import { sql } from 'kysely'
import { type Measured, median, type Section } from './section.ts'

const PAGE = 20
const FIRST_PAGES = 50
const JUMPS = 40
/** How much more the large project's pages may cost than the small one's. */
const WANTED_RATIO = 3
const WANTED_JUMP_MS = 100
const ROUNDS = 5

/** Orders of every state and of a thousand buyers, made in one statement. */
async function fill(owner: GatewayDatabase, project: number, many: number): Promise<void> {
  await sql`
    insert into gateway.orders (project_id, order_no, serial_no, status, market_type, chain_id, nft_address, nft_id,
      nft_name, search_key, sender, recipient, order_amount, pay_amount, expires_at)
    select ${project}, md5(n::text), n::text, case when n % 10 < 7 then 2 else 3 + n % 3 end, 1 + n % 7, '84532',
      '0x' || lpad((n % 50)::text, 40, '0'), (n % 1000)::text, 'Print #' || n, 'print #' || n,
      '0x' || lpad((n % 20)::text, 40, '5'), '0x' || lpad((n % 1000)::text, 40, 'b'), 1000, 1000, clock_timestamp()
    from generate_series(1, ${many}) n`.execute(owner.system)
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

const firstPages = (client: GatewayClient) => async () => {
  for (let pageNumber = 1; pageNumber <= FIRST_PAGES; pageNumber += 1) {
    const { list } = await orders.list(client, { pageNumber, pageSize: PAGE })
    if (list.length !== PAGE) throw new Error(`page ${pageNumber} has ${list.length} orders`)
  }
}

const items = (client: GatewayClient) => async () => {
  let seen = 0
  for await (const _ of orders.list.items(client, { pageSize: PAGE })) {
    seen += 1
    if (seen === FIRST_PAGES * PAGE) return
  }
}

async function jumps(client: GatewayClient, pages: number): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < JUMPS; n += 1) {
    // Spread over the list, the middle and both ends among them.
    const pageNumber = 1 + Math.round((n / (JUMPS - 1)) * (pages - 1))
    times.push(await timed(() => orders.list(client, { pageNumber, pageSize: PAGE })))
  }
  return times
}

async function measure({ quick }: { quick: boolean }): Promise<Measured> {
  const [few, many] = quick ? [10_000, 200_000] : [10_000, 1_000_000]
  const server = await startTestServer()
  const owner = openGatewayDatabase({ url: server.url, max: 1 })
  const database = openGatewayDatabase({ url: server.url, role: ROLE, max: 4 })
  try {
    await migrate(server.url, gatewaySchema)
    const sealer = createSealer(createSecretKey('bench'))
    const log = createLog('gateway', 'silent')
    const metrics = createMetrics('mintmark_gateway')
    const app = await createGatewayApp({
      ...{ database, sealer, log, metrics, publicUrl: 'http://gateway.bench' },
      rateLimit: { perSecond: 1_000_000, burst: 1_000_000 },
    })
    const clientOf = async (name: string, orderCount: number) => {
      const key = await createKey(owner.system, sealer, { project: name, name })
      await fill(owner, key.projectId, orderCount)
      return createGateway({
        baseUrl: 'http://gateway.bench',
        credentials: { apiKey: key.apiKey, secret: key.secret },
        fetch: async (input, init) => await app.fetch(new Request(input, init)),
      })
    }
    const [small, large] = [await clientOf('small', few), await clientOf('large', many)]
    await sql`vacuum (freeze, analyze) gateway.orders`.execute(owner.system)

    const figures = { first: { small: [], large: [] }, items: { small: [], large: [] } } as Record<
      'first' | 'items',
      Record<'small' | 'large', number[]>
    >
    // Side by side, and once unmeasured: what is compared is warm.
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const [size, client] of [
        ['small', small],
        ['large', large],
      ] as const) {
        const [first, each] = [await timed(firstPages(client)), await timed(items(client))]
        if (round === 0) continue
        figures.first[size].push(first)
        figures.items[size].push(each)
      }
    }
    const [near, far] = [await jumps(small, few / PAGE), await jumps(large, many / PAGE)]
    const ms = (value: number) => `${value.toFixed(1)} ms`
    const row = (name: string, [a, b]: readonly [number, number]) => ({
      name,
      figures: [ms(a), ms(b), `${(b / a).toFixed(2)} ×`],
    })
    const firstRow = [median(figures.first.small), median(figures.first.large)] as const
    const itemsRow = [median(figures.items.small), median(figures.items.large)] as const
    const most = Math.max(...far)
    return {
      columns: [`${few.toLocaleString('en')} orders`, `${many.toLocaleString('en')} orders`, 'ratio'],
      rows: [
        row(`the first ${FIRST_PAGES} pages of ${PAGE}`, firstRow),
        row(`.items(), the first ${FIRST_PAGES * PAGE}`, itemsRow),
        row('a jump to a page, median', [median(near), median(far)]),
        row('a jump to a page, most', [Math.max(...near), most]),
      ],
      aims: [
        {
          text: `the first ${FIRST_PAGES} pages cost at most ${WANTED_RATIO} times as much`,
          reached: firstRow[1] <= WANTED_RATIO * firstRow[0],
        },
        {
          text: `.items() costs at most ${WANTED_RATIO} times as much`,
          reached: itemsRow[1] <= WANTED_RATIO * itemsRow[0],
        },
        { text: `a jump to any page takes at most ${WANTED_JUMP_MS} ms`, reached: most <= WANTED_JUMP_MS },
      ],
    }
  } finally {
    await database.close()
    await owner.close()
    await server.stop()
  }
}

export const pagingSection: Section = {
  name: 'paging',
  title: 'Paging through orders, in this process, by the client',
  measure,
}
