import { ChainChangedError, createLogReader, type FinalBlock } from '@mintmark/evm-reader'
import { larger, smaller } from '../../../payment/amounts.ts'
import {
  type DepositLog,
  type DepositParts,
  type DepositReport,
  type DepositWatchOptions,
  withoutPosition,
} from './deposit-parts.ts'
import {
  type Cursor,
  findObservedDeposits,
  type ObservedDeposit,
  readCursor,
  recordLogs,
  recordRead,
  toPositionKey,
} from './deposit-store.ts'
import { checkCursor } from './reorganizations.ts'
import { decodeTreasuryLogs, type TreasuryLogs, toTreasuryFilter } from './treasury-logs.ts'

export interface DepositWatch {
  /**
   * Reads the treasury's deposits from the end of the last pass to the chain's final block, and credits them.
   * A job calls it every few seconds. Concurrent passes of several processes do no harm. A pass ends early at
   * a block that the node lacks.
   *
   * @throws The error of the chain, the database or `credit`. The next pass continues from there.
   */
  poll(): Promise<DepositReport>
}

const NO_LOG: DepositLog = { warn: () => {}, error: () => {} }

/** Creates the watch of deposits into the treasury contract. */
export function createDepositWatch(options: DepositWatchOptions): DepositWatch {
  const { chain, blocksPerQuery: maxBlocks = 2_000, recentSeconds = 60 } = options
  const treasury = { chainId: chain.id, address: options.treasury.toLowerCase() }
  const parts: DepositParts = {
    ...options,
    treasury,
    filter: toTreasuryFilter(treasury.address),
    reader: createLogReader(chain, { maxBlocks, recentSeconds }),
    rereader: createLogReader(chain, { maxBlocks, recentSeconds: 0 }),
    strictReader: createLogReader(chain, { recentSeconds: Number.POSITIVE_INFINITY }),
    fromBlock: options.fromBlock ?? 0n,
    rereadBlocks: options.rereadBlocks ?? 1_000n,
    rereadFrom: options.rereadFrom,
    log: options.log ?? NO_LOG,
  }
  return { poll: () => poll(parts) }
}

async function poll(parts: DepositParts): Promise<DepositReport> {
  const { db, chain, treasury, fromBlock, log } = parts
  const final = await chain.finalBlock()
  const report: DepositReport = { credited: 0, lost: 0, nextBlock: fromBlock, complete: false }
  const cursor = await readCursor(db, treasury)
  report.nextBlock = cursor?.nextBlock ?? fromBlock
  try {
    report.complete = await readNewBlocks(parts, cursor, final, report)
  } catch (error) {
    if (!(error instanceof ChainChangedError)) throw error
    log.warn({ chain: chain.id, reason: error.message }, 'Deposits are read later: a node lacks a block')
  }
  return report
}

/**
 * Returns whether the blocks were read. False if the nodes' responses do not decide whether the blocks before
 * the cursor were replaced.
 */
async function readNewBlocks(
  parts: DepositParts,
  recorded: Cursor | undefined,
  final: FinalBlock,
  report: DepositReport,
): Promise<boolean> {
  let cursor = recorded
  if (cursor !== undefined) {
    const canonical = await checkCursor(parts, cursor, final, report)
    if (canonical === undefined) return false
    cursor = canonical
    report.nextBlock = cursor.nextBlock
    await rereadBlocks(parts, cursor, report)
  }
  while (report.nextBlock <= final.number) {
    cursor = await readNext(parts, { next: report.nextBlock, cursor, final }, report)
    report.nextBlock = cursor.nextBlock
  }
  return true
}

/**
 * Reads and credits the next blocks. Returns the cursor after them.
 *
 * @throws ChainChangedError if the node lacks the blocks.
 */
async function readNext(
  parts: DepositParts,
  { next, cursor, final }: { next: bigint; cursor: Cursor | undefined; final: FinalBlock },
  report: DepositReport,
): Promise<Cursor> {
  const { to, logs, headers } = await parts.reader.read({
    filter: parts.filter,
    from: Number(next),
    to: Number(final.number),
    newest: { number: Number(final.number), time: Number(final.timestamp), hash: final.hash },
    parentHash: cursor?.lastHash,
  })
  const moved = { nextBlock: BigInt(to) + 1n, lastHash: headers.at(-1)?.hash }
  const decoded = decodeTreasuryLogs(parts.chain.id, logs)
  for (const { hash, blockNumber } of decoded.worthless) {
    parts.log.warn({ hash, blockNumber }, 'A deposit without an amount was skipped')
  }
  return creditAndMove(parts, decoded, { from: cursor, to: moved }, report)
}

async function creditAndMove(
  parts: DepositParts,
  { deposits, withdrawals }: Pick<TreasuryLogs, 'deposits' | 'withdrawals'>,
  { from, to }: { from: Cursor | undefined; to: Cursor },
  report: DepositReport,
): Promise<Cursor> {
  const credited = await creditNew(parts, deposits)
  await recordRead(parts.db, parts.treasury, { deposits: credited, withdrawals }, from, to)
  report.credited += credited.length
  return to
}

/**
 * Reads the blocks before the cursor again: the node of an earlier range query may have lacked its last
 * blocks.
 */
async function rereadBlocks(
  parts: DepositParts,
  { nextBlock, lastHash }: Cursor,
  report: DepositReport,
): Promise<void> {
  const { chain, db, treasury, rereader, filter, log } = parts
  const to = Number(nextBlock) - 1
  const newest = { number: to, time: 0, hash: lastHash }
  const first = larger(nextBlock - parts.rereadBlocks, parts.fromBlock)
  for (let from = Number(smaller(first, parts.rereadFrom ?? first)); from <= to; ) {
    const range = await rereader.read({ filter, from, to, newest })
    const { deposits, withdrawals } = decodeTreasuryLogs(chain.id, range.logs)
    const credited = await creditNew(parts, deposits)
    await recordLogs(db, treasury, { deposits: credited, withdrawals })
    report.credited += credited.length
    for (const { hash, blockNumber } of credited) {
      log.warn({ hash, blockNumber }, 'A deposit that an earlier read had missed was credited')
    }
    from = range.to + 1
  }
}

/** Credits deposits that were not credited yet, or were reversed since. */
async function creditNew(
  parts: DepositParts,
  deposits: readonly ObservedDeposit[],
): Promise<ObservedDeposit[]> {
  const { db, treasury, log } = parts
  const credited: ObservedDeposit[] = []
  const found = await findObservedDeposits(db, treasury, deposits)
  for (const deposit of deposits) {
    const recorded = found.get(toPositionKey(deposit))
    if (recorded && !recorded.lost) continue
    // Keeps the log index of the first credit: a reorganization may have given the deposit another one.
    const identified = recorded ? { ...deposit, logIndex: recorded.logIndex } : deposit
    await parts.credit(withoutPosition(identified))
    credited.push(identified)
    if (recorded) {
      const { hash, payer } = identified
      log.warn({ hash, payer }, 'A reversed deposit is on the chain again and was credited')
    }
  }
  return credited
}
