import { createGateway } from '@mintmark/transport'
import { walletInfo } from '@mintmark/wallet'
import ky from 'ky'
import { nextMessage, startBeside } from './processes.ts'
import { type Measured, median, type Row, type Section } from './section.ts'

const address = '0x00000000000000000000000000000000000000a1'
const answer = JSON.stringify({
  code: 200,
  data: {
    ...{ address, background: '', description: 'Collects prints.', email: 'ada@example.com' },
    ...{ name: 'Ada', profilePhoto: '', showcaseBackground: '' },
  },
  msg: 'success',
  success: true,
})
const path = `/api/v1/wallet/walletInfo?address=${address}`
/** What the client may take longer than ky, in microseconds, signing included. */
const ALLOWED = 30

type Call = () => Promise<unknown>

/** The same call in three ways, over a given `fetch`. */
function callers(baseUrl: string, fetch: typeof globalThis.fetch): Record<string, Call> {
  const gateway = createGateway({ baseUrl, fetch, credentials: { apiKey: 'mk_bench', secret: 'sk_bench' } })
  const url = baseUrl + path
  return {
    'bare fetch': async () => (await fetch(url)).json(),
    ky: () => ky.get(url, { fetch }).json(),
    '@mintmark/transport': () => walletInfo.get(gateway, { address }),
  }
}

/** Microseconds a call of each, at the median; they take turns, so that whatever disturbs the machine disturbs all. */
async function compare(calls: Record<string, Call>, rounds: number): Promise<Record<string, number>> {
  const times: Record<string, number[]> = Object.fromEntries(Object.keys(calls).map((name) => [name, []]))
  const order = Object.entries(calls)
  const warmUp = Math.ceil(rounds / 5)
  for (let round = 0; round < warmUp + rounds; round++) {
    order.push(...order.splice(0, 1))
    for (const [name, call] of order) {
      const started = performance.now()
      await call()
      if (round >= warmUp) times[name]?.push((performance.now() - started) * 1000)
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, each]) => [name, median(each)]))
}

async function measure({ quick }: { quick: boolean }): Promise<Measured> {
  const instant = async () => new Response(answer, { headers: { 'content-type': 'application/json' } })
  await using stops = new AsyncDisposableStack()
  const port = await nextMessage<number>(startBeside(stops, 'trivial-server.ts', [answer]))
  // The one without a network first: it warms the code for the other, which is slower to.
  const none = await compare(callers('http://127.0.0.1:9', instant), quick ? 2000 : 20_000)
  const local = await compare(callers(`http://127.0.0.1:${port}`, globalThis.fetch), quick ? 500 : 4000)
  return table(local, none)
}

function table(local: Record<string, number>, none: Record<string, number>): Measured {
  const over = (times: Record<string, number>, name: string, base: string) =>
    (times[name] ?? 0) - (times[base] ?? 0)
  const rows = Object.keys(local).map(
    (name): Row => ({
      name,
      figures: [local, none].flatMap((times) => [
        (times[name] ?? 0).toFixed(1),
        name === 'bare fetch' ? '' : `+${over(times, name, 'bare fetch').toFixed(1)}`,
      ]),
    }),
  )
  const aims = [['over a local server', local] as const, ['over an instant fetch', none] as const].map(
    ([where, times]) => {
      const more = over(times, '@mintmark/transport', 'ky')
      return {
        text: `client at most ky + ${ALLOWED} µs, signing included, ${where}: ${more < 0 ? '−' : '+'}${Math.abs(more).toFixed(1)} µs`,
        reached: more <= ALLOWED,
      }
    },
  )
  return { columns: ['local server µs', 'over fetch', 'instant fetch µs', 'over fetch'], rows, aims }
}

/** What a call through our client costs more than one through `fetch`, beside ky. */
export const clientSection: Section = {
  name: 'client',
  title: 'A call through the client: walletInfo.get, microseconds at the median',
  measure,
}
