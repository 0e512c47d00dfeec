import { isUniqueViolation, transaction } from '@mintmark/server-kit'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../database/tables.ts'
import type { SentTransaction } from './signature-outcome.ts'
import { decodeTransaction } from './wire-transaction.ts'

/** A signed transaction of a payment, written before it is sent. */
export interface StoredSvmTransaction extends SentTransaction {
  readonly network: string
  /** Base64. Sending the same bytes again has no second effect. */
  readonly raw: string
  readonly state: 'sent' | 'landed' | 'final' | 'expired'
}

/** A transaction with the time at which it was signed. */
export interface RecordedSvmTransaction extends StoredSvmTransaction {
  readonly createdAt: Date
}

/** The identity of a payment, with the call that may sign for it. */
export interface SvmSettlement {
  readonly settlementId: string
  /** Owns the settlement while its lease lasts. */
  readonly attempt: string
  readonly network: string
  /** The hash of the message. */
  readonly nonce: string
}

/**
 * Writes the signed transaction of a payment, if the settlement still belongs to the call. A process that was
 * slower than its lease must not send, because a reconciler may have released the price.
 *
 * @returns 'taken' if the payment already has a transaction, 'disowned' if the settlement no longer belongs
 * to the call.
 * @throws CommitOutcomeUnknownError, among others. Then the transaction may have been written.
 */
export async function addSvmTransaction(
  db: Kysely<Tables>,
  { settlementId, attempt, network, nonce }: SvmSettlement,
  { signature, raw, lastValidBlockHeight, signedAfterSlot }: Omit<StoredSvmTransaction, 'network' | 'state'>,
): Promise<'added' | 'taken' | 'disowned'> {
  try {
    return await transaction(db, async (trx) => {
      const { numAffectedRows = 0n } = await sql`
        with owned as (
          select id from facilitator.settlements
          where id = ${settlementId}::bigint and attempt = ${attempt}::uuid and state = 'sent'
            and lease_until > clock_timestamp()
          for no key update)
        insert into facilitator.svm_transactions (signature, network, nonce, settlement_id, raw,
          last_valid_block_height, signed_after_slot)
        select ${signature}, ${network}, ${nonce}, owned.id, ${raw}, ${lastValidBlockHeight}, ${signedAfterSlot}
        from owned`.execute(trx)
      return numAffectedRows > 0n ? 'added' : 'disowned'
    })
  } catch (error) {
    // The same message has the same signature, so that PostgreSQL may report either.
    const isTaken = ['svm_transactions_pkey', 'svm_transactions_unique_payment'].some((constraint) =>
      isUniqueViolation(error, constraint),
    )
    if (isTaken) return 'taken'
    throw error
  }
}

interface Row {
  signature: string
  network: string
  raw: string
  state: StoredSvmTransaction['state']
  last_valid_block_height: string
  signed_after_slot: string
}

const COLUMNS = sql`signature, network, raw, state, last_valid_block_height, signed_after_slot`

const fromRow = ({ last_valid_block_height, signed_after_slot, ...row }: Row): StoredSvmTransaction => ({
  ...row,
  lastValidBlockHeight: BigInt(last_valid_block_height),
  signedAfterSlot: BigInt(signed_after_slot),
})

/** Finds the transaction of a payment. */
export async function findSvmTransaction(
  db: Kysely<Tables>,
  { network, nonce }: Pick<SvmSettlement, 'network' | 'nonce'>,
): Promise<StoredSvmTransaction | undefined> {
  const { rows } = await sql<Row>`
    select ${COLUMNS} from facilitator.svm_transactions
    where network = ${network} and nonce = ${nonce}`.execute(db)
  return rows[0] && fromRow(rows[0])
}

/** Finds the transaction of a settlement. */
export async function findSvmTransactionOf(
  db: Kysely<Tables>,
  settlementId: string,
): Promise<RecordedSvmTransaction | undefined> {
  const { rows } = await sql<Row & { createdAt: Date }>`
    select ${COLUMNS}, created_at as "createdAt" from facilitator.svm_transactions
    where settlement_id = ${settlementId}::bigint`.execute(db)
  return rows[0] && { ...fromRow(rows[0]), createdAt: rows[0].createdAt }
}

/** The most transactions that one sweep of a network checks. */
const MAX_SWEPT = 200

/** Lists transactions whose outcome is not final, the ones that were checked longest ago first. */
export async function listOpenSvmTransactions(
  db: Kysely<Tables>,
  network: string,
): Promise<StoredSvmTransaction[]> {
  const { rows } = await sql<Row>`
    select ${COLUMNS} from facilitator.svm_transactions
    where network = ${network} and state in ('sent', 'landed')
    order by checked_at limit ${MAX_SWEPT}`.execute(db)
  return rows.map(fromRow)
}

/** What a fee payer has not finished on one network. */
interface FeePayerWork {
  readonly network: string
  /** Base58. */
  readonly feePayer: string
  /** The number of transactions that are in no block. */
  readonly sent: number
  /** The number of transactions in blocks that are not final. */
  readonly landed: number
}

/** Lists the fee payers with transactions whose outcome is not final. */
export async function listFeePayerWork(db: Kysely<Tables>): Promise<FeePayerWork[]> {
  const { rows } = await sql<Pick<StoredSvmTransaction, 'network' | 'raw' | 'state'>>`
    select network, raw, state from facilitator.svm_transactions
    where state in ('sent', 'landed') order by network, signature`.execute(db)
  const byFeePayer = Map.groupBy(rows, ({ network, raw }) => `${network} ${readFeePayer(raw)}`)
  return [...byFeePayer].map(([key, transactions]) => {
    const [network = '', feePayer = ''] = key.split(' ')
    const sent = transactions.filter(({ state }) => state === 'sent').length
    return { network, feePayer, sent, landed: transactions.length - sent }
  })
}

function readFeePayer(raw: string): string {
  const [feePayer] = decodeTransaction(Buffer.from(raw, 'base64'))?.accounts ?? []
  if (feePayer === undefined) throw new Error('A stored transaction of Solana cannot be decoded')
  return feePayer
}

/** Records what was found out about a transaction. What is final stays so. Returns its settlement. */
export async function recordSvmState(
  db: Kysely<Tables>,
  signature: string,
  state: StoredSvmTransaction['state'],
): Promise<string | undefined> {
  const { rows } = await sql<{ settlementId: string }>`
    update facilitator.svm_transactions set state = ${state}, checked_at = clock_timestamp()
    where signature = ${signature} and state in ('sent', 'landed')
    returning settlement_id::text as "settlementId"`.execute(db)
  return rows[0]?.settlementId
}
