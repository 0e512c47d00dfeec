import { createSigner } from '@mintmark/core-auth'
import { summarize } from './figures.ts'
import { type GatewayStorage, startGateway, startStorage, WALLET } from './gateway-environment.ts'
import {
  CONNECTIONS,
  compareUnderLoad,
  formatRequest,
  LOAD_COLUMNS,
  listRatios,
  summarizeRounds,
} from './load-runs.ts'
import { startChildServer } from './processes.ts'
import type { Measurement, MeasureOptions, Section } from './section.ts'
import { median } from './statistics.ts'

const PATH = '/api/v1/wallet/walletInfo'
/** The gateway's rate as a share of the bare route's. */
const MIN_SHARE = 0.7

async function addWallet({ owner }: GatewayStorage, projectId: number): Promise<void> {
  await owner.system
    .insertInto('gateway.wallet_info')
    .values({
      project_id: projectId,
      address: WALLET,
      name: 'Ada',
      email: 'ada@example.com',
      description: 'Collects prints.',
    })
    .execute()
}

/** A read may be repeated while its timestamp is recent, so signing costs the load nothing. */
async function signRequest(credentials: { apiKey: string; secret: string }): Promise<string> {
  const query = `address=${WALLET}`
  const call = { method: 'GET', path: PATH, query, body: new Uint8Array(0) }
  const headers = await createSigner({ credentials }).sign(call)
  return formatRequest('GET', `${PATH}?${query}`, { accept: 'application/json', ...headers })
}

async function measure({ quick, onStep }: MeasureOptions): Promise<Measurement> {
  await using stops = new AsyncDisposableStack()
  const storage = await startStorage(stops)
  const key = await storage.newKey('bench')
  await addWallet(storage, key.projectId)
  const barePort = await startChildServer(stops, 'bare-route.ts', [
    storage.databaseUrl,
    String(key.projectId),
  ])
  const port = await startGateway(stops, storage)
  const requests = [await signRequest(key)]
  const counts = quick ? { rounds: 5, warmUp: 2 } : { rounds: 11, warmUp: 6 }
  const plan = { ...counts, milliseconds: quick ? 500 : 2000, onRound: onStep }
  const [bare, gateway] = await compareUnderLoad(
    [
      { port: barePort, requests },
      { port, requests },
    ],
    plan,
  )
  const shares = listRatios(gateway, bare)
  const share = median(shares)
  const percent = (share * 100).toFixed(1)
  return {
    columns: [...LOAD_COLUMNS, { name: 'share of the bare route', unit: '%' }],
    rows: [
      { name: 'bare Hono route, prepared read', figures: [...summarizeRounds(bare), null] },
      {
        name: 'gateway, signed walletInfo.get',
        figures: [...summarizeRounds(gateway), summarize(shares.map((each) => each * 100))],
      },
    ],
    aims: [
      {
        text: `gateway at least ${MIN_SHARE * 100} % of the bare route, at the median of rounds: ${percent} %`,
        reached: share >= MIN_SHARE,
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
