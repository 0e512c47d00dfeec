import { transaction } from '@mintmark/server-kit'
import { sql } from 'kysely'
import type { Store } from '../../../database/store.ts'
import type { Deposit } from '../../../ledger/deposits/deposits.ts'

/** The treasury whose deposits are read. */
export interface Treasury {
  chainId: number
  /** Lower-case. */
  address: string
}

/** The progress of reading deposits. */
export interface Cursor {
  nextBlock: bigint
  /** The hash of the block before `nextBlock`. Undefined before the first block was read. */
  lastHash: string | undefined
}

/** A deposit as it was credited, and its position among the deposits of its transaction. */
export interface ObservedDeposit extends Deposit {
  position: number
  lost: boolean
}

/** A `Withdrawn` log of the treasury, and its position among the withdrawals of its transaction. */
export interface Withdrawal {
  /** The transaction's hash. */
  hash: string
  position: number
  logIndex: number
  recipient: string
  /** Wei. */
  amount: bigint
  blockNumber: bigint
  blockHash: string
}

export async function readCursor(db: Store, { chainId, address }: Treasury): Promise<Cursor | undefined> {
  const { rows } = await sql<{ next_block: string; last_hash: string | null }>`
    select next_block, last_hash from facilitator.deposit_cursors
    where chain_id = ${chainId} and treasury = ${address}`.execute(db)
  return rows[0] && { nextBlock: BigInt(rows[0].next_block), lastHash: rows[0].last_hash ?? undefined }
}

/**
 * Records credited deposits, withdrawals and the new cursor in one commit. The cursor moves only if it is
 * still where this pass began. Deposits are recorded in any case, because they were credited.
 */
export async function recordRead(
  db: Store,
  treasury: Treasury,
  logs: { deposits: readonly ObservedDeposit[]; withdrawals: readonly Withdrawal[] },
  from: Cursor | undefined,
  to: Cursor,
): Promise<void> {
  await transaction(db, async (trx) => {
    await recordLogs(trx, treasury, logs)
    await moveCursor(trx, treasury, from, to)
  })
}

/** Records credited deposits, and withdrawals. Idempotent. */
export async function recordLogs(
  db: Store,
  treasury: Treasury,
  logs: { deposits: readonly ObservedDeposit[]; withdrawals: readonly Withdrawal[] },
): Promise<void> {
  for (const deposit of logs.deposits) await recordDeposit(db, treasury, deposit)
  for (const withdrawal of logs.withdrawals) await addWithdrawal(db, treasury, withdrawal)
}

/**
 * Moves the cursor back after a reorganization. Deletes the withdrawals of the blocks from there on. Reading
 * the blocks again records the withdrawals that the chain still has.
 */
export async function rewind(db: Store, treasury: Treasury, from: Cursor, to: Cursor): Promise<void> {
  await transaction(db, async (trx) => {
    await sql`
      delete from facilitator.treasury_withdrawals
      where chain_id = ${treasury.chainId} and treasury = ${treasury.address}
        and block_number >= ${to.nextBlock}`.execute(trx)
    await moveCursor(trx, treasury, from, to)
  })
}

async function moveCursor(
  db: Store,
  { chainId, address }: Treasury,
  from: Cursor | undefined,
  to: Cursor,
): Promise<void> {
  await sql`
    insert into facilitator.deposit_cursors as current (chain_id, treasury, next_block, last_hash)
    values (${chainId}, ${address}, ${to.nextBlock}, ${to.lastHash ?? null})
    on conflict (chain_id, treasury) do update set next_block = excluded.next_block, last_hash = excluded.last_hash
      where current.next_block = ${from?.nextBlock ?? -1n}`.execute(db)
}

async function addWithdrawal(
  db: Store,
  { chainId, address }: Treasury,
  { hash, position, logIndex, recipient, amount, blockNumber, blockHash }: Withdrawal,
): Promise<void> {
  await sql`
    insert into facilitator.treasury_withdrawals (chain_id, treasury, hash, position, log_index, recipient, amount,
      block_number, block_hash)
    values (${chainId}, ${address}, ${hash}, ${position}, ${logIndex}, ${recipient}, ${amount}, ${blockNumber},
      ${blockHash})
    on conflict (chain_id, treasury, hash, position) do update set log_index = excluded.log_index,
      block_number = excluded.block_number, block_hash = excluded.block_hash
      where treasury_withdrawals.block_hash <> excluded.block_hash`.execute(db)
}

/** Records a deposit with its present block, or as lost. */
export async function recordDeposit(
  db: Store,
  { address }: Treasury,
  deposit: ObservedDeposit,
): Promise<void> {
  const { chainId, hash, position, logIndex, payer, amount, blockNumber, blockHash, lost } = deposit
  await sql`
    insert into facilitator.observed_deposits (chain_id, treasury, hash, position, log_index, payer, amount, block_number,
      block_hash, lost)
    values (${chainId}, ${address}, ${hash}, ${position}, ${logIndex}, ${payer}, ${amount}, ${blockNumber},
      ${blockHash}, ${lost})
    on conflict (chain_id, treasury, hash, position) do update set block_number = excluded.block_number,
      block_hash = excluded.block_hash, lost = excluded.lost`.execute(db)
}

interface Row {
  hash: string
  position: number
  log_index: number
  payer: string
  amount: string
  block_number: string
  block_hash: string
  lost: boolean
}

const columns = sql`hash, position, log_index, payer, amount, block_number, block_hash, lost`

const toObservedDeposit =
  (chainId: number) =>
  (row: Row): ObservedDeposit => ({
    chainId,
    hash: row.hash,
    position: row.position,
    logIndex: row.log_index,
    payer: row.payer,
    amount: BigInt(row.amount),
    blockNumber: BigInt(row.block_number),
    blockHash: row.block_hash,
    lost: row.lost,
  })

/** Finds the recorded deposits at the positions of the given ones, by `toPositionKey`. */
export async function findObservedDeposits(
  db: Store,
  { chainId, address }: Treasury,
  deposits: readonly DepositPosition[],
): Promise<ReadonlyMap<string, ObservedDeposit>> {
  if (deposits.length === 0) return new Map()
  const hashes = deposits.map(({ hash }) => hash)
  const positions = deposits.map(({ position }) => position)
  const { rows } = await sql<Row>`
    select ${columns} from facilitator.observed_deposits
    where chain_id = ${chainId} and treasury = ${address}
      and (hash, position) in (select * from unnest(${hashes}::text[], ${positions}::integer[]))`.execute(db)
  return new Map(rows.map(toObservedDeposit(chainId)).map((deposit) => [toPositionKey(deposit), deposit]))
}

type DepositPosition = Pick<ObservedDeposit, 'hash' | 'position'>

export const toPositionKey = ({ hash, position }: DepositPosition): string => `${hash} ${position}`

/** Lists deposits in `block` or later ones that are not lost. */
export async function listDepositsSince(
  db: Store,
  { chainId, address }: Treasury,
  block: bigint,
): Promise<ObservedDeposit[]> {
  const { rows } = await sql<Row>`
    select ${columns} from facilitator.observed_deposits
    where chain_id = ${chainId} and treasury = ${address} and block_number >= ${block} and not lost
    order by block_number, hash, position`.execute(db)
  return rows.map(toObservedDeposit(chainId))
}
