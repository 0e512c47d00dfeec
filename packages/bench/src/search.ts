import { projectSearch } from '@mintmark/admin'
import { sql } from 'kysely'
import { summarize } from './figures.ts'
import { createProjectClient, startDurableStorage, startGateway } from './gateway-environment.ts'
import { insertRows } from './list-rows.ts'
import { insertOrders } from './paging.ts'
import type { Measurement, MeasureOptions, Section } from './section.ts'
import { timed } from './statistics.ts'

const REPETITIONS = 25
const MAX_MS = 50
const PROFILES = 100_000

/** What people search for, by what it is. The wallet has 1,000 orders of a million. */
const SEARCHES: readonly (readonly [kind: string, text: string])[] = [
  ['an order number', 'c4ca4238a0b923820dcc509a6f75849b'],
  ['a transaction hash', `0x${'ab'.repeat(32)}`],
  ['a wallet', `0x${'b'.repeat(37)}777`],
  ['the name of a profile', 'Customer 777'],
  ['the beginning of many names', 'Customer'],
  ['a name of 1,000 cards', 'Card 777'],
  ['a word of all cards', 'card'],
  ['a text that nothing has', 'no such thing'],
]

async function measure({ quick, onStep }: MeasureOptions): Promise<Measurement> {
  await using stops = new AsyncDisposableStack()
  const storage = await startDurableStorage(stops)
  const port = await startGateway(stops, storage)
  const baseUrl = `http://127.0.0.1:${port}`
  const { client, projectId } = await createProjectClient(storage, 'shop', { baseUrl })
  const count = quick ? 100_000 : 1_000_000
  const steps = SEARCHES.length + 2
  await insertOrders(storage.owner, projectId, count)
  onStep(1, steps)
  await insertRows(storage, { projectId, contract: 0, address: '' }, 0, count, ['cards'])
  await sql`
    insert into gateway.wallet_info (project_id, address, name, search_name)
    select ${projectId}, '0x' || lpad(n::text, 40, 'b'), 'Customer ' || n, 'customer ' || n
    from generate_series(0, ${PROFILES - 1}) n`.execute(storage.owner.system)
  await sql`vacuum (analyze) gateway.orders, gateway.cards, gateway.wallet_info`.execute(storage.owner.system)
  onStep(2, steps)
  const rows: Measurement['rows'][number][] = []
  for (const [kind, text] of SEARCHES) {
    const find = () => projectSearch.find(client, { text })
    const found = await find()
    const times: number[] = []
    for (let each = 0; each < REPETITIONS; each += 1) times.push(await timed(find))
    rows.push({ name: kind, figures: [summarize(times), { value: found.length }] })
    onStep(rows.length + 2, steps)
  }
  const isFast = rows.every(({ figures: [time] }) => (time?.value ?? 0) <= MAX_MS)
  return {
    columns: [
      { name: 'time', unit: 'ms' },
      { name: 'found', unit: 'count' },
    ],
    rows,
    aims: [{ text: `a search takes at most ${MAX_MS} ms`, reached: isFast }],
  }
}

/** Measures the search of a shop with many orders, cards and profiles. */
export const searchSection: Section = {
  name: 'search',
  title: 'The search among a million orders, a million cards and 100,000 profiles, over HTTP',
  measure,
}
