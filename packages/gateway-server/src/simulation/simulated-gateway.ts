import { createProcessLog } from '@mintmark/devkit/simulation/process-log'
import type { SimulatedDatabase } from '@mintmark/devkit/simulation/simulated-database'
import { runInProcess, type SimulatedProcess } from '@mintmark/devkit/simulation/simulation'
import { addSurprise, type SimulatedServerProcess } from '@mintmark/devkit/simulation/world'
import { openChains } from '@mintmark/evm-reader'
import type { Database } from '@mintmark/server-kit'
import type { Kysely } from 'kysely'
import type { Tables } from '../database/tables.ts'
import { openTenant } from '../database/tenant.ts'
import { DEFAULT_ORDER_SETTINGS, type OrderSettings } from '../domains/inventory/order-settings.ts'
import { closeEndedSales } from '../domains/market/ended-sales.ts'
import * as listings from '../domains/market/listings/listings-store.ts'
import type { OrderRow } from '../domains/orders/orders-store.ts'
import { placeOrder } from '../domains/orders/placement/place-order.ts'
import { cancelOrder } from '../domains/orders/state/cancel-order.ts'
import { type ReportResult, reportPayment } from '../domains/orders/state/report-payment.ts'
import { createVerifier } from '../domains/orders/verification/verifier.ts'
import { findInventory, orderPort } from '../main/composition.ts'
import { createAuditedChains } from './audited-chains.ts'
import { CHAIN_ID, type Offer } from './catalog.ts'
import type { World } from './world.ts'

/** What a gateway's jobs do. */
export const JOBS = ['verify', 'close'] as const
export type Job = (typeof JOBS)[number]

/** Short times, so that a simulation passes all of them. */
export const SETTINGS: OrderSettings = {
  ...DEFAULT_ORDER_SETTINGS,
  expirySeconds: 60,
  unseenSeconds: 30,
  reservationSeconds: 120,
  lateDays: 1,
  watchBlocks: 3,
  openOrders: 2,
}

/** An order that a buyer knows. */
export interface PlacedOrder {
  readonly project: number
  readonly row: OrderRow
}

/** The order handlers and jobs of a gateway in a simulated process, as `server.ts` starts them. */
export interface SimulatedGateway extends SimulatedServerProcess<Job> {
  /** The number of calls whose callers wait. */
  calls: number
  order(offer: Offer, recipient: string, quantity: number): Promise<OrderRow>
  report(order: PlacedOrder, hash: string): Promise<ReportResult>
  cancel(order: PlacedOrder): Promise<OrderRow>
  takeOff(offer: Offer): Promise<unknown>
}

/** Starts a gateway in a simulated process. */
export function startGateway(
  process: SimulatedProcess,
  world: World,
  finality: { tag: 'finalized' } | { depth: number },
): SimulatedGateway {
  return runInProcess(process, () => {
    const log = createProcessLog(process, (error, message) => {
      // An alert has no error.
      if (error !== undefined) addSurprise(world, message, error)
    })
    const database = connect(process, world.database)
    const config = { id: CHAIN_ID, rpcUrls: ['http://first.node', 'http://second.node'], finality }
    const chains = createAuditedChains(world, openChains([config]), log)
    const jobOptions = { database, chains, settings: SETTINGS, log }
    const verifier = createVerifier({ ...jobOptions, findInventory })
    const jobs: Record<Job, () => Promise<unknown>> = {
      verify: () => verifier.run(),
      close: () => closeEndedSales({ ...jobOptions, orders: orderPort }),
    }
    const run = <Result>(work: () => Promise<Result>) => runInProcess(process, work)
    const tenantOf = ({ project }: { readonly project: number }) => openTenant(database, project)
    return {
      process,
      running: new Set(),
      calls: 0,
      order: (offer, recipient, quantity) =>
        run(async () => {
          const block = await chains.newestBlock(String(CHAIN_ID))
          const request = { listing: offer.listing, quantity, recipient, block }
          return await tenantOf(offer).transaction((trx) => placeOrder(trx, findInventory, request, SETTINGS))
        }),
      report: (order, hash) =>
        run(() => {
          const { order_no: orderNo, recipient } = order.row
          return tenantOf(order).transaction((trx) =>
            reportPayment(trx, findInventory, orderNo, { hash, recipient }),
          )
        }),
      cancel: (order) =>
        run(() => tenantOf(order).transaction((trx) => cancelOrder(trx, findInventory, order.row.order_no))),
      takeOff: (offer) =>
        run(() => tenantOf(offer).transaction((trx) => listings.close(trx, offer.listing, 'OFF'))),
      run: (job) => run(jobs[job]),
    }
  })
}

/** The database of a process, as `openDatabase` opens it. */
function connect(process: SimulatedProcess, simulated: SimulatedDatabase<Tables>): Database<Tables> {
  const projects = new Map<number, Kysely<Tables>>()
  return {
    get pool(): never {
      throw new Error('The simulation has no pool')
    },
    system: simulated.connect(process),
    forProject(id) {
      const project = projects.get(id) ?? simulated.connect(process, String(id))
      projects.set(id, project)
      return project
    },
    close: async () => {},
  }
}
