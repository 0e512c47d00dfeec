import { OrderStatus } from '@mintmark/orders'
import { type Database, type Logger, transaction } from '@mintmark/server-kit'
import { sql } from 'kysely'
import { ChainUnavailableError, type PaymentChains } from '../../../chain/payment-chains.ts'
import type { PaymentObservation } from '../../../chain/payment-observation.ts'
import type { OrderSettings } from '../../../order-settings.ts'
import type { Tables } from '../../../tables.ts'
import type { FindInventory } from '../../inventory/order-inventory.ts'
import * as store from '../orders-store.ts'
import * as payments from '../payments/payments-store.ts'
import { applyObservations, type ChainObservations } from '../state/apply-observations.ts'
import { expire } from '../state/transition.ts'

export interface VerifierOptions {
  readonly database: Database<Tables>
  readonly chains: PaymentChains
  readonly findInventory: FindInventory
  readonly settings: OrderSettings
  readonly log: Logger
  /** Called between the steps of a check. A test ends the process there. */
  readonly faultPoint?: (at: 'claimed' | 'observed' | 'applied') => void
}

export interface Verifier {
  /** Checks every order that is due, of all projects. Any number of processes may run this concurrently. */
  run(): Promise<void>
}

/** Orders that one process claims and checks concurrently. */
const BATCH_SIZE = 20

/**
 * Creates the verifier, which determines by the chain alone whether orders were paid, and expires overdue ones.
 *
 * An order that is due is claimed by moving its due time on by a lease: if the process dies, another one checks the order. The chain is read outside
 * of transactions. What it shows is applied to the order as it is then, locked.
 */
export function createVerifier({
  database,
  chains,
  findInventory,
  settings,
  log,
  faultPoint = () => {},
}: VerifierOptions): Verifier {
  async function claim(): Promise<{ project: number; order: number }[]> {
    const { rows } = await sql<{ project: number; order: number }>`
      select project_id as project, order_id as "order"
      from gateway.claim_due_orders(${BATCH_SIZE}, make_interval(secs => ${settings.leaseSeconds}))`.execute(
      database.system,
    )
    return rows
  }

  async function check(project: number, id: number): Promise<void> {
    const db = database.forProject(project)
    const order = await store.findById(db, project, id)
    if (order === undefined) return
    if (order.status === OrderStatus.PRE) return await expireOverdue(project, id)
    const observations = await observe(order)
    faultPoint('observed')
    const alert = await transaction(db, async (trx) => {
      const locked = await store.lockById(trx, project, id)
      if (locked === undefined) return undefined
      const result = await applyObservations(trx, findInventory, locked, observations, settings)
      faultPoint('applied')
      return result
    })
    if (alert !== undefined)
      log.error(
        { alert: 'order', projectId: project, orderNo: order.order_no, ...alert },
        'An order needs an operator',
      )
  }

  async function expireOverdue(project: number, id: number): Promise<void> {
    await transaction(database.forProject(project), async (trx) => {
      const order = await store.lockById(trx, project, id)
      // If it was reported as paid or cancelled meanwhile, it has a due time of its own.
      if (order?.status === OrderStatus.PRE && order.expired) await expire(trx, findInventory, [order])
    })
  }

  /** Reads what the chain shows of an order's transactions, and whether the block that held its payment is still there. */
  async function observe(order: store.OrderRow): Promise<ChainObservations> {
    const { chain_id: chainId } = order
    const expected = {
      afterBlock: order.placed_at_block,
      from: order.recipient,
      to: order.sender,
      amount: BigInt(order.pay_amount),
      token: order.pay_token_address,
    }
    const claims = await payments.listClaims(database.forProject(order.project_id), order)
    const observed = new Map<string, PaymentObservation>()
    for (const { hash } of claims) observed.set(hash, await chains.observe(chainId, hash, expected))
    if (order.status !== OrderStatus.SUCCESS || order.paid_block === 0)
      return { payments: observed, blockPresent: true, finalBlock: 0 }
    const hash = await chains.blockHash(chainId, order.paid_block)
    return {
      payments: observed,
      // A node that does not have the block yet lags behind, and proves nothing.
      blockPresent: hash === undefined || hash === order.paid_block_hash,
      finalBlock: await chains.finalBlock(chainId),
    }
  }

  async function checkClaimed({ project, order }: { project: number; order: number }): Promise<void> {
    try {
      await check(project, order)
    } catch (error) {
      // The claim expires, and the order is checked again. An unreadable chain was logged where it was read.
      if (!(error instanceof ChainUnavailableError))
        log.error({ err: error, projectId: project, order }, 'An order could not be checked')
    }
  }

  return {
    async run() {
      for (;;) {
        const claimed = await claim()
        if (claimed.length > 0) faultPoint('claimed')
        await Promise.all(claimed.map(checkClaimed))
        if (claimed.length < BATCH_SIZE) return
      }
    },
  }
}
