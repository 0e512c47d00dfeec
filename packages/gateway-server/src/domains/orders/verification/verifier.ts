import { OrderStatus } from '@mintmark/orders'
import { type Database, type Logger, transaction } from '@mintmark/server-kit'
import { sql } from 'kysely'
import { ChainUnavailableError, type PaymentChains } from '../../../chain/payment-chains.ts'
import type { Tables } from '../../../tables.ts'
import { closeEndedSales } from '../../market/listings/ended-sales.ts'
import * as store from '../orders-store.ts'
import type { Sighting } from '../payments/payment-outcome.ts'
import * as payments from '../payments/payments-store.ts'
import { decide } from '../state/decide.ts'
import type { OrderSettings } from '../../../order-settings.ts'
import { expire } from '../state/transition.ts'

export interface VerifierOptions {
  readonly database: Database<Tables>
  readonly chains: PaymentChains
  readonly settings: OrderSettings
  readonly log: Logger
  /** Called between the steps of looking at an order, where the process may end. */
  readonly faultPoint?: (at: 'claimed' | 'looked' | 'decided') => void
}

export interface Verifier {
  /** Looks at every order that is due, of all projects, and closes sales that have ended. Any number of processes may do so at once. */
  run(): Promise<void>
}

const CLAIMED_AT_ONCE = 20

/**
 * Finds out what became of orders: whether they were paid, by the chain alone, and whether they waited too long.
 *
 * An order that is due is claimed by moving its time on by a lease, so that another process takes it up where this one dies. The chain is
 * read outside of transactions; what it showed is then judged with the order locked, as it is then.
 */
export function createVerifier({
  database,
  chains,
  settings,
  log,
  faultPoint = () => {},
}: VerifierOptions): Verifier {
  async function claim(): Promise<{ project: number; order: number }[]> {
    const { rows } = await sql<{ project: number; order: number }>`
      select project_id as project, order_id as "order"
      from gateway.claim_due_orders(${CLAIMED_AT_ONCE}, make_interval(secs => ${settings.leaseSeconds}))`.execute(
      database.system,
    )
    return rows
  }

  async function tend(project: number, id: number): Promise<void> {
    const db = database.forProject(project)
    const order = await store.findById(db, project, id)
    if (order === undefined) return
    if (order.status === OrderStatus.PRE) {
      await transaction(db, async (trx) => {
        const locked = await store.lockById(trx, project, id)
        // Paid or cancelled meanwhile, it has a time of its own by now.
        if (locked?.status !== OrderStatus.PRE || !locked.expired) return
        await expire(trx, [locked])
      })
      return
    }
    const sightings = await look(order)
    faultPoint('looked')
    const about = await transaction(db, async (trx) => {
      const locked = await store.lockById(trx, project, id)
      if (locked === undefined) return undefined
      const alert = await decide(trx, locked, sightings, settings)
      faultPoint('decided')
      return alert
    })
    if (about !== undefined) {
      log.error(
        { alert: 'order', projectId: project, orderNo: order.order_no, ...about },
        'an order needs a person',
      )
    }
  }

  /** What the chain shows of an order's transactions, and whether the block that held its payment is still there. */
  async function look(order: store.OrderRow) {
    const asked = {
      afterBlock: order.placed_at_block,
      from: order.recipient,
      to: order.sender,
      amount: BigInt(order.pay_amount),
      token: order.pay_token_address,
    }
    const chain = order.chain_id
    const reported = await payments.ofOrder(database.forProject(order.project_id), order)
    const shown = new Map<string, Sighting>()
    for (const { hash } of reported) shown.set(hash, await chains.observe(chain, hash, asked))
    if (order.status !== OrderStatus.SUCCESS || order.paid_block === 0) {
      return { shown, stands: true, finalBlock: 0 }
    }
    const hash = await chains.blockHash(chain, order.paid_block)
    return {
      shown,
      // A node that does not have the block yet is behind, and tells nothing.
      stands: hash === undefined || hash === order.paid_block_hash,
      finalBlock: await chains.finalBlock(chain),
    }
  }

  async function tendClaimed({ project, order }: { project: number; order: number }): Promise<void> {
    try {
      await tend(project, order)
    } catch (error) {
      // Its claim runs out, and it is looked at again. A chain that is down has been told of where it was read.
      if (!(error instanceof ChainUnavailableError))
        log.error({ err: error, projectId: project, order }, 'an order could not be looked at')
    }
  }

  return {
    async run() {
      for (;;) {
        const claimed = await claim()
        if (claimed.length > 0) faultPoint('claimed')
        await Promise.all(claimed.map(tendClaimed))
        if (claimed.length < CLAIMED_AT_ONCE) break
      }
      await closeEndedSales({ database, chains, settings, log })
    },
  }
}
