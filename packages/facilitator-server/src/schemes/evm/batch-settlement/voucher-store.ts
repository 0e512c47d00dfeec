import { type Kysely, sql } from 'kysely'
import { batch } from '../../../database/batch.ts'
import { executeStatement } from '../../../database/execute-statement.ts'
import type { Tables } from '../../../database/tables.ts'
import type { Payment } from '../../../payment/payment.ts'
import type { ChannelConfig, Voucher } from './channel-terms.ts'

/** A voucher that verification accepted for an account. */
export interface AcceptedVoucher {
  readonly accountId: number
  readonly chainId: number
  readonly voucher: Voucher
}

/**
 * Stores a voucher unless the account has one of the same channel that is at least as high. Resolves when the
 * voucher, or the higher one, is committed. Idempotent.
 *
 * @throws Error if the database did not confirm the commit. The voucher may be stored.
 */
export type StoreVoucher = (accepted: AcceptedVoucher) => Promise<void>

/** The most vouchers that one statement stores. */
const MAX_BATCH_SIZE = 500

/**
 * A caller repeats a verify that failed, so the statement is not repeated while the database cannot be
 * reached.
 */
const NO_PATIENCE = 0

/** Creates the function that stores a voucher. Concurrent calls share a statement. */
export function createStoreVoucher(db: Kysely<Tables>): StoreVoucher {
  return batch(
    async (accepted: AcceptedVoucher[]) => {
      const highest = selectHighest(accepted)
      await executeStatement(() => writeVouchers(db, highest), NO_PATIENCE)
      return accepted.map(() => undefined)
    },
    { maxItems: MAX_BATCH_SIZE },
  )
}

/** Creates the function that stores what an account can claim of a payment by a channel. */
export function createStoreClaim(
  db: Kysely<Tables>,
  log: { error(fields: object, message: string): void },
): (payment: Payment<{ voucher: Voucher }>, accountId: number) => Promise<string | undefined> {
  const storeVoucher = createStoreVoucher(db)
  return async ({ chainId, details: { voucher } }, accountId) => {
    try {
      await storeVoucher({ accountId, chainId, voucher })
      return undefined
    } catch (error) {
      log.error({ err: error, channelId: voucher.channelId }, 'A voucher could not be stored')
      return 'The voucher could not be stored'
    }
  }
}

/** Selects the highest voucher of each account and channel, because a statement changes a row only once. */
function selectHighest(accepted: readonly AcceptedVoucher[]): readonly AcceptedVoucher[] {
  const highest = new Map<string, AcceptedVoucher>()
  for (const each of accepted) {
    const key = `${each.accountId} ${each.chainId} ${each.voucher.channelId}`
    const other = highest.get(key)
    if (other === undefined || other.voucher.maximum < each.voucher.maximum) highest.set(key, each)
  }
  return [...highest.values()]
}

/**
 * Writes the vouchers in one statement, which commits by itself. It locks the rows in the order of their key,
 * so that the statements of two processes wait for each other and cannot deadlock. A row that is locked
 * meanwhile is compared in its newest version, so the highest voucher remains whoever comes last.
 */
async function writeVouchers(db: Kysely<Tables>, accepted: readonly AcceptedVoucher[]): Promise<void> {
  const vouchers = accepted.map(({ voucher }) => voucher)
  const configs = vouchers.map(({ config }) => config)
  await sql`
    insert into facilitator.channel_vouchers as stored (account_id, chain_id, channel_id, payer, payer_authorizer, receiver,
      receiver_authorizer, token, withdraw_delay, salt, maximum, signature)
    select * from unnest(
      ${accepted.map(({ accountId }) => accountId)}::bigint[],
      ${accepted.map(({ chainId }) => chainId)}::bigint[],
      ${vouchers.map(({ channelId }) => channelId)}::text[],
      ${configs.map(({ payer }) => payer)}::text[],
      ${configs.map(({ payerAuthorizer }) => payerAuthorizer)}::text[],
      ${configs.map(({ receiver }) => receiver)}::text[],
      ${configs.map(({ receiverAuthorizer }) => receiverAuthorizer)}::text[],
      ${configs.map(({ token }) => token)}::text[],
      ${configs.map(({ withdrawDelay }) => withdrawDelay)}::bigint[],
      ${configs.map(({ salt }) => salt)}::text[],
      ${vouchers.map(({ maximum }) => maximum.toString())}::numeric[],
      ${vouchers.map(({ signature }) => signature)}::text[])
      as accepted (account_id, chain_id, channel_id, payer, payer_authorizer, receiver, receiver_authorizer, token,
        withdraw_delay, salt, maximum, signature)
    order by account_id, chain_id, channel_id
    on conflict (account_id, chain_id, channel_id) do update set
      maximum = excluded.maximum, signature = excluded.signature, changed_at = clock_timestamp()
    where stored.maximum < excluded.maximum`.execute(db)
}

/** The highest voucher of a channel that an account presented. */
export interface StoredVoucher {
  /** Ids have the order of creation, except of concurrent ones. */
  readonly id: number
  readonly chainId: number
  readonly channelId: string
  readonly config: ChannelConfig
  /** Base units. */
  readonly maximum: string
  readonly signature: string
  readonly createdAt: Date
  readonly changedAt: Date
}

/** The vouchers to list. Addresses in any case. */
export interface VoucherFilter {
  readonly payer?: string | undefined
  readonly receiver?: string | undefined
}

type VoucherRow = Omit<StoredVoucher, 'config'> & ChannelConfig

/**
 * Lists at most `size` vouchers of an account, the newest channel first, older than the one with the id
 * `before`. An index has the rows of each filter in this order.
 */
export async function listVouchers(
  db: Kysely<Tables>,
  accountId: number,
  { payer, receiver }: VoucherFilter,
  { before, size }: { before: number | undefined; size: number },
): Promise<StoredVoucher[]> {
  const conditions = [
    sql`account_id = ${accountId}`,
    ...(payer === undefined ? [] : [sql`payer = ${payer.toLowerCase()}`]),
    ...(receiver === undefined ? [] : [sql`receiver = ${receiver.toLowerCase()}`]),
    ...(before === undefined ? [] : [sql`id < ${before}`]),
  ]
  const { rows } = await sql<VoucherRow>`
    select id, chain_id as "chainId", channel_id as "channelId", payer, payer_authorizer as "payerAuthorizer", receiver,
      receiver_authorizer as "receiverAuthorizer", token, withdraw_delay as "withdrawDelay", salt, maximum, signature,
      created_at as "createdAt", changed_at as "changedAt"
    from facilitator.channel_vouchers where ${sql.join(conditions, sql` and `)}
    order by id desc limit ${size}`.execute(db)
  return rows.map(toStoredVoucher)
}

function toStoredVoucher(row: VoucherRow): StoredVoucher {
  const { id, chainId, channelId, maximum, signature, createdAt, changedAt, ...config } = row
  return { id, chainId, channelId, config, maximum, signature, createdAt, changedAt }
}
