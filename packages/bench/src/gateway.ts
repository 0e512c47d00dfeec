import { createSigner } from '@mintmark/core-auth'
import { type GatewayStorage, startGateway, startStorage, WALLET } from './gateway-environment.ts'
import {
  CONNECTIONS,
  compareUnderLoad,
  formatRequest,
  formatRounds,
  getRatio,
  LOAD_COLUMNS,
} from './load-runs.ts'
import { startChildServer } from './processes.ts'
import type { Measurement, Section } from './section.ts'

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

async function measure({ quick }: { quick: boolean }): Promise<Measurement> {
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
  const plan = { rounds: quick ? 5 : 11, warmUp: quick ? 2 : 6, milliseconds: quick ? 500 : 2000 }
  const [bare, gateway] = await compareUnderLoad(
    [
      { port: barePort, requests },
      { port, requests },
    ],
    plan,
  )
  const share = getRatio(gateway, bare)
  const percent = (share * 100).toFixed(1)
  return {
    columns: [...LOAD_COLUMNS, 'of bare'],
    rows: [
      { name: 'bare Hono route, prepared read', figures: [...formatRounds(bare), ''] },
      { name: 'gateway, signed walletInfo.get', figures: [...formatRounds(gateway), `${percent} %`] },
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
