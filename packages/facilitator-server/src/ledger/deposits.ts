import { transaction } from '@mintmark/server-kit'
import { type Kysely, sql, type Transaction } from 'kysely'
import { lockPayer } from '../accounts/lock-payer.ts'
import type { LedgerAccount, Tables, TransferKind } from '../tables.ts'
import { addAvailable, recordCredit } from './available.ts'
import type { Enqueue } from './record-event.ts'

/** One `Deposited` log of the treasury, final on its chain. */
export interface Deposit {
  readonly chainId: number
  /** The transaction's hash. */
  readonly hash: string
  readonly logIndex: number
  readonly payer: string
  /** Wei. */
  readonly amount: bigint
  readonly blockNumber: bigint
  readonly blockHash: string
}

/** What became of a deposit; `known` when it was credited before. */
export type Credited = 'credited' | 'suspended' | 'known'

/**
 * Credits a deposit, once however often it is told: to the wallet's account, or to suspense where it has none. What the
 * account owes is paid first. A deposit that had been reversed is credited again.
 */
export async function creditDeposit(
  db: Kysely<Tables>,
  deposit: Deposit,
  enqueue?: Enqueue,
): Promise<Credited> {
  const payer = deposit.payer.toLowerCase()
  const hash = deposit.hash.toLowerCase()
  return transaction(db, async (trx) => {
    await lockPayer(trx, payer)
    const account = await trx
      .selectFrom('facilitator.accounts')
      .select(['id', 'payer'])
      .where('payer', '=', payer)
      .executeTakeFirst()
    const row = await trx
      .insertInto('facilitator.deposits')
      .values({
        chain_id: deposit.chainId,
        hash,
        log_index: deposit.logIndex,
        payer,
        amount: deposit.amount,
        block_number: deposit.blockNumber,
        block_hash: deposit.blockHash,
        account_id: account?.id ?? null,
      })
      .onConflict((conflict) =>
        conflict
          .columns(['chain_id', 'hash', 'log_index'])
          .doUpdateSet({
            reversed_at: null,
            account_id: account?.id ?? null,
            block_number: deposit.blockNumber,
            block_hash: deposit.blockHash,
          })
          .where('facilitator.deposits.reversed_at', 'is not', null),
      )
      .returning(['id', 'amount'])
      .executeTakeFirst()
    if (row === undefined) return 'known'
    const amount = BigInt(row.amount)
    if (account === undefined) {
      await enter(trx, { kind: 'suspense', debit: 'external', credit: 'suspense', amount, deposit: row.id })
      return 'suspended'
    }
    await payIn(trx, { account, amount, deposit: row.id, from: 'external' }, enqueue)
    return 'credited'
  })
}

/**
 * Takes back a deposit that a reorganisation removed from its chain after it was final: from what the account has left,
 * the rest as a receivable, and the account is frozen. Answers whether there was such a deposit.
 */
export async function reverseDeposit(
  db: Kysely<Tables>,
  which: Pick<Deposit, 'chainId' | 'hash' | 'logIndex'>,
): Promise<boolean> {
  return transaction(db, async (trx) => {
    const deposit = await trx
      .updateTable('facilitator.deposits')
      .set({ reversed_at: sql<Date>`clock_timestamp()` })
      .where('chain_id', '=', which.chainId)
      .where('hash', '=', which.hash.toLowerCase())
      .where('log_index', '=', which.logIndex)
      .where('reversed_at', 'is', null)
      .returning(['id', 'account_id', 'amount'])
      .executeTakeFirst()
    if (deposit === undefined) return false
    const amount = BigInt(deposit.amount)
    const entry = { kind: 'reversal', credit: 'external', deposit: deposit.id } as const
    if (deposit.account_id === null) {
      await enter(trx, { ...entry, debit: 'suspense', amount })
      return true
    }
    const account = deposit.account_id
    const { available } = await trx
      .selectFrom('facilitator.accounts')
      .select('available')
      .where('id', '=', account)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow()
    const left = BigInt(available)
    const taken = left < amount ? left : amount
    await sql`
      update facilitator.accounts set available = available - ${taken.toString()}::numeric,
        frozen_at = coalesce(frozen_at, clock_timestamp()),
        frozen_reason = coalesce(frozen_reason, ${`deposit ${which.hash} was lost in a reorganisation`})
      where id = ${account}`.execute(trx)
    if (taken > 0n) await enter(trx, { ...entry, debit: 'available', amount: taken, account })
    if (amount > taken) await enter(trx, { ...entry, debit: 'receivable', amount: amount - taken, account })
    return true
  })
}

/** Gives a new account what its wallet had deposited before. The caller holds the wallet's lock. */
export async function claimFromSuspense(
  trx: Transaction<Tables>,
  account: { id: number; payer: string },
  enqueue?: Enqueue,
): Promise<void> {
  const deposits = await trx
    .updateTable('facilitator.deposits')
    .set({ account_id: account.id })
    .where('payer', '=', account.payer)
    .where('account_id', 'is', null)
    .where('reversed_at', 'is', null)
    .returning(['id', 'amount'])
    .execute()
  for (const { id, amount } of deposits) {
    await payIn(trx, { account, amount: BigInt(amount), deposit: id, from: 'suspense' }, enqueue)
  }
}

interface PayIn {
  readonly account: { readonly id: number; readonly payer: string }
  readonly amount: bigint
  readonly deposit: number
  readonly from: 'external' | 'suspense'
}

async function payIn(trx: Transaction<Tables>, { account, amount, deposit, from }: PayIn, enqueue?: Enqueue) {
  // Locks the account's row, so that what it owes stays what it is.
  await addAvailable(trx, account.id, 0n)
  const { rows } = await sql<{ owed: string }>`
    select coalesce(-sum(amount), 0) as owed from facilitator.ledger_entries
    where account_id = ${account.id} and ledger_account = 'receivable'`.execute(trx)
  const owed = BigInt(rows[0]?.owed ?? 0)
  const repaid = owed < amount ? owed : amount
  const entry = { debit: from, account: account.id, deposit }
  if (repaid > 0n) await enter(trx, { ...entry, kind: 'repayment', credit: 'receivable', amount: repaid })
  const rest = amount - repaid
  if (rest > 0n) {
    await enter(trx, {
      ...entry,
      kind: from === 'external' ? 'deposit' : 'claim',
      credit: 'available',
      amount: rest,
    })
  }
  const { available } = await addAvailable(trx, account.id, rest)
  await recordCredit(trx, { account: account.id, payer: account.payer, amount, available }, enqueue)
}

interface Entry {
  readonly kind: TransferKind
  readonly debit: LedgerAccount
  readonly credit: LedgerAccount
  readonly amount: bigint
  readonly account?: number
  readonly deposit: number
}

async function enter(
  trx: Transaction<Tables>,
  { kind, debit, credit, amount, account, deposit }: Entry,
): Promise<void> {
  await trx
    .insertInto('facilitator.ledger_transfers')
    .values({ kind, debit, credit, amount, account_id: account ?? null, deposit_id: deposit })
    .execute()
}
