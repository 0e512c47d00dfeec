import { createGateway } from '@mintmark/transport'
import { walletInfo } from '@mintmark/wallet'
import ky from 'ky'
import { summarize } from './figures.ts'
import { WALLET } from './gateway-environment.ts'
import { startChildServer } from './processes.ts'
import type { Aim, Measurement, MeasureOptions, Section } from './section.ts'
import { formatDifference, median, timed } from './statistics.ts'

const BODY = JSON.stringify({
  code: 200,
  data: {
    address: WALLET,
    background: '',
    description: 'Collects prints.',
    email: 'ada@example.com',
    name: 'Ada',
    profilePhoto: '',
    showcaseBackground: '',
  },
  msg: 'success',
  success: true,
})
/** What the client may take longer than ky, signing included. Over a network, the headers are sent too. */
const MAX_ADDED_US = { 'over an instant fetch': 30, 'over a local server': 50 }

/** The same call in three ways. */
const NAMES = ['bare fetch', 'ky', '@mintmark/transport'] as const
type ByName<Value> = Readonly<Record<(typeof NAMES)[number], Value>>

function createCalls(baseUrl: string, fetch: typeof globalThis.fetch): ByName<() => Promise<unknown>> {
  const gateway = createGateway({ baseUrl, fetch, credentials: { apiKey: 'mk_bench', secret: 'sk_bench' } })
  const url = `${baseUrl}/api/v1/wallet/walletInfo?address=${WALLET}`
  return {
    'bare fetch': async () => (await fetch(url)).json(),
    ky: () => ky.get(url, { fetch }).json(),
    '@mintmark/transport': () => walletInfo.get(gateway, { address: WALLET }),
  }
}

/**
 * Measures the microseconds of each call. They take turns, so that whatever disturbs the machine disturbs
 * all.
 */
async function compare(
  calls: ByName<() => Promise<unknown>>,
  rounds: number,
): Promise<ByName<readonly number[]>> {
  const times: ByName<number[]> = { 'bare fetch': [], ky: [], '@mintmark/transport': [] }
  const order = [...NAMES]
  const warmUp = Math.ceil(rounds / 5)
  for (let round = 0; round < warmUp + rounds; round++) {
    order.push(...order.splice(0, 1))
    for (const name of order) {
      const microseconds = (await timed(calls[name])) * 1000
      if (round >= warmUp) times[name].push(microseconds)
    }
  }
  return times
}

/** The figures of a call, and how much longer it takes than `fetch`. */
function createFigures(times: ByName<readonly number[]>, name: keyof ByName<unknown>) {
  if (name === 'bare fetch') return [summarize(times[name]), null]
  const value = median(times[name]) - median(times['bare fetch'])
  // The calls of one turn are compared, because both had the same machine.
  const differences = times[name].map((time, turn) => time - (times['bare fetch'][turn] ?? 0))
  return [summarize(times[name]), { ...summarize(differences), value }]
}

async function measure({ quick, onStep }: MeasureOptions): Promise<Measurement> {
  await using stops = new AsyncDisposableStack()
  const port = await startChildServer(stops, 'trivial-server.ts', [BODY])
  const fetchInstantly = async () => new Response(BODY, { headers: { 'content-type': 'application/json' } })
  // The comparison without a network is the first: it warms up the code.
  const instant = await compare(createCalls('http://127.0.0.1:9', fetchInstantly), quick ? 2000 : 20_000)
  onStep(1, 2)
  const local = await compare(createCalls(`http://127.0.0.1:${port}`, globalThis.fetch), quick ? 500 : 4000)
  return {
    columns: [
      { name: 'local server', unit: 'µs' },
      { name: 'more than fetch', unit: 'µs', isDifference: true },
      { name: 'instant fetch', unit: 'µs' },
      { name: 'more than instant fetch', unit: 'µs', isDifference: true },
    ],
    rows: NAMES.map((name) => ({
      name,
      figures: [local, instant].flatMap((times) => createFigures(times, name)),
    })),
    aims: [createAim('over a local server', local), createAim('over an instant fetch', instant)],
  }
}

function createAim(where: keyof typeof MAX_ADDED_US, times: ByName<readonly number[]>): Aim {
  const added = median(times['@mintmark/transport']) - median(times.ky)
  return {
    text: `client at most ky + ${MAX_ADDED_US[where]} µs, signing included, ${where}: ${formatDifference(added)} µs`,
    reached: added <= MAX_ADDED_US[where],
  }
}

/** Measures what a call through our client costs more than one through `fetch`, beside ky. */
export const clientSection: Section = {
  name: 'client',
  title: 'A call through the client: walletInfo.get, microseconds at the median',
  measure,
}
