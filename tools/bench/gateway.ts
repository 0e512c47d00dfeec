import { createSigner } from '@mintmark/core-auth'
import { createKey, gatewaySchema, openGatewayDatabase } from '@mintmark/gateway-server'
import { createSealer, createSecretKey, migrate } from '@mintmark/server-kit'
import { startTestServer } from '@mintmark/server-kit/testing'
import { figuresOf, measureLoad, nextMessage, type Round, startBeside, startCommand } from './processes.ts'
import { type Measured, median, type Section } from './section.ts'

const address = '0x00000000000000000000000000000000000000a1'
const path = '/api/v1/wallet/walletInfo'
const CONNECTIONS = 32
/** The target rate of the gateway, as a share of the bare route's. */
const WANTED = 0.7

/** A database with the row, and a key that may read it. */
async function prepare(url: string, secretKeys: string) {
  await migrate(url, gatewaySchema)
  const database = openGatewayDatabase({ url, max: 1 })
  try {
    const key = await createKey(database.system, createSealer(secretKeys), {
      project: 'bench',
      name: 'bench',
    })
    await database.system
      .insertInto('gateway.wallet_info')
      .values({
        ...{ project_id: key.projectId, address, name: 'Ada', email: 'ada@example.com' },
        description: 'Collects prints.',
      })
      .execute()
    return key
  } finally {
    await database.close()
  }
}

/** Starts the gateway's own command without limits on its callers, and returns its port. */
export function startGateway(stops: AsyncDisposableStack, url: string, secretKeys: string): Promise<number> {
  return startCommand(stops, 'gateway', {
    DATABASE_URL: url,
    SECRET_KEYS: secretKeys,
    LOG_LEVEL: 'info',
    RATE_LIMIT_PER_SECOND: '1000000',
    RATE_LIMIT_BURST: '1000000',
    CONCURRENT_CALLS_PER_PROJECT: '1000',
  })
}

/** The signed request as bytes. A read may come again while its timestamp is young, so that signing costs the load nothing. */
async function signedRequest(key: { apiKey: string; secret: string }): Promise<string> {
  const headers = await createSigner({ credentials: key }).sign({
    method: 'GET',
    path,
    query: `address=${address}`,
    body: new Uint8Array(0),
  })
  const lines = Object.entries({ host: '127.0.0.1:4000', accept: 'application/json', ...headers })
  return `GET ${path}?address=${address} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
}

async function measure({ quick }: { quick: boolean }): Promise<Measured> {
  await using stops = new AsyncDisposableStack()
  const server = await startTestServer()
  stops.defer(() => server.stop())
  const secretKeys = createSecretKey('bench')
  const key = await prepare(server.url, secretKeys)
  const bare = startBeside(stops, 'bare-route.ts', [server.url, String(key.projectId)])
  const ports = {
    bare: await nextMessage<number>(bare),
    gateway: await startGateway(stops, server.url, secretKeys),
  }
  const load = startBeside(stops, 'load.ts')
  const request = await signedRequest(key)
  const order = { request, connections: CONNECTIONS, milliseconds: quick ? 500 : 2000 }
  const names = Object.keys(ports) as (keyof typeof ports)[]
  const seen = { bare: [] as Round[], gateway: [] as Round[] }
  // Optimized code needs tens of thousands of calls, and more on a busy machine.
  const warmUp = quick ? 2 : 6
  for (let round = 0; round < warmUp + (quick ? 5 : 11); round++) {
    for (const name of names.reverse()) {
      const measured = await measureLoad(load, { ...order, port: ports[name] })
      if (round >= warmUp) seen[name].push(measured)
    }
  }
  const ratio = median(seen.gateway.map(({ rate }, round) => rate / (seen.bare[round]?.rate ?? 0)))
  const percent = (digits: number) => `${(ratio * 100).toFixed(digits)} %`
  return {
    columns: ['per second', 'slowest round', 'fastest round', 'CPU µs each', 'of bare'],
    rows: [
      { name: 'bare Hono route, prepared read', figures: [...figuresOf(seen.bare), ''] },
      { name: 'gateway, signed walletInfo.get', figures: [...figuresOf(seen.gateway), percent(0)] },
    ],
    aims: [
      {
        text: `gateway at least ${WANTED * 100} % of the bare route, at the median of rounds: ${percent(1)}`,
        reached: ratio >= WANTED,
      },
    ],
  }
}

/** Measures the gateway's rate as a share of an empty route's, on one machine under the same load. */
export const gatewaySection: Section = {
  name: 'gateway',
  title: `The gateway under load: ${CONNECTIONS} connections, responses per second`,
  measure,
}
