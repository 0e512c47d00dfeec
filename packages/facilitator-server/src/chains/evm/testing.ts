import { randomBytes, randomUUID } from 'node:crypto'
import type { TestChain } from '@mintmark/devkit/chain/testing'
import { openDatabase } from '@mintmark/server-kit'
import { sql } from 'kysely'
import { type Hex, parseEther } from 'viem'
import { expect, vi } from 'vitest'
import { facilitatorSchema } from '../../database/schema.ts'
import type { Store } from '../../database/store.ts'
import type { Tables } from '../../database/tables.ts'
import { hex } from '../../engine/testing.ts'
import { createReserve } from '../../ledger/settlements/reserve.ts'
import type { Payment, UpstreamCall, UpstreamResponse } from '../../payment/payment.ts'
import { type TestAccount, testAccount } from '../../testing.ts'
import { createFacilitatorDatabase } from '../../testing-database.ts'
import { parseSignerKeys, type SettlementSigner } from './transactions/signers.ts'

export interface TransactionDatabase {
  db: Store
  /**
   * Reserves the price of a settle, as the engine does before it calls the upstream; a payment is reserved
   * once. Default: of the database's account.
   */
  reserve(payment: Payment, account?: TestAccount): Promise<Omit<UpstreamCall, 'signal'>>
  drop(): Promise<void>
}

/** A facilitator's database with one account that can pay for every settle. */
export async function transactionDatabase(): Promise<TransactionDatabase> {
  const { url, drop } = await createFacilitatorDatabase()
  const database = openDatabase<Tables>({ url, role: facilitatorSchema.role })
  const db = database.system
  const first = await testAccount(db, { settles: 10_000 })
  const reserve = createReserve(db, {
    price: 1n,
    upstream: 'built-in',
    leaseMilliseconds: 600_000,
    patience: 0,
    lowBalance: 0n,
    revertLimits: { windowSeconds: 3600, perPayer: 0, perAccount: 0 },
    faultPoint: () => {},
  })
  async function reserveOnce(payment: Payment, account: TestAccount) {
    const attempt = randomUUID()
    const reservation = await reserve({ payment, account, attempt, api: 'native' })
    if (reservation.kind !== 'granted') throw new Error(`the settle was not reserved: ${reservation.kind}`)
    return { settlementId: String(reservation.settlementId), attempt }
  }
  const calls = new Map<string, ReturnType<typeof reserveOnce>>()
  return {
    db,
    reserve(payment, account = first) {
      const call = calls.get(payment.nonce) ?? reserveOnce(payment, account)
      calls.set(payment.nonce, call)
      return call
    },
    async drop() {
      await database.close()
      await drop()
    },
  }
}

/**
 * Removes all transactions. Waits for what an upstream of an earlier test still writes, because it locks rows in
 * another order.
 */
export async function removeTransactions(db: Store): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await sql`lock table facilitator.transactions in share row exclusive mode`.execute(transaction)
    await sql`delete from facilitator.transaction_attempts`.execute(transaction)
    await sql`delete from facilitator.transactions`.execute(transaction)
  })
}

export const randomKey = (): string => `0x${randomBytes(32).toString('hex')}`

/** Creates signers that nothing else uses, each with one native token. */
export async function createFundedSigners(
  { client }: Pick<TestChain, 'client'>,
  count: number,
): Promise<SettlementSigner[]> {
  const signers = parseSignerKeys(Array.from({ length: count }, randomKey).join(','))
  for (const { address } of signers)
    await client.setBalance({ address: hex(address), value: parseEther('1') })
  return signers
}

/**
 * Waits until the transaction that was signed last is mined: a node responds to a broadcast before it has
 * mined it.
 */
export async function waitUntilMined(db: Store, chain: TestChain): Promise<void> {
  const { rows } = await sql<{ hash: Hex }>`
    select hash from facilitator.transaction_attempts order by created_at desc limit 1`.execute(db)
  for (const { hash } of rows) await chain.confirm(Promise.resolve(hash))
}

/**
 * Waits until the transaction of a successful settle is recorded as mined. The response does not wait for
 * that.
 */
export async function waitUntilRecorded(db: Store, response: UpstreamResponse): Promise<UpstreamResponse> {
  if (response.kind !== 'responded' || response.body.success !== true) return response
  const hash = response.body.transaction
  await vi.waitFor(async () => {
    const { rows } = await sql<{ state: string }>`
      select state from facilitator.transactions where hash = ${hash}`.execute(db)
    expect(rows).toHaveLength(1)
  }, 30_000)
  return response
}
