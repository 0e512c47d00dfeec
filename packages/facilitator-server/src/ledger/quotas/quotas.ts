import { findPage, type PageQuery, type PageRows, transaction } from '@mintmark/server-kit'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { PayerQuotasTable, Tables } from '../../database/tables.ts'
import { type Enqueue, payerSubject, recordEvent } from '../../events/record-event.ts'

/** A quota as its payer signed it. Amounts in wei, times in seconds since the epoch. */
export interface SignedQuota {
  readonly limit: bigint
  readonly validAfter: bigint
  readonly validBefore: bigint
  readonly nonce: bigint
  /** Stored as evidence. The caller has verified that it is the wallet's signature. */
  readonly signature: string
}

export type QuotaStatus = 'active' | 'pending' | 'expired' | 'replaced' | 'revoked'

export interface Quota extends SignedQuota {
  readonly id: number
  readonly payer: string
  readonly status: QuotaStatus
  /** Charged to the quota. */
  readonly used: bigint
  /** Held for unfinished settles. */
  readonly held: bigint
  /** What can still be reserved: the limit minus charges and holds. */
  readonly remaining: bigint
  /** The account's available balance. */
  readonly balance: bigint
  readonly createdAt: Date
  readonly endedAt?: Date
}

/** Why a quota or a revocation was refused. */
export type QuotaRefusal =
  /** The nonce is not above every nonce that the payer used before. `nextNonce` is the least valid one. */
  | { readonly kind: 'nonce-used'; readonly nextNonce: bigint }
  /** The quota would never be valid, or has expired. */
  | { readonly kind: 'not-valid'; readonly message: string }
  /** The wallet does not belong to the account. */
  | { readonly kind: 'not-the-payer' }
  /** The payer has no active quota. */
  | { readonly kind: 'none' }

export type QuotaResult = { readonly kind: 'done'; readonly quota: Quota } | QuotaRefusal

/** The account of the call, and the wallet of the path. */
export interface QuotaOwner {
  readonly account: { readonly id: number; readonly payer: string }
  readonly payer: string
}

const UINT64_END = 1n << 64n
const UINT256_END = 1n << 256n

/**
 * Registers a quota that the payer signed. It replaces the active one and starts unused. Prices that are held
 * in the old quota stay there.
 */
export async function registerQuota(
  db: Kysely<Tables>,
  { account, payer }: QuotaOwner,
  signed: SignedQuota,
  enqueue?: Enqueue,
): Promise<QuotaResult> {
  if (account.payer !== payer.toLowerCase()) return { kind: 'not-the-payer' }
  const problem = findQuotaProblem(signed)
  if (problem !== undefined) return { kind: 'not-valid', message: problem }
  return transaction(db, async (trx): Promise<QuotaResult> => {
    const nonceUse = await useNonce(trx, account.id, signed.nonce, signed.validBefore)
    if (nonceUse.kind !== 'accepted') return nonceUse
    await trx
      .updateTable('facilitator.payer_quotas')
      .set({ ended_at: sql<Date>`clock_timestamp()`, ended_by: 'replaced' })
      .where('account_id', '=', account.id)
      .where('ended_at', 'is', null)
      .execute()
    const { id } = await trx
      .insertInto('facilitator.payer_quotas')
      .values({
        account_id: account.id,
        payer: account.payer,
        limit_amount: signed.limit,
        valid_after: signed.validAfter,
        valid_before: signed.validBefore,
        nonce: signed.nonce,
        signature: signed.signature,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const data = { payer: account.payer, limit: signed.limit.toString(), nonce: signed.nonce.toString() }
    const event = {
      subject: payerSubject(account.payer),
      type: 'payer_quota.registered',
      account: account.id,
      data,
    } as const
    await recordEvent(trx, event, enqueue)
    return { kind: 'done', quota: await readQuota(trx, id) }
  })
}

/** Ends the active quota. Prices that are held in it can still be captured. */
export async function revokeQuota(
  db: Kysely<Tables>,
  { account, payer }: QuotaOwner,
  { nonce, signature }: { nonce: bigint; signature: string },
  enqueue?: Enqueue,
): Promise<QuotaResult> {
  if (account.payer !== payer.toLowerCase()) return { kind: 'not-the-payer' }
  if (nonce < 0n || nonce >= UINT256_END) return { kind: 'not-valid', message: 'nonce must be a uint256' }
  return transaction(db, async (trx): Promise<QuotaResult> => {
    // Registrations and revocations wait for each other at the account's row.
    await sql`select from facilitator.accounts where id = ${account.id} for no key update`.execute(trx)
    const active = await findActiveQuota(trx, account.id)
    if (active === undefined) return { kind: 'none' }
    const nonceUse = await useNonce(trx, account.id, nonce)
    if (nonceUse.kind !== 'accepted') return nonceUse
    await trx
      .updateTable('facilitator.payer_quotas')
      .set({
        ended_at: sql<Date>`clock_timestamp()`,
        ended_by: 'revoked',
        revocation_nonce: nonce.toString(),
        revocation_signature: signature,
      })
      .where('id', '=', active.id)
      .execute()
    const data = {
      payer: account.payer,
      nonce: active.nonce.toString(),
      limit: active.limit.toString(),
      revocationNonce: nonce.toString(),
    }
    const event = {
      subject: payerSubject(account.payer),
      type: 'payer_quota.revoked',
      account: account.id,
      data,
    } as const
    await recordEvent(trx, event, enqueue)
    return { kind: 'done', quota: await readQuota(trx, active.id) }
  })
}

/** Finds the quota in which settles are reserved, even if it is not valid yet or has expired. */
export async function findActiveQuota(db: Kysely<Tables>, account: number): Promise<Quota | undefined> {
  const [quota] = await readQuotas(db, sql`q.account_id = ${account} and q.ended_at is null`, sql`limit 1`)
  return quota
}

/** The columns by which a list of quotas can be sorted. Default: newest first. */
export const QUOTA_COLUMNS = { id: 'id' } as const

/** Lists a page of an account's quotas. */
export async function listQuotas(
  db: Kysely<Tables>,
  account: number,
  page: PageQuery,
): Promise<PageRows<Quota>> {
  const rows = db.selectFrom('facilitator.payer_quotas').selectAll()
  const index = { columns: { account_id: account } }
  const found = await findPage(db, 'facilitator.payer_quotas', rows, page, { index })
  const ids = found.rows.map(({ id }) => id)
  const quotas = new Map(
    (await readQuotas(db, sql`q.id = any (${ids}::bigint[])`, sql``)).map((quota) => [quota.id, quota]),
  )
  return { ...found, rows: ids.flatMap((id) => quotas.get(id) ?? []) }
}

/** Lists the newest quotas of an account, newest first. */
export async function listNewestQuotas(db: Kysely<Tables>, account: number, limit: number): Promise<Quota[]> {
  return readQuotas(db, sql`q.account_id = ${account}`, sql`limit ${limit}`)
}

/** Reads the least nonce of the payer's next quota or revocation. */
export async function getNextQuotaNonce(db: Kysely<Tables>, account: number): Promise<bigint> {
  const row = await db
    .selectFrom('facilitator.accounts')
    .select('next_quota_nonce')
    .where('id', '=', account)
    .executeTakeFirstOrThrow()
  return BigInt(row.next_quota_nonce)
}

function findQuotaProblem({ limit, validAfter, validBefore, nonce }: SignedQuota): string | undefined {
  if (limit <= 0n || limit >= UINT256_END) return 'limit must be positive and a uint256'
  if (nonce < 0n || nonce >= UINT256_END) return 'nonce must be a uint256'
  if (validAfter < 0n || validBefore >= UINT64_END) return 'validAfter and validBefore must be uint64'
  if (validAfter >= validBefore) return 'validBefore must come after validAfter'
  return undefined
}

type NonceUse = { readonly kind: 'accepted' } | Extract<QuotaRefusal, { kind: 'nonce-used' | 'not-valid' }>

/**
 * Uses a nonce in one guarded statement, which also makes later quotas and reservations wait for this one.
 */
async function useNonce(
  trx: Kysely<Tables>,
  account: number,
  nonce: bigint,
  validBefore?: bigint,
): Promise<NonceUse> {
  const expiry = validBefore?.toString() ?? null
  const { rows } = await sql<{ late: boolean }>`
    update facilitator.accounts set next_quota_nonce = ${(nonce + 1n).toString()}::numeric
    where id = ${account} and next_quota_nonce <= ${nonce.toString()}::numeric
      and (${expiry}::numeric is null or extract(epoch from clock_timestamp()) < ${expiry}::numeric)
    returning id`.execute(trx)
  if (rows.length === 1) return { kind: 'accepted' }
  const nextNonce = await getNextQuotaNonce(trx, account)
  return nonce < nextNonce
    ? { kind: 'nonce-used', nextNonce }
    : { kind: 'not-valid', message: 'validBefore has passed' }
}

async function readQuota(db: Kysely<Tables>, id: number): Promise<Quota> {
  const [quota] = await readQuotas(db, sql`q.id = ${id}`, sql``)
  if (quota === undefined) throw new Error(`Quota ${id} does not exist`)
  return quota
}

type QuotaRow = Selectable<PayerQuotasTable> & {
  balance: string
  held: string
  phase: 'pending' | 'active' | 'expired'
}

async function readQuotas(
  db: Kysely<Tables>,
  which: ReturnType<typeof sql>,
  window: ReturnType<typeof sql>,
): Promise<Quota[]> {
  const { rows } = await sql<QuotaRow>`
    select q.*, a.available as balance,
      coalesce((select sum(s.price) from facilitator.settlements s
        where s.quota_id = q.id and s.state in ('sent', 'unknown') and s.hold = 'held'), 0) as held,
      case when extract(epoch from clock_timestamp()) < q.valid_after then 'pending'
        when extract(epoch from clock_timestamp()) < q.valid_before then 'active' else 'expired' end as phase
    from facilitator.payer_quotas q join facilitator.accounts a on a.id = q.account_id
    where ${which} order by q.id desc ${window}`.execute(db)
  return rows.map(toQuota)
}

function toQuota(row: QuotaRow): Quota {
  const reserved = BigInt(row.used)
  const held = BigInt(row.held)
  return {
    id: row.id,
    payer: row.payer,
    limit: BigInt(row.limit_amount),
    validAfter: BigInt(row.valid_after),
    validBefore: BigInt(row.valid_before),
    nonce: BigInt(row.nonce),
    signature: row.signature,
    status: row.ended_by ?? row.phase,
    used: reserved - held,
    held,
    remaining: BigInt(row.limit_amount) - reserved,
    balance: BigInt(row.balance),
    createdAt: row.created_at,
    ...(row.ended_at !== null && { endedAt: row.ended_at }),
  }
}
