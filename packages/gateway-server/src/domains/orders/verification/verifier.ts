import { OrderStatus } from '@mintmark/orders'
import type { Database, Logger } from '@mintmark/server-kit'
import { sql } from 'kysely'
import { ChainUnavailableError, type PaymentChains } from '../../../chain/payment-chains.ts'
import type { PaymentObservation } from '../../../chain/payment-observation.ts'
import { type ClaimRequest, createDueChecks, type DueRow } from '../../../database/due-checks.ts'
import type { Tables } from '../../../database/tables.ts'
import { openTenant } from '../../../database/tenant.ts'
import type { FindInventory } from '../../inventory/order-inventory.ts'
import type { OrderSettings } from '../../inventory/order-settings.ts'
import * as store from '../orders-store.ts'
import * as payments from '../payments/payments-store.ts'
import { reportSharedPayment } from '../payments/shared-payments.ts'
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

/** The options with their defaults. */
type Verification = Required<VerifierOptions>

/**
 * Creates the verifier, which determines by the chain alone whether orders were paid, and expires overdue
 * ones.
 *
 * An order that is due is claimed by moving its due time on by a lease: if the process dies, another one
 * checks the order. The chain is read outside of transactions. What it shows is applied to the order as it is
 * then, locked.
 */
export function createVerifier(options: VerifierOptions): Verifier {
  const verification = { faultPoint: () => {}, ...options }
  const run = createDueChecks({
    claim: (request) => claimDueOrders(verification, request),
    check: (row) => checkClaimed(verification, row),
  })
  return { run }
}

async function claimDueOrders(
  { database, settings, faultPoint }: Verification,
  { count, afterProject, busyProjects }: ClaimRequest,
): Promise<DueRow[]> {
  const { rows } = await sql<DueRow>`
    select project_id as project, order_id as id
    from gateway.claim_due_orders(${count}, make_interval(secs => ${settings.leaseSeconds}), ${afterProject}, ${[...busyProjects]})`.execute(
    database.system,
  )
  if (rows.length > 0) faultPoint('claimed')
  return rows
}

async function checkClaimed(verification: Verification, { project, id }: DueRow): Promise<void> {
  try {
    await check(verification, project, id)
  } catch (error) {
    // The claim expires, and the order is checked again. An unreadable chain was logged where it was read.
    if (!(error instanceof ChainUnavailableError))
      verification.log.error({ err: error, projectId: project, order: id }, 'An order could not be checked')
  }
}

async function check(verification: Verification, project: number, id: number): Promise<void> {
  const { database, findInventory, settings, log, faultPoint } = verification
  const tenant = openTenant(database, project)
  const order = await store.findById(tenant, id)
  if (order === undefined) return
  if (order.status === OrderStatus.PRE) return await expireOverdue(verification, project, id)
  const observations = await observe(verification, order)
  faultPoint('observed')
  const applied = await tenant.transaction(async (trx) => {
    const locked = await store.lockById(trx, id)
    if (locked === undefined) return undefined
    const result = await applyObservations(trx, findInventory, locked, observations, settings)
    faultPoint('applied')
    return result
  })
  if (applied?.alert !== undefined) {
    const details = { alert: 'order', projectId: project, orderNo: order.order_no, ...applied.alert }
    log.error(details, 'An order needs an operator')
  }
  for (const hash of applied?.counted ?? []) await reportSharedPayment(verification, order.chain_id, hash)
}

async function expireOverdue(
  { database, findInventory }: Verification,
  project: number,
  id: number,
): Promise<void> {
  await openTenant(database, project).transaction(async (trx) => {
    const order = await store.lockById(trx, id)
    // If it was reported as paid or cancelled meanwhile, it has a due time of its own.
    if (order?.status === OrderStatus.PRE && order.expired) await expire(trx, findInventory, [order])
  })
}

/**
 * Reads what the chain shows of an order's transactions, and whether the block that held its payment is still
 * there.
 */
async function observe(
  { database, chains }: Verification,
  order: store.OrderRow,
): Promise<ChainObservations> {
  const { chain_id: chainId } = order
  const expected = {
    afterBlock: order.placed_at_block,
    from: order.recipient,
    to: order.sender,
    amount: BigInt(order.pay_amount),
    token: order.pay_token_address,
  }
  const claims = await payments.listClaims(openTenant(database, order.project_id), order)
  const observed = new Map<string, PaymentObservation>()
  for (const { hash } of claims) observed.set(hash, await chains.observe(chainId, hash, expected))
  if (order.status !== OrderStatus.SUCCESS || order.paid_block === 0)
    return { payments: observed, blockPresent: true, finalBlock: 0 }
  const paidBlock = { number: order.paid_block, hash: order.paid_block_hash }
  const { comparison, finalBlock } = await chains.compareFinalBlock(chainId, paidBlock)
  return { payments: observed, blockPresent: comparison !== 'different', finalBlock }
}
