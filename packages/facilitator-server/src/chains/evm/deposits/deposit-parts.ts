import type { Chain, LogFilter, LogReader } from '@mintmark/evm-reader'
import type { Store } from '../../../database/store.ts'
import type { Deposit } from '../../../ledger/deposits/deposits.ts'
import type { ObservedDeposit, Treasury } from './deposit-store.ts'

/** Receives messages for operators. Compatible with pino. */
export interface DepositLog {
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface DepositWatchOptions {
  db: Store
  /** The chain of `TREASURY_CHAIN`. */
  chain: Chain
  /** The address of the treasury contract. */
  treasury: string
  /** The first block to read if none was read before: the treasury's own. Default 0. */
  fromBlock?: bigint
  /** Credits a final deposit. Called again for the same deposit after a crash, and must count it once. */
  credit(deposit: Deposit): Promise<unknown>
  /** Reverses a deposit that a reorganization deeper than finality removed. May be called twice. */
  reverse(deposit: Deposit): Promise<unknown>
  /** Most blocks of one log query. Fewer are requested when a node refuses. Default 2,000. */
  blocksPerQuery?: number
  /**
   * Time before the final block whose blocks are read one by one, by block hash, so that a lagging node
   * cannot return incomplete logs. Older blocks are read in ranges. Default 60.
   */
  recentSeconds?: number
  /**
   * How many blocks before the cursor each pass reads again, for logs that a lagging node omitted. Default
   * 1,000.
   */
  rereadBlocks?: bigint
  /**
   * The block from which each pass reads again if that is more than `rereadBlocks`. Default: the block of
   * `rereadBlocks`.
   */
  rereadFrom?: bigint
  /** Default: nothing is logged. */
  log?: DepositLog
}

/** What one pass did. */
export interface DepositReport {
  credited: number
  /** Reversed deposits. */
  lost: number
  /** The first block that was not read yet. */
  nextBlock: bigint
  /**
   * Whether all blocks up to the final one were read. False if the nodes' responses do not decide it, because
   * they lag or contradict each other. A later pass reads the rest.
   */
  complete: boolean
}

/** The options with defaults applied, and what the passes share. */
export type DepositParts = Required<
  Omit<DepositWatchOptions, 'treasury' | 'blocksPerQuery' | 'recentSeconds' | 'rereadFrom'>
> & {
  readonly rereadFrom: bigint | undefined
  readonly treasury: Treasury
  readonly filter: LogFilter
  readonly reader: LogReader
  /** Reads blocks that were read before, in ranges. */
  readonly rereader: LogReader
  /** Reads every block by its hash, before a deposit is reversed. */
  readonly strictReader: LogReader
}

export function withoutPosition({ position: _, lost: __, ...deposit }: ObservedDeposit): Deposit {
  return deposit
}
