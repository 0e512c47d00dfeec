import { isUniqueViolation, transaction } from '@mintmark/server-kit'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../database/tables.ts'
import type { Enqueue } from '../../events/record-event.ts'
import { claimFromSuspense } from '../deposits/deposits.ts'
import { AccountNotFoundError, addAvailable, lockPayer, recordCredit } from './balance.ts'

/** An account with one paying wallet. Amounts are in wei. */
export interface Account {
  readonly id: number
  readonly payer: string
  readonly name: string
  readonly available: bigint
  /** Held for unfinished settles. */
  readonly held: bigint
  /** The account's debt: deposits that a reorganization removed after they were spent. */
  readonly owed: bigint
  readonly frozenReason?: string
  /** For how many milliseconds a settle may wait for others, to share a transaction. 0: never. */
  readonly batchDelayMs: number
  readonly createdAt: Date
}

/** Who runs a command, and why. Stored with the result. */
export interface Operator {
  readonly actor: string
  readonly reason: string
}

export class PayerHasAccountError extends Error {
  override readonly name = 'PayerHasAccountError'
  constructor(payer: string) {
    super(`The wallet ${payer} already has an account`)
  }
}

/** The largest amount that clients can read. */
const MAX_BALANCE = (1n << 256n) - 1n

/** A credit would make the balance larger than any amount of the API. */
export class BalanceTooLargeError extends Error {
  override readonly name = 'BalanceTooLargeError'
  constructor(account: number) {
    super(`The balance of account ${account} would exceed ${MAX_BALANCE} wei. Credit a smaller amount`)
  }
}

/**
 * Creates an account for a wallet and credits it with the wallet's deposits in suspense.
 *
 * @throws PayerHasAccountError
 */
export async function createAccount(
  db: Kysely<Tables>,
  { payer, name = '' }: { payer: string; name?: string },
  enqueue?: Enqueue,
): Promise<Account> {
  const wallet = walletAddress(payer)
  const id = await transaction(db, async (trx) => {
    await lockPayer(trx, wallet)
    const account = await trx
      .insertInto('facilitator.accounts')
      .values({ payer: wallet, name })
      .returning(['id', 'payer'])
      .executeTakeFirstOrThrow()
    await claimFromSuspense(trx, account, enqueue)
    return account.id
  }).catch((error: unknown) => {
    throw isUniqueViolation(error) ? new PayerHasAccountError(wallet) : error
  })
  return getAccount(db, id)
}

/** @throws AccountNotFoundError */
export async function getAccount(db: Kysely<Tables>, idOrPayer: number | string): Promise<Account> {
  const [account] = await readAccounts(
    db,
    typeof idOrPayer === 'number' ? sql`a.id = ${idOrPayer}` : sql`a.payer = ${idOrPayer.toLowerCase()}`,
  )
  if (account === undefined) throw new AccountNotFoundError(idOrPayer)
  return account
}

/** Lists all accounts, oldest first. */
export async function listAccounts(db: Kysely<Tables>): Promise<Account[]> {
  return readAccounts(db, sql`true`)
}

/** Lists the accounts with these ids, newest first. */
export async function listAccountsById(db: Kysely<Tables>, ids: readonly number[]): Promise<Account[]> {
  return (await readAccounts(db, sql`a.id = any(${[...ids]}::bigint[])`)).reverse()
}

/**
 * Credits an account without a deposit, by an operator's decision.
 *
 * @throws AccountNotFoundError, BalanceTooLargeError, and RangeError if the amount is not positive.
 */
export async function creditAccount(
  db: Kysely<Tables>,
  { account, amount, actor, reason }: { account: number; amount: bigint } & Operator,
  enqueue?: Enqueue,
): Promise<Account> {
  if (amount <= 0n) throw new RangeError('A credit must be positive')
  await transaction(db, async (trx) => {
    const credited = await addAvailable(trx, account, amount)
    // The row is locked, and the error rolls the addition back.
    if (BigInt(credited.available) > MAX_BALANCE) throw new BalanceTooLargeError(account)
    await trx
      .insertInto('facilitator.ledger_transfers')
      .values({
        kind: 'credit',
        debit: 'granted',
        credit: 'available',
        amount,
        account_id: account,
        actor,
        reason,
      })
      .execute()
    await recordCredit(
      trx,
      { account, payer: credited.payer, amount, available: credited.available },
      enqueue,
    )
  })
  return getAccount(db, account)
}

/** Freezes an account, or ends its freeze if `frozen` is undefined. @throws AccountNotFoundError */
export async function freezeAccount(
  db: Kysely<Tables>,
  account: number,
  frozen: Operator | undefined,
): Promise<Account> {
  await db
    .updateTable('facilitator.accounts')
    .set(
      frozen === undefined
        ? { frozen_at: null, frozen_reason: null, frozen_by_reversal: false }
        : {
            frozen_at: sql<Date>`clock_timestamp()`,
            frozen_reason: `${frozen.actor}: ${frozen.reason}`,
            frozen_by_reversal: false,
          },
    )
    .where('id', '=', account)
    .execute()
  return getAccount(db, account)
}

/** The longest time, in milliseconds, for which a settle may wait for others. */
export const MAX_BATCH_DELAY_MS = 5_000

/**
 * Sets for how many milliseconds settles of an account may wait for others, to share a transaction. 0: never.
 * Servers use it within a second.
 *
 * @throws AccountNotFoundError, and RangeError above `MAX_BATCH_DELAY_MS`.
 */
export async function setBatchDelay(
  db: Kysely<Tables>,
  account: number,
  milliseconds: number,
): Promise<Account> {
  if (!Number.isInteger(milliseconds) || milliseconds < 0 || milliseconds > MAX_BATCH_DELAY_MS)
    throw new RangeError(`A batch delay must be between 0 and ${MAX_BATCH_DELAY_MS} milliseconds`)
  await db
    .updateTable('facilitator.accounts')
    .set({ batch_delay_ms: milliseconds })
    .where('id', '=', account)
    .execute()
  return getAccount(db, account)
}

async function readAccounts(db: Kysely<Tables>, which: ReturnType<typeof sql>): Promise<Account[]> {
  const { rows } = await sql<{
    id: number
    payer: string
    name: string
    available: string
    held: string
    owed: string
    frozen_reason: string | null
    batch_delay_ms: number
    created_at: Date
  }>`
    select a.id, a.payer, a.name, a.available, a.frozen_reason, a.batch_delay_ms, a.created_at,
      coalesce((select sum(s.price) from facilitator.payer_quotas q
        join facilitator.settlements s on s.quota_id = q.id and s.state in ('sent', 'unknown') and s.hold = 'held'
        where q.account_id = a.id), 0) as held,
      coalesce((select sum(case t.debit when 'receivable' then t.amount else -t.amount end)
        from facilitator.ledger_transfers t
        where t.account_id = a.id and 'receivable' in (t.debit, t.credit)), 0) as owed
    from facilitator.accounts a where ${which} order by a.id`.execute(db)
  return rows.map(({ id, payer, name, available, held, owed, frozen_reason, created_at, ...row }) => ({
    id,
    payer,
    name,
    available: BigInt(available),
    held: BigInt(held),
    owed: BigInt(owed),
    ...(frozen_reason !== null && { frozenReason: frozen_reason }),
    batchDelayMs: row.batch_delay_ms,
    createdAt: created_at,
  }))
}

function walletAddress(text: string): string {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text))
    throw new RangeError(`${text} is not an address. Expected 0x and 40 hex digits`)
  return text.toLowerCase()
}
