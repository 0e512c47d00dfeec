import { randomUUID } from 'node:crypto'
import {
  BlockUnreadableError,
  ChainChangedError,
  type Chains,
  describeChainError,
} from '@mintmark/evm-reader'
import type { Database, Logger } from '@mintmark/server-kit'
import { BaseError } from 'viem'
import type { Tables } from '../database/tables.ts'
import { createBlockSource } from './blocks/block-source.ts'
import { ChainLeaseLostError } from './blocks/cursor-store.ts'
import type { DomainOperations } from './domain-operations.ts'
import { type ChainIndexer, type IndexerFaultPoint, indexChain } from './index-chain.ts'
import type { IndexerSettings } from './indexer-settings.ts'

export interface IndexerOptions {
  /**
   * Connections of the schema's owner: a transfer concerns every project that has registered the contract.
   */
  readonly database: Database<Tables>
  readonly chains: Chains
  readonly domains: DomainOperations
  readonly settings: IndexerSettings
  readonly log: Logger
  readonly faultPoint?: (point: IndexerFaultPoint) => void
}

/** Reads the transfers of indexed contracts. */
export interface Indexer {
  /**
   * Reads all chains up to their heads. Any number of processes may call this concurrently: one of them reads
   * each chain.
   */
  run(): Promise<void>
  /** Ends a run after its present step. */
  stop(): void
  /** The block of each chain, by chain id, that no node returns and at which reading stopped. */
  unreadableBlocks(): ReadonlyMap<string, number>
}

export function createIndexer({
  database,
  chains,
  domains,
  settings,
  log,
  faultPoint = () => {},
}: IndexerOptions): Indexer {
  const holder = randomUUID()
  const unreadableBlocks = new Map<string, number>()
  let isStopping = false
  const indexers = chains.all.map(
    (chain): ChainIndexer => ({
      database,
      domains,
      settings,
      log,
      holder,
      faultPoint,
      source: createBlockSource(chain, settings.rangeBlocks),
      isStopping: () => isStopping,
    }),
  )
  return {
    async run() {
      await Promise.all(indexers.map((indexer) => runReporting(indexer, unreadableBlocks)))
    },
    stop() {
      isStopping = true
    },
    unreadableBlocks: () => unreadableBlocks,
  }
}

/** Runs one chain's indexer. Logs errors: the next run repeats what failed. */
async function runReporting(indexer: ChainIndexer, unreadableBlocks: Map<string, number>): Promise<void> {
  const chain = indexer.source.chainId
  try {
    await indexChain(indexer)
    unreadableBlocks.delete(chain)
  } catch (error) {
    if (error instanceof BlockUnreadableError) unreadableBlocks.set(chain, error.block)
    logError(indexer.log, chain, error)
  }
}

function logError(log: Logger, chain: string, error: unknown): void {
  if (error instanceof BlockUnreadableError)
    log.error(
      { chain, block: error.block, reason: error.message },
      'A block cannot be read. Add a node to CHAINS',
    )
  else if (error instanceof ChainLeaseLostError || error instanceof ChainChangedError)
    log.debug({ chain, reason: error.message }, 'a step was not written')
  else if (error instanceof BaseError)
    log.warn({ chain, reason: describeChainError(error) }, 'the transfers of a chain cannot be read')
  else log.error({ chain, err: error }, 'the transfers of a chain could not be processed')
}
