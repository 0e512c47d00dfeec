// A process with callers that repeat the most expensive operations of a project as fast as they can, whatever
// the responses are.
import { setTimeout as pause } from 'node:timers/promises'
import { promoCodeCards } from '@mintmark/cards'
import { lazyMinting } from '@mintmark/contracts'
import { productCards } from '@mintmark/market'
import { createGateway, type GatewayClient } from '@mintmark/transport'
import { runLanes } from './statistics.ts'

/** The process's input: callers that call for `milliseconds`. */
export interface NoisyOrder {
  readonly baseUrl: string
  readonly credentials: { readonly apiKey: string; readonly secret: string }
  readonly nftAddress: string
  readonly callers: number
  readonly milliseconds: number
}

/** The process's output: the number of responses by status; 0 for none. */
export type NoisyReport = Readonly<Record<number, number>>

process.on('message', (order: NoisyOrder) => {
  run(order).then(
    (report) => process.send?.(report),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})
process.on('disconnect', () => process.exit())

const WALLETS = 2000
const CARDS = 100
/** A pause that yields to other callers of the process only. */
const YIELD_MS = 0

const addressOf = (number: number) => `0x${number.toString(16).padStart(40, '0')}`

type Call = (client: GatewayClient, nftAddress: string, serial: number) => Promise<unknown>

/** Reads of many rows, large responses, large inputs and writes of many rows. */
const calls: readonly Call[] = [
  (client, nftAddress) => productCards.product(client, { nftAddress }),
  (client) => promoCodeCards.search(client, { keyword: 'a', pageSize: 100, orderBy: 'name desc' }),
  (client, _, serial) =>
    promoCodeCards.list(client, { pageNumber: 1 + (serial % 90), pageSize: 100, orderBy: 'name' }),
  (client, nftAddress, serial) =>
    lazyMinting.addToWhitelist(client, {
      nftAddress,
      phase: 'all',
      entries: Array.from({ length: WALLETS }, (_, index) => ({
        address: addressOf(1 + index + (serial % 5)),
      })),
    }),
  (client, nftAddress, serial) =>
    promoCodeCards.createBatch(client, {
      cards: Array.from({ length: CARDS }, (_, index) => ({
        name: `Card ${serial}.${index}`,
        nftAddress,
        totalIssued: 1,
        startTime: '2026-01-01T00:00:00Z',
        endTime: '2099-12-31T00:00:00Z',
      })),
    }),
]

async function run({
  baseUrl,
  credentials,
  nftAddress,
  callers,
  milliseconds,
}: NoisyOrder): Promise<NoisyReport> {
  const client = createGateway({ baseUrl, credentials, retries: 0, timeout: 120_000 })
  const statuses: Record<number, number> = {}
  const end = performance.now() + milliseconds
  await runLanes(callers, async (lane) => {
    for (let serial = lane; performance.now() < end; serial += callers) {
      const status = await getStatus(calls[serial % calls.length]?.(client, nftAddress, serial))
      statuses[status] = (statuses[status] ?? 0) + 1
      await pause(YIELD_MS)
    }
  })
  return statuses
}

async function getStatus(call: Promise<unknown> | undefined): Promise<number> {
  try {
    await call
    return 200
  } catch (error) {
    const { status } = error as { status?: number }
    return status ?? 0
  }
}
