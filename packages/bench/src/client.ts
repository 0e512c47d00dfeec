import { createGateway } from '@mintmark/transport'
import { walletInfo } from '@mintmark/wallet'
import ky from 'ky'
import { WALLET } from './gateway-environment.ts'
import { startChildServer } from './processes.ts'
import type { Aim, Measurement, Row, Section } from './section.ts'
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
/** What the client may take longer than ky, signing included. */
const MAX_ADDED_US = 30

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

/** Microseconds of each call, at the median. They take turns, so that whatever disturbs the machine disturbs all. */
async function compare(calls: ByName<() => Promise<unknown>>, rounds: number): Promise<ByName<number>> {
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
  return {
    'bare fetch': median(times['bare fetch']),
    ky: median(times.ky),
    '@mintmark/transport': median(times['@mintmark/transport']),
  }
}

async function measure({ quick }: { quick: boolean }): Promise<Measurement> {
  await using stops = new AsyncDisposableStack()
  const port = await startChildServer(stops, 'trivial-server.ts', [BODY])
  const fetchInstantly = async () => new Response(BODY, { headers: { 'content-type': 'application/json' } })
  // The comparison without a network is the first: it warms up the code.
  const instant = await compare(createCalls('http://127.0.0.1:9', fetchInstantly), quick ? 2000 : 20_000)
  const local = await compare(createCalls(`http://127.0.0.1:${port}`, globalThis.fetch), quick ? 500 : 4000)
  return {
    columns: ['local server µs', 'over fetch', 'instant fetch µs', 'over fetch'],
    rows: NAMES.map((name): Row => {
      const figures = [local, instant].flatMap((times) => [
        times[name].toFixed(1),
        name === 'bare fetch' ? '' : formatDifference(times[name] - times['bare fetch']),
      ])
      return { name, figures }
    }),
    aims: [createAim('over a local server', local), createAim('over an instant fetch', instant)],
  }
}

function createAim(where: string, times: ByName<number>): Aim {
  const added = times['@mintmark/transport'] - times.ky
  return {
    text: `client at most ky + ${MAX_ADDED_US} µs, signing included, ${where}: ${formatDifference(added)} µs`,
    reached: added <= MAX_ADDED_US,
  }
}

/** Measures what a call through our client costs more than one through `fetch`, beside ky. */
export const clientSection: Section = {
  name: 'client',
  title: 'A call through the client: walletInfo.get, microseconds at the median',
  measure,
}
