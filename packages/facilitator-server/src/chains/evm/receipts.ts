import { setTimeout as pause } from 'node:timers/promises'
import type { Chain } from '@mintmark/server-kit'
import { type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem'

export interface ReceiptWatch {
  /**
   * The receipt of whichever of the hashes is mined first. `hashes` is asked again now and then, since a replacement
   * has a hash of its own. undefined when the signal ends the wait.
   */
  wait(hashes: () => Promise<readonly string[]>, signal: AbortSignal): Promise<TransactionReceipt | undefined>
}

interface Waiter {
  hashes: ReadonlySet<string>
  refresh(): Promise<readonly string[]>
  found(receipt: TransactionReceipt): void
  fresh: boolean
}

const pollEvery = 200
/** Blocks are compared with the hashes waited for; from time to time the receipts are asked for themselves as well. */
const askAllEvery = 3_000
const blocksAtOnce = 20n

/** The receipt, undefined while there is none. */
export async function findReceipt(chain: Chain, hash: string): Promise<TransactionReceipt | undefined> {
  try {
    return await chain.client.getTransactionReceipt({ hash: `0x${hash.slice(2)}` })
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return undefined
    throw error
  }
}

/**
 * Waits for receipts on one chain: one poll for all who wait, one request a block, and a request more for each
 * transaction found in it. It runs only while somebody waits.
 *
 * @param report Told when the chain could not be asked; the wait goes on.
 */
export function createReceiptWatch(chain: Chain, report: (error: unknown) => void): ReceiptWatch {
  const waiters = new Set<Waiter>()
  let running = false
  let seen: bigint | undefined
  let askedAll = 0

  async function ask(waiter: Waiter, hashes: Iterable<string>): Promise<void> {
    for (const hash of hashes) {
      const receipt = await findReceipt(chain, hash)
      if (receipt) return waiter.found(receipt)
    }
  }

  async function askEverybody(): Promise<void> {
    askedAll = performance.now()
    await Promise.all(
      [...waiters].map(async (waiter) => {
        waiter.hashes = new Set(await waiter.refresh())
        await ask(waiter, waiter.hashes)
      }),
    )
  }

  async function readBlocks(from: bigint, to: bigint): Promise<void> {
    for (let number = from; number <= to; number += 1n) {
      const block = await chain.client.getBlock({ blockNumber: number })
      const mined = new Set<string>(block.transactions)
      const hits = [...waiters].flatMap((waiter) => {
        const hash = [...waiter.hashes].find((one) => mined.has(one))
        return hash ? [ask(waiter, [hash])] : []
      })
      await Promise.all(hits)
    }
  }

  async function poll(): Promise<void> {
    const head = await chain.client.getBlockNumber()
    const from = seen === undefined ? head : seen + 1n
    if (head - from > blocksAtOnce) await askEverybody()
    else await readBlocks(from, head)
    // A reorganisation can bring the head back; the blocks that follow are read again then.
    seen = head
    const fresh = [...waiters].filter((waiter) => waiter.fresh)
    for (const waiter of fresh) waiter.fresh = false
    await Promise.all(fresh.map((waiter) => ask(waiter, waiter.hashes)))
    if (performance.now() - askedAll > askAllEvery) await askEverybody()
  }

  async function run(): Promise<void> {
    running = true
    askedAll = performance.now()
    while (waiters.size > 0) {
      try {
        await poll()
      } catch (error) {
        report(error)
      }
      if (waiters.size > 0) await pause(pollEvery)
    }
    running = false
    seen = undefined
  }

  return {
    async wait(hashes, signal) {
      const first = new Set(await hashes())
      if (signal.aborted) return undefined
      return new Promise((resolve) => {
        const end = (receipt: TransactionReceipt | undefined) => {
          waiters.delete(waiter)
          signal.removeEventListener('abort', abort)
          resolve(receipt)
        }
        const abort = () => end(undefined)
        const waiter: Waiter = { hashes: first, refresh: hashes, found: end, fresh: true }
        waiters.add(waiter)
        signal.addEventListener('abort', abort)
        if (!running) void run()
      })
    },
  }
}
