import { transaction } from '@mintmark/server-kit'
import { type Kysely, sql, type Transaction } from 'kysely'
import { lockPayer } from '../accounts/lock-payer.ts'
import type { LedgerAccount, Tables, TransferKind } from '../../tables.ts'
import { addAvailable, recordCredit } from '../accounts/balance.ts'
import { type Enqueue, payerSubject, recordEvent } from '../../events/record-event.ts'

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
 * Credits a deposit to the wallet's account, or to suspense where it has none. Idempotent: the same deposit is credited
 * once. What the account owes is paid first. A deposit that had been reversed is credited again, and a freeze that the
 * reversal caused ends.
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
    await endFreezeByReversal(trx, account.id)
    return 'credited'
  })
}

/**
 * Reverses a deposit that a reorganisation removed from its chain after it was final: from what the account has left,
 * the rest as a receivable, and the account is frozen. A balance that falls below `lowBalance` is reported as
 * `payer_balance.low`. Returns whether there was such a deposit.
 */
export async function reverseDeposit(
  db: Kysely<Tables>,
  which: Pick<Deposit, 'chainId' | 'hash' | 'logIndex'>,
  { lowBalance = 0n, enqueue }: { lowBalance?: bigint; enqueue?: Enqueue | undefined } = {},
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
    const { payer, available } = await trx
      .selectFrom('facilitator.accounts')
      .select(['payer', 'available'])
      .where('id', '=', account)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow()
    const left = BigInt(available)
    const taken = left < amount ? left : amount
    await freezeByReversal(trx, { account, taken, hash: which.hash, deposit: deposit.id })
    if (taken > 0n) await enter(trx, { ...entry, debit: 'available', amount: taken, account })
    if (amount > taken) await enter(trx, { ...entry, debit: 'receivable', amount: amount - taken, account })
    const balance = left - taken
    if (left >= lowBalance && balance < lowBalance) {
      const data = { payer, balance: balance.toString(), threshold: lowBalance.toString() }
      await recordEvent(
        trx,
        { subject: payerSubject(payer), type: 'payer_balance.low', account, data },
        enqueue,
      )
    }
    return true
  })
}

/** An account that is frozen already keeps its freeze and the reason of it. */
async function freezeByReversal(
  trx: Transaction<Tables>,
  { account, taken, hash, deposit }: { account: number; taken: bigint; hash: string; deposit: number },
): Promise<void> {
  // Frozen at the moment of the reversal, by which the end of the freeze finds the deposits that caused it.
  await sql`
    update facilitator.accounts a set available = a.available - ${taken.toString()}::numeric,
      frozen_at = coalesce(a.frozen_at, d.reversed_at),
      frozen_reason = coalesce(a.frozen_reason, ${`deposit ${hash} was lost in a reorganisation`}),
      frozen_by_reversal = a.frozen_at is null or a.frozen_by_reversal
    from facilitator.deposits d where a.id = ${account} and d.id = ${deposit}`.execute(trx)
}

/** Ends a freeze by reversals once all deposits reversed since are found again. An operator's freeze stays. */
async function endFreezeByReversal(trx: Transaction<Tables>, account: number): Promise<void> {
  await sql`
    update facilitator.accounts a set frozen_at = null, frozen_reason = null, frozen_by_reversal = false
    where a.id = ${account} and a.frozen_by_reversal and not exists (
      select from facilitator.deposits d where d.account_id = a.id and d.reversed_at >= a.frozen_at)`.execute(
    trx,
  )
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
