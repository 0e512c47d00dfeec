import { promoCodeCards } from '@mintmark/cards'
import type { GatewayClient } from '@mintmark/transport'
import { walletInfo } from '@mintmark/wallet'
import { sql } from 'kysely'
import { type Row, summarize } from './figures.ts'
import {
  createProjectClient,
  type GatewayStorage,
  startDurableStorage,
  startGateway,
  WALLET,
} from './gateway-environment.ts'
import type { Measurement, MeasureOptions, Section } from './section.ts'
import { median, runLanes, timed } from './statistics.ts'

/** What a write with its event may take longer than one without, as a share. */
const MAX_ADDED_SHARE = 0.05
const CONCURRENT_CALLS = 8

const TERMS = {
  name: 'A free coffee',
  nftAddress: WALLET,
  startTime: '2026-01-01T00:00:00Z',
  endTime: '2099-12-31T23:59:59Z',
  totalIssued: 100,
}

/** A gateway on a database of its own. */
interface Contestant {
  readonly gateway: GatewayClient
  /** The card that is updated. */
  readonly card: number
}

const WRITES: Readonly<Record<string, (contestant: Contestant, serial: number) => Promise<unknown>>> = {
  'walletInfo.edit': ({ gateway }, serial) =>
    walletInfo.edit(gateway, { address: WALLET, name: `Ada ${serial}` }),
  'promoCodeCards.create': ({ gateway }) => promoCodeCards.create(gateway, TERMS),
  'promoCodeCards.update': ({ gateway, card }, serial) =>
    promoCodeCards.update(gateway, { ...TERMS, id: card, name: `A free coffee ${serial}` }),
}

/** Removes the triggers that store changes, so that no write has an event. */
async function dropTriggers({ owner }: GatewayStorage): Promise<void> {
  const { rows } = await sql<{ name: string; relation: string }>`
    select t.tgname as name, c.relname as relation from pg_trigger t
    join pg_class c on c.oid = t.tgrelid join pg_proc p on p.oid = t.tgfoid
    where not t.tgisinternal and p.proname in ('capture_changes', 'capture_row_changes', 'capture_transfers')`.execute(
    owner.system,
  )
  if (rows.length === 0) throw new Error('There is no trigger that stores changes')
  for (const { name, relation } of rows) {
    await sql`drop trigger ${sql.ref(name)} on ${sql.table(`gateway.${relation}`)}`.execute(owner.system)
  }
}

async function startContestant(stops: AsyncDisposableStack, hasEvents: boolean): Promise<Contestant> {
  const storage = await startDurableStorage(stops)
  if (!hasEvents) await dropTriggers(storage)
  const port = await startGateway(stops, storage)
  const { client } = await createProjectClient(storage, 'bench', { baseUrl: `http://127.0.0.1:${port}` })
  await walletInfo.add(client, { address: WALLET, name: 'Ada' })
  const { id } = await promoCodeCards.create(client, TERMS)
  return { gateway: client, card: id }
}

type Write = (contestant: Contestant, serial: number) => Promise<unknown>

/** Measures one call after the other, of both contestants in turns. Returns the milliseconds of each. */
async function compareAlone(
  contestants: readonly Contestant[],
  write: Write,
  calls: number,
): Promise<number[][]> {
  const times = contestants.map((): number[] => [])
  for (let serial = 0; serial < calls * 1.2; serial += 1) {
    for (const [index, contestant] of turns(contestants, serial)) {
      const milliseconds = await timed(() => write(contestant, serial))
      // The first calls warm up.
      if (serial >= calls * 0.2) times[index]?.push(milliseconds)
    }
  }
  return times
}

/**
 * Measures concurrent calls, in rounds of both contestants in turns. Returns the milliseconds that each call
 * takes, by round.
 */
async function compareTogether(
  contestants: readonly Contestant[],
  write: Write,
  { rounds, calls }: { rounds: number; calls: number },
): Promise<number[][]> {
  const times = contestants.map((): number[] => [])
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, contestant] of turns(contestants, round)) {
      const milliseconds = await timed(() =>
        runLanes(CONCURRENT_CALLS, async (lane) => {
          for (let call = 0; call < calls; call += 1) {
            await write(contestant, (round * CONCURRENT_CALLS + lane) * calls + call)
          }
        }),
      )
      times[index]?.push(milliseconds / (calls * CONCURRENT_CALLS))
    }
  }
  return times
}

function turns<Value>(values: readonly Value[], round: number): [number, Value][] {
  const entries = [...values.entries()]
  return round % 2 === 0 ? entries : entries.toReversed()
}

async function measure({ quick, onStep }: MeasureOptions): Promise<Measurement> {
  await using stops = new AsyncDisposableStack()
  const contestants = [await startContestant(stops, false), await startContestant(stops, true)]
  const plan = quick ? { alone: 300, rounds: 7, calls: 40 } : { alone: 2000, rounds: 21, calls: 100 }
  const rows: Row[] = []
  const shares: number[] = []
  const addRow = (name: string, [without = [], withEvents = []]: readonly (readonly number[])[]) => {
    const share = median(withEvents) / median(without) - 1
    shares.push(share)
    // The repetitions of one turn are compared, because both had the same machine.
    const added = summarize(withEvents.map((time, turn) => (time / (without[turn] ?? 0) - 1) * 100))
    const figures = [summarize(without), summarize(withEvents), { ...added, value: share * 100 }]
    rows.push({ name, figures })
    onStep(rows.length, 2 * Object.keys(WRITES).length)
  }
  for (const [name, write] of Object.entries(WRITES)) {
    addRow(name, await compareAlone(contestants, write, plan.alone))
    addRow(`${name}, ${CONCURRENT_CALLS} at once`, await compareTogether(contestants, write, plan))
  }
  const highest = Math.max(...shares)
  return {
    columns: [
      { name: 'without events', unit: 'ms' },
      { name: 'with events', unit: 'ms' },
      { name: 'added', unit: '%', isDifference: true },
    ],
    rows,
    aims: [
      {
        text: `a write takes at most ${MAX_ADDED_SHARE * 100} % longer with its event: ${(highest * 100).toFixed(1)} %`,
        reached: highest <= MAX_ADDED_SHARE,
      },
    ],
  }
}

/**
 * Measures what it costs a write that its change is stored and reported, on PostgreSQL that waits for the
 * disk.
 */
export const eventWritesSection: Section = {
  name: 'event-writes',
  title: 'Writes without and with their events: milliseconds of a call, medians',
  measure,
}
