import { setTimeout as pause } from 'node:timers/promises'
import { type Chain, compareBlock } from '@mintmark/evm-reader'
import { type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem'

export interface ReceiptWatch {
  /**
   * Waits for the receipt of whichever of the hashes is mined first. `listHashes` is called again regularly,
   * because a replacement has another hash. Returns undefined if the signal ends the wait.
   */
  wait(
    listHashes: () => Promise<readonly string[]>,
    signal: AbortSignal,
  ): Promise<TransactionReceipt | undefined>
}

interface Waiter {
  hashes: ReadonlySet<string>
  listHashes(): Promise<readonly string[]>
  resolve(receipt: TransactionReceipt): void
  /** Whether the receipts of the hashes were not requested yet. */
  isNew: boolean
}

const POLL_INTERVAL_MS = 200
/**
 * Polls compare the hashes with the transactions of new blocks. The receipts themselves are requested at this
 * interval.
 */
const RECEIPT_INTERVAL_MS = 3_000
/** After more new blocks than this, the receipts are requested instead of the blocks. */
const MAX_BLOCKS_PER_POLL = 20n

/**
 * Reads the receipt of a transaction that is in a block of the chain. Undefined if the transaction is not
 * mined, or if the chain has another block at that number or the node lacks it: the receipt is then from a
 * block that was replaced, and a later read decides.
 */
export async function findReceipt(chain: Chain, hash: string): Promise<TransactionReceipt | undefined> {
  const receipt = await readUnproven(chain, hash)
  if (receipt === undefined) return undefined
  const { blockNumber: number, blockHash } = receipt
  return (await compareBlock(chain, { number, hash: blockHash })) === 'same' ? receipt : undefined
}

/** Reads a receipt without its block. Undefined if the node has none. */
async function readUnproven(chain: Chain, hash: string): Promise<TransactionReceipt | undefined> {
  try {
    return await chain.client.getTransactionReceipt({ hash: `0x${hash.slice(2)}` })
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return undefined
    throw error
  }
}

/**
 * Creates the watch of one chain's receipts: one poll for all waiters, one request per block, and one more
 * per transaction found in it. It runs only while a settle waits.
 *
 * @param report Receives errors of the chain. The wait continues.
 */
export function createReceiptWatch(chain: Chain, report: (error: unknown) => void): ReceiptWatch {
  const watch = new ReceiptPoll(chain, report)
  return { wait: (listHashes, signal) => watch.wait(listHashes, signal) }
}

class ReceiptPoll {
  readonly #chain: Chain
  readonly #report: (error: unknown) => void
  readonly #waiters = new Set<Waiter>()
  #isRunning = false
  #lastBlock: bigint | undefined
  #receiptsRequestedAt = 0

  constructor(chain: Chain, report: (error: unknown) => void) {
    this.#chain = chain
    this.#report = report
  }

  async wait(
    listHashes: () => Promise<readonly string[]>,
    signal: AbortSignal,
  ): Promise<TransactionReceipt | undefined> {
    const hashes = new Set(await listHashes())
    if (signal.aborted) return undefined
    return new Promise((resolve) => {
      const end = (receipt: TransactionReceipt | undefined) => {
        this.#waiters.delete(waiter)
        signal.removeEventListener('abort', abort)
        resolve(receipt)
      }
      const abort = () => end(undefined)
      const waiter: Waiter = { hashes, listHashes, resolve: end, isNew: true }
      this.#waiters.add(waiter)
      signal.addEventListener('abort', abort)
      if (!this.#isRunning) void this.#run()
    })
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    this.#receiptsRequestedAt = performance.now()
    while (this.#waiters.size > 0) {
      try {
        await this.#poll()
      } catch (error) {
        this.#report(error)
      }
      if (this.#waiters.size > 0) await pause(POLL_INTERVAL_MS)
    }
    this.#isRunning = false
    this.#lastBlock = undefined
  }

  async #poll(): Promise<void> {
    const head = await this.#chain.newestBlock()
    const from = this.#lastBlock === undefined ? head : this.#lastBlock + 1n
    if (head - from > MAX_BLOCKS_PER_POLL) await this.#requestAllReceipts()
    else await this.#readBlocks(from, head)
    // A reorganization can lower the head. The blocks after it are read again.
    this.#lastBlock = head
    const added = [...this.#waiters].filter((waiter) => waiter.isNew)
    for (const waiter of added) waiter.isNew = false
    await Promise.all(added.map((waiter) => this.#requestReceipts(waiter, waiter.hashes)))
    if (performance.now() - this.#receiptsRequestedAt > RECEIPT_INTERVAL_MS) await this.#requestAllReceipts()
  }

  async #readBlocks(from: bigint, to: bigint): Promise<void> {
    for (let number = from; number <= to; number += 1n) {
      const block = await this.#chain.client.getBlock({ blockNumber: number })
      const mined = new Set<string>(block.transactions)
      const requests = [...this.#waiters].flatMap((waiter) => {
        const hash = [...waiter.hashes].find((each) => mined.has(each))
        return hash ? [this.#requestMined(waiter, hash, block.hash)] : []
      })
      await Promise.all(requests)
    }
  }

  /** Requests the receipt of a transaction that was read in this block. */
  async #requestMined(waiter: Waiter, hash: string, blockHash: string): Promise<void> {
    const receipt = await readUnproven(this.#chain, hash)
    if (receipt?.blockHash === blockHash) waiter.resolve(receipt)
  }

  async #requestAllReceipts(): Promise<void> {
    this.#receiptsRequestedAt = performance.now()
    await Promise.all(
      [...this.#waiters].map(async (waiter) => {
        waiter.hashes = new Set(await waiter.listHashes())
        await this.#requestReceipts(waiter, waiter.hashes)
      }),
    )
  }

  async #requestReceipts(waiter: Waiter, hashes: Iterable<string>): Promise<void> {
    for (const hash of hashes) {
      const receipt = await findReceipt(this.#chain, hash)
      if (receipt) return waiter.resolve(receipt)
    }
  }
}
