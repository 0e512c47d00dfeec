import type { Chain, FinalBlock } from '@mintmark/server-kit'
import type { Deposit } from '../../../ledger/deposits/deposits.ts'
import {
  type Cursor,
  findSeen,
  noteFound,
  noteRead,
  noteSeen,
  readCursor,
  rewind,
  type SeenDeposit,
  seenSince,
  type Treasury,
} from './deposit-store.ts'
import { findReceipt } from '../receipts.ts'
import type { Store } from '../transactions/transaction-store.ts'
import { createTreasuryReader } from './treasury-logs.ts'

/** Receives what an operator should know; structured like pino's. */
export interface DepositLog {
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface DepositWatchOptions {
  db: Store
  /** The chain of `TREASURY_CHAIN`. */
  chain: Chain
  /** The treasury contract's address. */
  treasury: string
  /** The first block to read when nothing was read before: the treasury's own. Default 0. */
  fromBlock?: bigint
  /** Credits a final deposit. Called again for the same deposit after a crash, and must count it once. */
  credit(deposit: Deposit): Promise<unknown>
  /** Reverses a deposit that a reorganisation deeper than finality removed. May be called twice. */
  lost(deposit: Deposit): Promise<unknown>
  /** How many blocks are checked again after such a reorganisation. Default 1,000. */
  recheckBlocks?: bigint
  /** The range of one log query. Default 2,000 blocks, which nodes commonly accept. */
  blocksPerQuery?: bigint
  /**
   * How many of the newest final blocks are read one by one, by block hash, which no lagging node can get wrong. Older
   * ones are read in ranges. Default 64.
   */
  blocksByHash?: bigint
  /** How many blocks behind the cursor each pass reads again, for logs that a lagging node left out. Default 1,000. */
  rereadBlocks?: bigint
  /** Default: nothing is logged. */
  log?: DepositLog
}

/** What one pass did. */
export interface DepositReport {
  credited: number
  lost: number
  /** The first block that was not read yet. */
  nextBlock: bigint
}

export interface DepositWatch {
  /**
   * Reads the treasury's deposits from where the last pass ended up to the chain's final block, and credits them. A job
   * calls it every few seconds; concurrent passes of several processes do no harm. A pass ends early at a block that
   * the node does not have yet.
   *
   * @throws what the chain, the database or `credit` threw; the next pass continues from there.
   */
  poll(): Promise<DepositReport>
}

const silent: DepositLog = { warn: () => {}, error: () => {} }

/** Blocks that are read by hash at the same time. */
const BLOCKS_AT_ONCE = 16n

/** Watches deposits into the treasury contract (x402.md, "Billing"). */
export function createDepositWatch(options: DepositWatchOptions): DepositWatch {
  const { db, chain, fromBlock = 0n, recheckBlocks = 1_000n, blocksPerQuery = 2_000n, log = silent } = options
  const { blocksByHash = 64n, rereadBlocks = 1_000n } = options
  const treasury: Treasury = { chainId: chain.id, address: options.treasury.toLowerCase() }
  const reader = createTreasuryReader(chain, treasury.address)

  async function poll(): Promise<DepositReport> {
    const final = await chain.finalBlock()
    const report: DepositReport = { credited: 0, lost: 0, nextBlock: fromBlock }
    let cursor = await readCursor(db, treasury)
    if (cursor !== undefined) {
      report.nextBlock = cursor.nextBlock
      const canonical = await checkCursor(cursor, final, report)
      if (canonical === undefined) return report
      cursor = canonical
      report.nextBlock = cursor.nextBlock
      await reread(cursor, report)
    }
    for (;;) {
      const next = cursor?.nextBlock ?? fromBlock
      report.nextBlock = next
      if (next > final.number) return report
      const done = await readNext(next, cursor, final, report)
      if (done === undefined) return report
      cursor = done
    }
  }

  /** Reads and credits the next blocks. Returns the cursor after them, undefined where the node does not have them. */
  async function readNext(
    next: bigint,
    cursor: Cursor | undefined,
    final: FinalBlock,
    report: DepositReport,
  ): Promise<Cursor | undefined> {
    const lastInRange = final.number - blocksByHash
    if (next <= lastInRange) {
      const last = smaller(next + blocksPerQuery - 1n, lastInRange)
      const lastHash = await reader.blockHash(last)
      if (lastHash === undefined) return undefined
      const logs = await reader.readRange(next, last)
      return finish(logs, cursor, { nextBlock: last + 1n, lastHash }, report)
    }
    const blocks = await reader.readBlocks(
      next,
      smaller(next + BLOCKS_AT_ONCE - 1n, final.number),
      cursor?.lastHash,
    )
    const last = blocks.at(-1)
    if (last === undefined) return undefined
    const found = {
      deposits: blocks.flatMap(({ deposits }) => deposits),
      withdrawals: blocks.flatMap(({ withdrawals }) => withdrawals),
    }
    return finish(found, cursor, { nextBlock: last.number + 1n, lastHash: last.hash }, report)
  }

  async function finish(
    { deposits, withdrawals }: Awaited<ReturnType<typeof reader.readRange>>,
    from: Cursor | undefined,
    to: Cursor,
    report: DepositReport,
  ): Promise<Cursor> {
    const credited = await creditNew(deposits)
    await noteRead(db, treasury, { deposits: credited, withdrawals }, from, to)
    report.credited += credited.length
    return to
  }

  /** Reads the blocks behind the cursor again: a range read earlier may have met a node that lacked its last blocks. */
  async function reread({ nextBlock }: Cursor, report: DepositReport): Promise<void> {
    const last = nextBlock - 1n
    const first = larger(nextBlock - rereadBlocks, fromBlock)
    for (let from = first; from <= last; from += blocksPerQuery) {
      const { deposits, withdrawals } = await reader.readRange(
        from,
        smaller(from + blocksPerQuery - 1n, last),
      )
      const credited = await creditNew(deposits)
      await noteFound(db, treasury, { deposits: credited, withdrawals })
      report.credited += credited.length
      for (const { hash, blockNumber } of credited) {
        log.warn({ hash, blockNumber }, 'A deposit that an earlier read had missed was credited')
      }
    }
  }

  /** Credits deposits that were not credited yet, or were reversed since. */
  async function creditNew(deposits: readonly SeenDeposit[]): Promise<SeenDeposit[]> {
    const credited: SeenDeposit[] = []
    for (const deposit of deposits) {
      const known = await findSeen(db, treasury, deposit)
      if (known && !known.lost) continue
      // Under the log index it was first credited with: a reorganisation may have given it another one.
      const named = known ? { ...deposit, logIndex: known.logIndex } : deposit
      await options.credit(withoutPosition(named))
      credited.push(named)
      if (known) log.warn({ hash: named.hash, payer: named.payer }, 'A reversed deposit was found again')
    }
    return credited
  }

  /**
   * Compares the block that was read last with the chain's. After a reorganisation deeper than finality, reverses the
   * deposits it removed and returns the cursor to continue from. Returns undefined while the node's answers leave it
   * open; then nothing is changed, and the next pass checks again.
   */
  async function checkCursor(
    cursor: Cursor,
    final: FinalBlock,
    report: DepositReport,
  ): Promise<Cursor | undefined> {
    const { nextBlock, lastHash } = cursor
    if (lastHash === undefined) return cursor
    const last = nextBlock - 1n
    if (last > final.number) return undefined
    const comparison = await reader.compareBlock(last, lastHash)
    if (comparison === 'same') return cursor
    if (comparison === 'unknown') return undefined
    log.warn({ chain: chain.id, block: last }, 'A final block was replaced. Credited deposits are checked')
    const first = larger(nextBlock - recheckBlocks, fromBlock)
    const replaced = await findReplaced(first, final)
    const lost = replaced && (await findLost(replaced, final))
    if (lost === undefined) return undefined
    for (const deposit of lost) {
      await options.lost(withoutPosition(deposit))
      await noteSeen(db, treasury, { ...deposit, lost: true })
      report.lost += 1
      const { hash, payer, amount } = deposit
      log.error(
        { hash, payer, amount: amount.toString() },
        'A reorganisation removed a credited deposit. It was reversed and its account frozen',
      )
    }
    const rewound = { nextBlock: first, lastHash: undefined }
    await rewind(db, treasury, cursor, rewound)
    return rewound
  }

  /** The credited deposits whose final block has another hash now; undefined while one of them cannot be compared. */
  async function findReplaced(since: bigint, final: FinalBlock): Promise<SeenDeposit[] | undefined> {
    const replaced: SeenDeposit[] = []
    for (const deposit of await seenSince(db, treasury, since)) {
      if (deposit.blockNumber > final.number) return undefined
      const comparison = await reader.compareBlock(deposit.blockNumber, deposit.blockHash)
      if (comparison === 'unknown') return undefined
      if (comparison === 'different') replaced.push(deposit)
    }
    return replaced
  }

  /**
   * Of the deposits whose block was replaced, those that the final chain does not contain. Records the others with
   * their new block. Returns undefined while that is open.
   */
  async function findLost(
    replaced: readonly SeenDeposit[],
    final: FinalBlock,
  ): Promise<SeenDeposit[] | undefined> {
    const [oldest] = replaced
    if (oldest === undefined) return []
    const canonical = await readAllByHash(oldest.blockNumber, final.number)
    if (canonical === undefined) return undefined
    const lost: SeenDeposit[] = []
    for (const deposit of replaced) {
      const moved = canonical.find((other) => isSameDeposit(other, deposit))
      if (moved !== undefined) {
        await noteSeen(db, treasury, { ...moved, logIndex: deposit.logIndex })
        continue
      }
      // Mined in a block that is not final yet: then it is not lost, and the next passes will find it.
      const receipt = await findReceipt(chain, deposit.hash)
      if (receipt?.status === 'success') return undefined
      lost.push(deposit)
    }
    return lost
  }

  async function readAllByHash(from: bigint, to: bigint): Promise<SeenDeposit[] | undefined> {
    const deposits: SeenDeposit[] = []
    let parentHash: string | undefined
    for (let next = from; next <= to; ) {
      const blocks = await reader.readBlocks(next, smaller(next + BLOCKS_AT_ONCE - 1n, to), parentHash)
      const last = blocks.at(-1)
      if (last === undefined) return undefined
      deposits.push(...blocks.flatMap((block) => block.deposits))
      parentHash = last.hash
      next = last.number + 1n
    }
    return deposits
  }

  return { poll }
}

const smaller = (left: bigint, right: bigint): bigint => (left < right ? left : right)
const larger = (left: bigint, right: bigint): bigint => (left > right ? left : right)

function isSameDeposit(left: SeenDeposit, right: SeenDeposit): boolean {
  const sameLog = left.hash === right.hash && left.position === right.position
  return sameLog && left.payer === right.payer && left.amount === right.amount
}

function withoutPosition({ position: _, lost: __, ...deposit }: SeenDeposit): Deposit {
  return deposit
}
