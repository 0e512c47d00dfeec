import { sql } from 'kysely'
import { EarlierPaymentError } from '../../../chains/evm/transactions/execution.ts'
import type { Store } from '../../../database/store.ts'
import type { Payment } from '../../../payment/payment.ts'
import type { ChannelAction, Voucher } from './channel-terms.ts'

/** A channel for which a transaction was signed. */
export interface KnownChannel {
  /** Ids have the order of creation, except of concurrent ones. */
  readonly id: number
  readonly chainId: number
  readonly channelId: string
  readonly payer: string
  readonly receiver: string
  readonly token: string
  /** Seconds. */
  readonly withdrawDelay: number
  /** Base units: the largest total that the payer has signed in vouchers of our transactions. */
  readonly highestVoucher: string
  readonly settlementId: number
  readonly createdAt: Date
  readonly changedAt: Date
}

/** The channels to list. Addresses in any case. */
export interface ChannelFilter {
  readonly payer?: string | undefined
  readonly receiver?: string | undefined
}

/**
 * Records the channels of a request, in the database transaction that writes its signed transaction. Rows are
 * written in the order of their ids, so that concurrent claims of the same channels wait for each other and
 * cannot deadlock.
 *
 * @throws EarlierPaymentError if the request is a claim, and another one of the same channels is not mined.
 * Many claims with falling totals could all be useful in the newest block, and only the one that is mined
 * first would be charged.
 */
export async function recordChannels(
  trx: Store,
  { chainId, settlementId }: { chainId: number; settlementId: string },
  action: ChannelAction,
): Promise<void> {
  const highest = new Map<string, Voucher>()
  for (const voucher of listVouchers(action)) {
    const known = highest.get(voucher.channelId)
    if (known === undefined || known.maximum < voucher.maximum) highest.set(voucher.channelId, voucher)
  }
  if (highest.size === 0) return
  const rows = [...highest.values()].map(({ channelId, config, maximum }) => ({
    channel_id: channelId,
    payer: config.payer,
    receiver: config.receiver,
    token: config.token,
    withdraw_delay: config.withdrawDelay,
    highest_voucher: maximum.toString(),
  }))
  await sql`
    insert into facilitator.channels as known (chain_id, channel_id, payer, receiver, token, withdraw_delay, highest_voucher,
      settlement_id)
    select ${chainId}, r.channel_id, r.payer, r.receiver, r.token, r.withdraw_delay, r.highest_voucher,
      ${settlementId}::bigint
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (channel_id text, payer text, receiver text, token text,
      withdraw_delay bigint, highest_voucher numeric)
    order by r.channel_id
    on conflict (chain_id, channel_id) do update set
      highest_voucher = greatest(known.highest_voucher, excluded.highest_voucher),
      settlement_id = excluded.settlement_id, changed_at = clock_timestamp()`.execute(trx)
  if (action.kind !== 'claim') return
  // A separate statement, because one that waited for the rows would read transactions with a snapshot from
  // before the wait.
  const { numAffectedRows = 0n } = await sql`
    update facilitator.channels c set claim_settlement_id = ${settlementId}::bigint
    where c.chain_id = ${chainId} and c.channel_id = any (${[...highest.keys()]}::text[])
      and not exists (select from facilitator.transactions t
        where t.settlement_id = c.claim_settlement_id and t.state = 'sent')`.execute(trx)
  if (numAffectedRows < highest.size) throw new EarlierClaimError()
}

/**
 * An earlier claim of a channel is not mined. Until then the later one cannot be checked against what the
 * earlier one claims.
 */
class EarlierClaimError extends EarlierPaymentError {
  constructor() {
    super('An earlier claim of one of the channels is not mined yet. Retry when it is')
  }
}

/** Writes the channels of a payment with its transaction. @throws EarlierPaymentError */
export const commitChannels = (
  trx: Store,
  where: { chainId: number; settlementId: string },
  { details }: Payment<ChannelAction>,
): Promise<void> => recordChannels(trx, where, details)

function listVouchers(action: ChannelAction): readonly Voucher[] {
  switch (action.kind) {
    case 'deposit':
    case 'voucher':
      return [action.voucher]
    case 'claim':
      return action.signed.claims
    case 'refund':
      return [action.voucher, ...(action.signed?.claims ?? [])]
    // A payout concerns all channels of the seller, and names none.
    case 'settle':
      return []
  }
}

/**
 * Lists at most `size` channels, newest first, older than the one with the id `before`. An index has the rows
 * of each filter in this order.
 */
export async function listChannels(
  db: Store,
  { payer, receiver }: ChannelFilter,
  { before, size }: { before: number | undefined; size: number },
): Promise<KnownChannel[]> {
  const conditions = [
    ...(payer === undefined ? [] : [sql`payer = ${payer.toLowerCase()}`]),
    ...(receiver === undefined ? [] : [sql`receiver = ${receiver.toLowerCase()}`]),
    ...(before === undefined ? [] : [sql`id < ${before}`]),
  ]
  const where = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`
  const { rows } = await sql<KnownChannel>`
    select id, chain_id as "chainId", channel_id as "channelId", payer, receiver, token, withdraw_delay as "withdrawDelay",
      highest_voucher as "highestVoucher", settlement_id as "settlementId", created_at as "createdAt",
      changed_at as "changedAt"
    from facilitator.channels ${where} order by id desc limit ${size}`.execute(db)
  return rows
}
