// Calls both running servers through the packages and prints each call with its answer. `--json` prints a line each.
import { createFacilitator, createGateway } from '@mintmark/transport'
import { dataDir, readCredentials } from '../start/credentials.ts'
import { statedCalls } from './calls.ts'
import { cardCalls } from './card-calls.ts'
import { marketCalls } from './market-calls.ts'
import { micropaymentCalls } from './micropayment-calls.ts'
import { mintCalls } from './mint-calls.ts'
import { orderCalls } from './order-calls.ts'
import { demoPayments } from './payments.ts'
import { startReceiver } from './receiver.ts'
import { startShop } from './shop.ts'
import { asJson, forPeople } from './show.ts'
import { walletCalls } from './wallet-calls.ts'

const show = process.argv.includes('--json') ? asJson : forPeople
const credentials = await readCredentials()
if (credentials === undefined) {
  console.error(
    `There are no credentials in ${dataDir()}. Run npm start first, in another terminal, and keep it running.`,
  )
  process.exit(1)
}
const running = await fetch(`${credentials.gateway.baseUrl}/health`).then(
  (answer) => answer.ok,
  () => false,
)
if (!running) {
  console.error(
    `No server responds at ${credentials.gateway.baseUrl}. Run npm start first, in another terminal, and keep it running.`,
  )
  process.exit(1)
}

const { apiKey, secret } = credentials.gateway
const gateway = createGateway({ baseUrl: credentials.gateway.baseUrl, credentials: { apiKey, secret } })
const facilitator = createFacilitator({
  baseUrl: credentials.facilitator.baseUrl,
  credentials: { token: credentials.facilitator.token },
})
const cleanup = new AsyncDisposableStack()
const receiver = await startReceiver(cleanup)
const shop = await startShop(
  { url: credentials.facilitator.baseUrl, token: credentials.facilitator.token },
  credentials.demo.creator,
  credentials.chain.chainId,
  cleanup,
)
const wallets = demoPayments(credentials)
const stops = [
  ...statedCalls(credentials, gateway, facilitator, wallets),
  ...walletCalls(credentials, gateway),
  ...orderCalls(credentials, gateway, wallets),
  ...cardCalls(credentials, gateway),
  ...mintCalls(credentials, gateway),
  ...marketCalls(credentials, gateway, wallets),
  ...micropaymentCalls(credentials, facilitator, shop, receiver),
]
let succeeded = 0
for (const [index, stop] of stops.entries()) {
  show.title(index + 1, stop.title, stop.operation)
  try {
    const { status, data } = await stop.call()
    show.answer(stop.operation, status, data)
    succeeded++
  } catch (error) {
    show.failure(stop.operation, error)
  }
}
show.end(succeeded, stops.length)
await cleanup.disposeAsync()
process.exit(succeeded === stops.length ? 0 : 1)
