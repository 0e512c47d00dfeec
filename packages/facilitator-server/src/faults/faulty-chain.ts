import { setTimeout as pause } from 'node:timers/promises'
import type { AnvilClient } from '@mintmark/devkit/chain/chain'
import { markForkPoint } from '@mintmark/devkit/chain/reorganize'
import type { Random } from '@mintmark/devkit/random'
import { createFaults, type FaultRates, type FaultyNode, startFaultyNode } from '@mintmark/devkit/testing'
import type { Address, Hash } from 'viem'

/**
 * The share of the requests that meet each fault between the facilitators and the chain. With `lag`, one of
 * several nodes behind a load balancer responds, one, two or five blocks behind the head. A range of logs may
 * be refused because of its size, a call of a contract may revert without data.
 */
const FAULT_RATES: FaultRates = {
  lag: 0.15,
  delay: 0.05,
  dropRequest: 0.02,
  dropResponse: 0.03,
  truncate: 0.02,
  rateLimit: 0.01,
  rateLimitError: 0.01,
  capRange: 0.05,
  revert: 0.01,
}

/** The share of the rounds in which the chain replaces its newest blocks. */
export const REORGANIZATION_RATE = 0.1

/** The node of one fixture. Its faults depend on the seed. */
export async function startNode(
  rpcUrl: string,
  seed: number,
  stops: AsyncDisposableStack,
): Promise<FaultyNode> {
  const node = await startFaultyNode(rpcUrl)
  stops.defer(() => node.close())
  node.faults = createFaults({ seed, rates: FAULT_RATES })
  return node
}

/** Replaces the newest blocks of a chain that all fixtures use, one reorganization at a time. */
export interface Reorganizer {
  /**
   * Mines up to three blocks with the next transactions, shows them for a while, and replaces them. Returns
   * false if it did not: another reorganization is in progress, or there was no transaction before the signal
   * was aborted.
   */
  replaceNext(random: Random, signal: AbortSignal): Promise<boolean>
  /** The transactions of replaced blocks. */
  readonly replaced: ReadonlySet<string>
  /**
   * Sends a transaction whose nonce the node chooses. It waits while blocks are replaced, because it would
   * take the nonce of a removed one.
   */
  send<Result>(execute: () => Promise<Result>): Promise<Result>
}

/** Less than the setting FINALITY of the facilitators: a final block must not be replaced. */
const MAX_DEPTH = 3
const POLL_MS = 10
/** The longest time for which a block is part of the chain before it is replaced. */
const MAX_BLOCK_LIFE_MS = 300

/**
 * Creates the reorganizer of a chain.
 *
 * @param dropped The senders whose transactions the nodes forget with a block, each with a probability of a
 * half: the facilitators broadcast them again. Other senders do not, so that their transactions are in the
 * new blocks.
 */
export function createReorganizer(client: AnvilClient, dropped: ReadonlySet<Address>): Reorganizer {
  let isBusy = false
  const replaced = new Set<string>()
  const sends = new Set<Promise<unknown>>()
  let replacement: Promise<void> | undefined
  /** Replaces blocks while nothing is sent. */
  async function replaceAlone(replace: () => Promise<void>): Promise<void> {
    const running = Promise.allSettled([...sends]).then(replace)
    replacement = running.catch(() => {})
    await running.finally(() => {
      replacement = undefined
    })
  }
  return {
    replaced,
    async send(execute) {
      while (replacement !== undefined) await replacement
      const sending = execute()
      sends.add(sending)
      return sending.finally(() => sends.delete(sending))
    },
    async replaceNext(random, signal) {
      if (isBusy) return false
      isBusy = true
      // Blocks are mined here only, so that none becomes final that is replaced.
      await client.setAutomine(false)
      try {
        return await replaceNextBlocks(client, { dropped, replaced, random, signal, replaceAlone })
      } finally {
        await client.setAutomine(true)
        // Transactions that arrived meanwhile are mined.
        await client.mine({ blocks: 1 })
        isBusy = false
      }
    },
  }
}

async function replaceNextBlocks(
  client: AnvilClient,
  {
    dropped,
    replaced,
    random,
    signal,
    replaceAlone,
  }: {
    dropped: ReadonlySet<Address>
    replaced: Set<string>
    random: Random
    signal: AbortSignal
    replaceAlone: (replace: () => Promise<void>) => Promise<void>
  },
): Promise<boolean> {
  const forkPoint = await markForkPoint(client)
  const keep: Hash[] = []
  const depth = 1 + random.integer(MAX_DEPTH)
  let removed = 0
  while (removed < depth && (await waitForTransaction(client, signal))) {
    await client.mine({ blocks: 1 })
    removed += 1
    const { transactions } = await client.getBlock({ includeTransactions: true })
    for (const { hash, from } of transactions) {
      replaced.add(hash)
      const isForgotten = random.chance(0.5)
      if (!dropped.has(from) || !isForgotten) keep.push(hash)
    }
    await pause(random.integer(MAX_BLOCK_LIFE_MS))
  }
  if (removed === 0) return false
  await replaceAlone(() => forkPoint.replaceBlocks(removed + keep.length + 2, keep))
  return true
}

/** Waits until the node's pool has a transaction. Returns false if the signal was aborted before. */
async function waitForTransaction(client: AnvilClient, signal: AbortSignal): Promise<boolean> {
  for (;;) {
    const { pending } = await client.getTxpoolStatus()
    if (pending > 0) return true
    if (signal.aborted) return false
    await pause(POLL_MS)
  }
}
