import type { FinalBlock } from '@mintmark/server-kit'
import {
  type DepositLog,
  type DepositParts,
  type DepositReport,
  type DepositWatchOptions,
  HASH_BATCH_SIZE,
  larger,
  smaller,
  withoutPosition,
} from './deposit-parts.ts'
import {
  type Cursor,
  findObservedDeposit,
  type ObservedDeposit,
  readCursor,
  recordLogs,
  recordRead,
} from './deposit-store.ts'
import { checkCursor } from './reorganizations.ts'
import { createTreasuryReader, type TreasuryLogs } from './treasury-logs.ts'

export interface DepositWatch {
  /**
   * Reads the treasury's deposits from the end of the last pass to the chain's final block, and credits them. A job calls it every few
   * seconds. Concurrent passes of several processes do no harm. A pass ends early at a block that the node lacks.
   *
   * @throws The error of the chain, the database or `credit`. The next pass continues from there.
   */
  poll(): Promise<DepositReport>
}

const NO_LOG: DepositLog = { warn: () => {}, error: () => {} }

/** Creates the watch of deposits into the treasury contract. */
export function createDepositWatch(options: DepositWatchOptions): DepositWatch {
  const treasury = { chainId: options.chain.id, address: options.treasury.toLowerCase() }
  const parts: DepositParts = {
    ...options,
    treasury,
    reader: createTreasuryReader(options.chain, treasury.address),
    fromBlock: options.fromBlock ?? 0n,
    recheckBlocks: options.recheckBlocks ?? 1_000n,
    blocksPerQuery: options.blocksPerQuery ?? 2_000n,
    blocksByHash: options.blocksByHash ?? 64n,
    rereadBlocks: options.rereadBlocks ?? 1_000n,
    log: options.log ?? NO_LOG,
  }
  return { poll: () => poll(parts) }
}

async function poll(parts: DepositParts): Promise<DepositReport> {
  const { db, chain, treasury, fromBlock } = parts
  const final = await chain.finalBlock()
  const report: DepositReport = { credited: 0, lost: 0, nextBlock: fromBlock }
  let cursor = await readCursor(db, treasury)
  if (cursor !== undefined) {
    report.nextBlock = cursor.nextBlock
    const canonical = await checkCursor(parts, cursor, final, report)
    if (canonical === undefined) return report
    cursor = canonical
    report.nextBlock = cursor.nextBlock
    await rereadBlocks(parts, cursor, report)
  }
  for (;;) {
    const next = cursor?.nextBlock ?? fromBlock
    report.nextBlock = next
    if (next > final.number) return report
    const moved = await readNext(parts, { next, cursor, final }, report)
    if (moved === undefined) return report
    cursor = moved
  }
}

/** Reads and credits the next blocks. Returns the cursor after them. Undefined if the node lacks the blocks. */
async function readNext(
  parts: DepositParts,
  { next, cursor, final }: { next: bigint; cursor: Cursor | undefined; final: FinalBlock },
  report: DepositReport,
): Promise<Cursor | undefined> {
  const { reader } = parts
  const lastInRange = final.number - parts.blocksByHash
  if (next <= lastInRange) {
    const last = smaller(next + parts.blocksPerQuery - 1n, lastInRange)
    const lastHash = await reader.blockHash(last)
    if (lastHash === undefined) return undefined
    const logs = await reader.readRange(next, last)
    return creditAndMove(parts, logs, { from: cursor, to: { nextBlock: last + 1n, lastHash } }, report)
  }
  const to = smaller(next + HASH_BATCH_SIZE - 1n, final.number)
  const blocks = await reader.readBlocks(next, to, cursor?.lastHash)
  const last = blocks.at(-1)
  if (last === undefined) return undefined
  const logs = {
    deposits: blocks.flatMap(({ deposits }) => deposits),
    withdrawals: blocks.flatMap(({ withdrawals }) => withdrawals),
  }
  const moved = { nextBlock: last.number + 1n, lastHash: last.hash }
  return creditAndMove(parts, logs, { from: cursor, to: moved }, report)
}

async function creditAndMove(
  parts: DepositParts,
  { deposits, withdrawals }: TreasuryLogs,
  { from, to }: { from: Cursor | undefined; to: Cursor },
  report: DepositReport,
): Promise<Cursor> {
  const credited = await creditNew(parts, deposits)
  await recordRead(parts.db, parts.treasury, { deposits: credited, withdrawals }, from, to)
  report.credited += credited.length
  return to
}

/** Reads the blocks before the cursor again: the node of an earlier range query may have lacked its last blocks. */
async function rereadBlocks(
  parts: DepositParts,
  { nextBlock }: Cursor,
  report: DepositReport,
): Promise<void> {
  const { db, treasury, reader, log, blocksPerQuery } = parts
  const last = nextBlock - 1n
  const first = larger(nextBlock - parts.rereadBlocks, parts.fromBlock)
  for (let from = first; from <= last; from += blocksPerQuery) {
    const to = smaller(from + blocksPerQuery - 1n, last)
    const { deposits, withdrawals } = await reader.readRange(from, to)
    const credited = await creditNew(parts, deposits)
    await recordLogs(db, treasury, { deposits: credited, withdrawals })
    report.credited += credited.length
    for (const { hash, blockNumber } of credited) {
      log.warn({ hash, blockNumber }, 'A deposit that an earlier read had missed was credited')
    }
  }
}

/** Credits deposits that were not credited yet, or were reversed since. */
async function creditNew(
  parts: DepositParts,
  deposits: readonly ObservedDeposit[],
): Promise<ObservedDeposit[]> {
  const { db, treasury, log } = parts
  const credited: ObservedDeposit[] = []
  for (const deposit of deposits) {
    const recorded = await findObservedDeposit(db, treasury, deposit)
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
