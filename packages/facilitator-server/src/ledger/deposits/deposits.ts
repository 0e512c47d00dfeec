import { transaction } from '@mintmark/server-kit'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { LedgerAccount, Tables, TransferKind } from '../../database/tables.ts'
import { type Enqueue, payerSubject, recordEvent } from '../../events/record-event.ts'
import { addAvailable, lockPayer, recordCredit } from '../accounts/balance.ts'

/** A `Deposited` log of the treasury that is final on its chain. */
export interface Deposit {
  readonly chainId: number
  /** The hash of the transaction. */
  readonly hash: string
  readonly logIndex: number
  readonly payer: string
  /** Wei. */
  readonly amount: bigint
  readonly blockNumber: bigint
  readonly blockHash: string
}

/** The result of crediting a deposit. `duplicate`: it was credited before. */
export type CreditResult = 'credited' | 'suspended' | 'duplicate'

/**
 * Credits a deposit to the wallet's account, or to suspense if the wallet has none. Idempotent: a deposit is
 * credited once. The account's debt is paid first. A reversed deposit is credited again, and the freeze that
 * its reversal caused ends.
 */
export async function creditDeposit(
  db: Kysely<Tables>,
  deposit: Deposit,
  enqueue?: Enqueue,
): Promise<CreditResult> {
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
    if (row === undefined) return 'duplicate'
    const amount = BigInt(row.amount)
    if (account === undefined) {
      await recordTransfer(trx, {
        kind: 'suspense',
        debit: 'external',
        credit: 'suspense',
        amount,
        deposit: row.id,
      })
      return 'suspended'
    }
    await creditAccountBalance(trx, { account, amount, deposit: row.id, from: 'external' }, enqueue)
    await endFreezeByReversal(trx, account.id)
    return 'credited'
  })
}

/**
 * Reverses a deposit that a reorganization removed from its chain after it was final. The amount is taken
 * from the account's balance, the rest becomes a receivable, and the account is frozen. A balance that falls
 * below `lowBalance` is reported as `payer_balance.low`. Returns whether the deposit existed.
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
      await recordTransfer(trx, { ...entry, debit: 'suspense', amount })
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
    if (taken > 0n) await recordTransfer(trx, { ...entry, debit: 'available', amount: taken, account })
    if (amount > taken)
      await recordTransfer(trx, { ...entry, debit: 'receivable', amount: amount - taken, account })
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

/** Freezes an account. An existing freeze and its reason stay. */
async function freezeByReversal(
  trx: Transaction<Tables>,
  { account, taken, hash, deposit }: { account: number; taken: bigint; hash: string; deposit: number },
): Promise<void> {
  // The freeze has the time of the reversal, so that its end can find the deposits that caused it.
  await sql`
    update facilitator.accounts a set available = a.available - ${taken.toString()}::numeric,
      frozen_at = coalesce(a.frozen_at, d.reversed_at),
      frozen_reason = coalesce(a.frozen_reason, ${`deposit ${hash} was lost in a reorganization`}),
      frozen_by_reversal = a.frozen_at is null or a.frozen_by_reversal
    from facilitator.deposits d where a.id = ${account} and d.id = ${deposit}`.execute(trx)
}

/**
 * Ends a freeze by reversals once all deposits that were reversed since are credited again. An operator's
 * freeze stays.
 */
async function endFreezeByReversal(trx: Transaction<Tables>, account: number): Promise<void> {
  await sql`
    update facilitator.accounts a set frozen_at = null, frozen_reason = null, frozen_by_reversal = false
    where a.id = ${account} and a.frozen_by_reversal and not exists (
      select from facilitator.deposits d where d.account_id = a.id and d.reversed_at >= a.frozen_at)`.execute(
    trx,
  )
}

/** Credits a new account with the earlier deposits of its wallet. The caller holds the wallet's lock. */
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
    await creditAccountBalance(
      trx,
      { account, amount: BigInt(amount), deposit: id, from: 'suspense' },
      enqueue,
    )
  }
}

interface BalanceCredit {
  readonly account: { readonly id: number; readonly payer: string }
  readonly amount: bigint
  readonly deposit: number
  readonly from: 'external' | 'suspense'
}

async function creditAccountBalance(
  trx: Transaction<Tables>,
  { account, amount, deposit, from }: BalanceCredit,
  enqueue?: Enqueue,
) {
  // Locks the account's row, so that its debt does not change.
  await addAvailable(trx, account.id, 0n)
  const { rows } = await sql<{ owed: string }>`
    select coalesce(-sum(amount), 0) as owed from facilitator.ledger_entries
    where account_id = ${account.id} and ledger_account = 'receivable'`.execute(trx)
  const owed = BigInt(rows[0]?.owed ?? 0)
  const repaid = owed < amount ? owed : amount
  const entry = { debit: from, account: account.id, deposit }
  if (repaid > 0n)
    await recordTransfer(trx, { ...entry, kind: 'repayment', credit: 'receivable', amount: repaid })
  const rest = amount - repaid
  if (rest > 0n) {
    await recordTransfer(trx, {
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

async function recordTransfer(
  trx: Transaction<Tables>,
  { kind, debit, credit, amount, account, deposit }: Entry,
): Promise<void> {
  await trx
    .insertInto('facilitator.ledger_transfers')
    .values({ kind, debit, credit, amount, account_id: account ?? null, deposit_id: deposit })
    .execute()
}
