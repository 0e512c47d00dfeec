import {
  ACCOUNT_FROZEN,
  ACCOUNTS_NOT_OPENED,
  INVALID_ACCOUNT_PROOF,
  PAYER_HAS_ACCOUNT,
  PROOF_USED,
} from '@mintmark/facilitator'
import { HttpError, refusal, transaction } from '@mintmark/server-kit'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Tables } from '../../database/tables.ts'
import type { Enqueue } from '../../events/record-event.ts'
import { type Account, createAccount, creditAccount, getAccount } from './accounts.ts'
import { lockPayer } from './balance.ts'
import { createKey } from './keys.ts'

/** For how long a proof is valid, and by how much the clock of who signed it may differ. */
const PROOF_SECONDS = 300
/** How many keys a wallet gets in a day. */
const KEYS_PER_DAY = 10

/** What an operator allows wallets that open accounts themselves. */
export interface TrialTerms {
  /** What a new account is credited, in wei. */
  readonly credit: bigint
  /** How many accounts all callers together open in 24 hours. */
  readonly accountsPerDay: number
  /** How many accounts one address opens in 24 hours. */
  readonly accountsPerAddress: number
}

/** A proof whose signature was verified. */
export interface Opening {
  readonly payer: string
  /** The digest that the wallet signed. */
  readonly proof: Buffer
  /** In seconds since the epoch. */
  readonly issuedAt: number
  /** Where the call came from. Undefined: only the other limits apply. */
  readonly address: string | undefined
}

/** An account with a new key. */
export interface Opened {
  readonly account: Account
  readonly token: string
  /** What was credited. */
  readonly credit: bigint
}

/**
 * Opens the account of a wallet, with a trial and a key, all or nothing. An account that its wallet opened
 * before gets a key instead of the earlier one, and no trial.
 *
 * @param terms Undefined: no new accounts are opened.
 */
export async function openAccount(
  db: Kysely<Tables>,
  opening: Opening,
  terms: TrialTerms | undefined,
  enqueue?: Enqueue,
): Promise<Opened> {
  const payer = opening.payer.toLowerCase()
  return await transaction(db, async (trx) => {
    await checkTime(trx, opening.issuedAt)
    // Calls for one wallet wait for each other, and so does an operator who creates its account.
    await lockPayer(trx, payer)
    await checkUnused(trx, opening.proof)
    const existing = await trx
      .selectFrom('facilitator.accounts')
      .select(['id', 'frozen_at'])
      .where('payer', '=', payer)
      .forNoKeyUpdate()
      .executeTakeFirst()
    let id: number
    let credit: bigint | null = null
    if (existing === undefined) {
      if (terms === undefined) throw refusal(ACCOUNTS_NOT_OPENED)
      credit = terms.credit
      await checkLimits(trx, terms, opening.address)
      id = (await createAccount(trx, { payer }, enqueue)).id
      await creditTrial(trx, id, credit, enqueue)
    } else {
      id = existing.id
      if (existing.frozen_at !== null) throw refusal(ACCOUNT_FROZEN)
      await replaceKeys(trx, id)
    }
    const { key, token } = await createKey(trx, { account: id, name: 'opened by the wallet' })
    await trx
      .insertInto('facilitator.account_openings')
      .values({
        proof: opening.proof,
        account_id: id,
        key_id: key.id,
        credit,
        address: credit === null ? null : (opening.address ?? null),
      })
      .execute()
    return { account: await getAccount(trx, id), token, credit: credit ?? 0n }
  })
}

/** Deletes the addresses of callers that opened accounts more than a day ago: no limit counts them. */
export async function deleteCallerAddresses(db: Kysely<Tables>): Promise<void> {
  await sql`
    update facilitator.account_openings set address = null
    where address is not null and created_at <= clock_timestamp() - interval '1 day'`.execute(db)
}

async function checkTime(trx: Transaction<Tables>, issuedAt: number): Promise<void> {
  const { rows } = await sql<{ now: number }>`
    select extract(epoch from clock_timestamp())::float8 as now`.execute(trx)
  const now = rows[0]?.now ?? 0
  if (Math.abs(now - issuedAt) <= PROOF_SECONDS) return
  const time = new Date(now * 1000).toISOString()
  throw refusal(
    INVALID_ACCOUNT_PROOF,
    `The proof was signed more than ${PROOF_SECONDS} seconds before or after ${time}, the time of this server. Sign a new one`,
  )
}

async function checkUnused(trx: Transaction<Tables>, proof: Buffer): Promise<void> {
  const used = await trx
    .selectFrom('facilitator.account_openings')
    .select('proof')
    .where('proof', '=', proof)
    .executeTakeFirst()
  if (used !== undefined) throw refusal(PROOF_USED)
}

/** Throws 429 if as many accounts were opened in the last 24 hours as may be. */
async function checkLimits(
  trx: Transaction<Tables>,
  { accountsPerDay, accountsPerAddress }: TrialTerms,
  address: string | undefined,
): Promise<void> {
  // Accounts are opened one after the other, so that no two count the same ones.
  await sql`select pg_advisory_xact_lock(hashtextextended('mintmark account openings', 0))`.execute(trx)
  const { rows } = await sql<{ total: number; wait: number; of_address: number; address_wait: number }>`
    select count(*)::int as total, ${secondsUntilFree(sql`true`)} as wait,
      count(*) filter (where address = ${address ?? null})::int as of_address,
      ${secondsUntilFree(sql`address = ${address ?? null}`)} as address_wait
    from facilitator.account_openings
    where credit is not null and created_at > clock_timestamp() - interval '1 day'`.execute(trx)
  const { total = 0, wait = 1, of_address = 0, address_wait = 1 } = rows[0] ?? {}
  if (of_address >= accountsPerAddress) throw tooMany('This address has', address_wait)
  if (total >= accountsPerDay) throw tooMany('Callers have', wait)
}

const secondsUntilFree = (which: ReturnType<typeof sql>) =>
  sql`ceil(extract(epoch from min(created_at) filter (where ${which}) + interval '1 day' - clock_timestamp()))::int`

const tooMany = (who: string, retryAfter: number): HttpError =>
  new HttpError(429, `${who} opened as many accounts in the last 24 hours as the operator allows`, {
    retryAfter: Math.max(1, retryAfter),
  })

async function creditTrial(
  trx: Transaction<Tables>,
  account: number,
  amount: bigint,
  enqueue: Enqueue | undefined,
): Promise<void> {
  // Settles may be free.
  if (amount === 0n) return
  await creditAccount(trx, { account, amount, actor: 'facilitator', reason: 'Trial' }, enqueue)
}

/**
 * Revokes the key of the last proof. Keys that operators created stay.
 *
 * @throws HttpError for an account that an operator created, and above the limit of a day.
 */
async function replaceKeys(trx: Transaction<Tables>, account: number): Promise<void> {
  const { rows } = await sql<{ total: number; of_day: number }>`
    select count(*)::int as total,
      count(*) filter (where created_at > clock_timestamp() - interval '1 day')::int as of_day
    from facilitator.account_openings where account_id = ${account}`.execute(trx)
  const { total = 0, of_day = 0 } = rows[0] ?? {}
  if (total === 0) throw refusal(PAYER_HAS_ACCOUNT)
  if (of_day >= KEYS_PER_DAY)
    throw new HttpError(429, 'The wallet got too many keys in the last 24 hours', { retryAfter: 3600 })
  await sql`
    update facilitator.api_keys set revoked_at = clock_timestamp()
    where id in (select key_id from facilitator.account_openings where account_id = ${account})
      and (revoked_at is null or revoked_at > clock_timestamp())`.execute(trx)
}
