import { createHash } from 'node:crypto'
import type { Hex } from 'viem'
import {
  ChainState,
  type Execution,
  type SimulatedContracts,
  type SimulatedTransaction,
} from './chain-state.ts'

/** A transaction in a block. */
export interface MinedTransaction {
  readonly transaction: SimulatedTransaction
  readonly execution: Execution
}

export interface SimulatedBlock {
  readonly number: number
  readonly hash: Hex
  readonly parentHash: Hex
  /** Unix seconds. */
  readonly timestamp: number
  readonly baseFeePerGas: bigint
  readonly transactions: readonly MinedTransaction[]
  /** After the block. */
  readonly state: ChainState
}

/** The chain as one node has imported it. */
export interface ChainView {
  /** From the first block on. */
  readonly blocks: readonly SimulatedBlock[]
  /** The number of the newest final block. */
  readonly finalized: number
}

export interface SimulatedChainOptions {
  readonly id: number
  readonly contracts: SimulatedContracts
  /** Unix seconds of the first block. */
  readonly time: number
  /** A block is final when it has this many descendants. No reorganization replaces it. */
  readonly finalityDepth: number
  /** Whether the token reverts with a reason. Others revert without data. */
  readonly hasReasons: boolean
}

/** The number of the first block, so that numbers are places. */
const GENESIS = 0
export const GWEI = 1_000_000_000n
/** A replacement must offer a tenth more. */
const MIN_REPLACEMENT_PERCENT = 110n

/** A chain in this process: blocks, their states, and a pool of transactions. All nodes share the pool. */
export class SimulatedChain {
  readonly options: SimulatedChainOptions
  readonly #blocks: SimulatedBlock[]
  #pool: SimulatedTransaction[] = []
  #finalized = GENESIS
  #versions = 0
  #replaced: ChainView | undefined
  /** Hashes of transactions that a block contained at some time, also one that was replaced. */
  readonly everMined = new Set<string>()
  /** Those of them that succeeded at some time. */
  readonly everSucceeded = new Set<string>()
  /** Those whose block was replaced at some time. */
  readonly everReplaced = new Set<string>()
  baseFeePerGas = GWEI

  constructor(options: SimulatedChainOptions) {
    this.options = options
    const state = new ChainState(options.contracts)
    this.#blocks = [this.#build(GENESIS, toHash('genesis'), options.time, [], state)]
  }

  get head(): SimulatedBlock {
    return this.getBlock(GENESIS + this.#blocks.length - 1)
  }

  /** Transactions that wait to be mined. */
  get pool(): readonly SimulatedTransaction[] {
    return this.#pool
  }

  /** The mined transactions of the present chain. */
  get mined(): readonly MinedTransaction[] {
    return this.#blocks.flatMap(({ transactions }) => transactions)
  }

  getBlock(number: number): SimulatedBlock {
    const block = this.#blocks[number - GENESIS]
    if (block === undefined) throw new Error(`The simulated chain has no block ${number}`)
    return block
  }

  /** Returns what a node knows whose newest block has `lag` descendants on the present chain. */
  viewBehind(lag: number): ChainView {
    const blocks = this.#blocks.slice(0, Math.max(1, this.#blocks.length - lag))
    return { blocks, finalized: Math.min(this.#finalized, blocks.length - 1 + GENESIS) }
  }

  /**
   * Returns what a node knows that has not noticed the latest reorganization. Undefined if there was none.
   */
  viewReplaced(): ChainView | undefined {
    return this.#replaced
  }

  /** Returns the nonce after the pool's transactions. */
  getPendingNonce(from: string): number {
    let nonce = this.head.state.nonces.get(from) ?? 0
    while (this.#pool.some((each) => each.from === from && each.nonce === nonce)) nonce += 1
    return nonce
  }

  /** Changes the state of the head without a transaction, to prepare a simulation. */
  prepare(change: (state: ChainState) => void): void {
    change(this.head.state)
  }

  /** Adds a transaction to the pool. Returns why nodes refuse it, or undefined. */
  submit(transaction: SimulatedTransaction): string | undefined {
    const { from, nonce, hash, maxFeePerGas } = transaction
    if (nonce < (this.head.state.nonces.get(from) ?? 0)) return 'nonce too low'
    const other = this.#pool.find((each) => each.from === from && each.nonce === nonce)
    if (other?.hash === hash) return 'already known'
    if (other !== undefined && maxFeePerGas * 100n < other.maxFeePerGas * MIN_REPLACEMENT_PERCENT)
      return 'replacement transaction underpriced'
    this.#pool = [...this.#pool.filter((each) => each !== other), transaction]
    return undefined
  }

  /** Removes a transaction from all pools, as nodes do when their pools are full. */
  drop({ hash }: SimulatedTransaction): void {
    this.#pool = this.#pool.filter((each) => each.hash !== hash)
  }

  /** Mines a block with the transactions of the pool that can be mined and that `accepts` accepts. */
  mine(time: number, accepts: (transaction: SimulatedTransaction) => boolean = () => true): SimulatedBlock {
    const parent = this.head
    const state = parent.state.copy()
    const timestamp = Math.max(parent.timestamp + 1, time)
    const transactions: MinedTransaction[] = []
    const candidates = this.#pool.filter((each) => each.maxFeePerGas >= this.baseFeePerGas && accepts(each))
    for (;;) {
      const next = candidates.findIndex(({ from, nonce }) => nonce === (state.nonces.get(from) ?? 0))
      const [transaction] = next === -1 ? [] : candidates.splice(next, 1)
      if (transaction === undefined) break
      const execution = state.execute(transaction, BigInt(timestamp))
      transactions.push({ transaction, execution })
      this.everMined.add(transaction.hash)
      if (execution.succeeded) this.everSucceeded.add(transaction.hash)
    }
    const block = this.#build(parent.number + 1, parent.hash, timestamp, transactions, state)
    this.#blocks.push(block)
    this.#pool = this.#pool.filter(({ from, nonce }) => nonce >= (state.nonces.get(from) ?? 0))
    this.#finalized = Math.max(this.#finalized, block.number - this.options.finalityDepth)
    return block
  }

  /**
   * Removes the newest blocks, at most those that are not final. Their transactions return to the pool unless
   * `drops` them. The caller mines other blocks.
   *
   * @returns The number of removed blocks.
   */
  reorganize(depth: number, drops: (transaction: SimulatedTransaction) => boolean): number {
    const count = Math.min(depth, this.head.number - this.#finalized)
    if (count > 0) this.#replaced = { blocks: [...this.#blocks], finalized: this.#finalized }
    const removed = this.#blocks.splice(this.#blocks.length - count, count)
    const unmined = removed.flatMap(({ transactions }) => transactions.map(({ transaction }) => transaction))
    for (const { hash } of unmined) this.everReplaced.add(hash)
    const returned = unmined.filter((transaction) => !drops(transaction))
    const isReturned = ({ from, nonce }: SimulatedTransaction) =>
      returned.some((each) => each.from === from && each.nonce === nonce)
    this.#pool = [...returned, ...this.#pool.filter((each) => !isReturned(each))]
    return count
  }

  #build(
    number: number,
    parentHash: Hex,
    timestamp: number,
    transactions: readonly MinedTransaction[],
    state: ChainState,
  ): SimulatedBlock {
    this.#versions += 1
    const hash = toHash(`block ${number} ${this.#versions}`)
    return { number, hash, parentHash, timestamp, transactions, state, baseFeePerGas: this.baseFeePerGas }
  }
}

/** Returns 32 bytes that depend on the text only. */
export const toHash = (text: string): Hex => `0x${createHash('sha256').update(text).digest('hex')}`
