import type { BlockHeader } from '@mintmark/evm-reader'
import type { Database, Logger } from '@mintmark/server-kit'
import type { Db, Tables } from '../database/tables.ts'
import { addTransfers, removeTransfersAfter } from './balances/balances-store.ts'
import { type BlockSource, findDeploymentBlock } from './blocks/block-source.ts'
import {
  advanceCursors,
  getStoredHashes,
  keepHashes,
  rewindCursors,
  storeHashes,
} from './blocks/blocks-store.ts'
import {
  type ChainProgress,
  type Cursor,
  claimChain,
  releaseChain,
  writeWithCursor,
} from './blocks/cursor-store.ts'
import { deferFailure, findContinuation, type ReadStep } from './blocks/read-ahead.ts'
import type { BlockRange } from './blocks/read-range.ts'
import { compareChain } from './blocks/reorganization.ts'
import { createReads, getFirstKept, type RunReads } from './blocks/run-reads.ts'
import { cancelUnbackedListings, updateSaleStatuses } from './collateral/collateral.ts'
import { listReactivatableAssets, listShortfalls, type Shortfall } from './collateral/collateral-store.ts'
import type { DomainOperations } from './domain-operations.ts'
import type { IndexerSettings } from './indexer-settings.ts'
import {
  deliver,
  listDeliverableOrders,
  listOrdersDeliveredAfter,
  revertDelivery,
} from './transfers/deliveries-store.ts'
import * as contracts from './transfers/indexed-contracts-store.ts'

/** Points at which a test ends the process. */
export type IndexerFaultPoint = 'claimed' | 'read' | 'writing' | 'written'

/** The dependencies of one chain's indexer. */
export interface ChainIndexer {
  readonly database: Database<Tables>
  readonly domains: DomainOperations
  readonly settings: IndexerSettings
  readonly log: Logger
  readonly source: BlockSource
  /** Identifies this process in the lease of a chain. */
  readonly holder: string
  readonly faultPoint: (point: IndexerFaultPoint) => void
  readonly isStopping: () => boolean
}

/**
 * Contracts that are caught up between two steps of the chain's cursor, so that new contracts do not delay
 * the others.
 */
const CATCH_UP_BATCH = 10

/**
 * New contracts that begin between two steps of the chain's cursor. The search of a contract's first block
 * takes some 25 requests.
 */
const NEW_CONTRACTS_BATCH = 5

/** Newly registered contracts whose assets are written between two steps of the chain's cursor. */
const INITIAL_ASSETS_BATCH = 50

/**
 * Reads a chain up to its head, unless another process has its lease.
 *
 * A cursor advances through the chain for all contracts together. A contract that was registered later is
 * read from its first block beside that, until it has reached the cursor. Each step reads the chain first and
 * then writes everything in one transaction: transfers, balances, the projects' assets, the statuses of
 * listings and auctions, and the cursors. The transaction checks the cursor's version (`writeWithCursor`), so
 * that a step is written once, even if a process dies or is slow.
 */
export async function indexChain(indexer: ChainIndexer): Promise<void> {
  const { database, source, settings, holder, faultPoint } = indexer
  const { chainId } = source
  const db = database.system
  if ((await contracts.listIndexedContracts(db, chainId)).length === 0) return
  const head = await source.getHead()
  const start = Math.max(0, head.number - settings.keptBlocks)
  const cursor = await claimChain(db, { chainId, holder, start, leaseSeconds: settings.leaseSeconds })
  if (cursor === undefined) return
  faultPoint('claimed')
  const progress: ChainProgress = { head: head.number, caughtUp: false }
  try {
    const hashes = await getStoredHashes(db, chainId)
    const current = await followReorganization(indexer, cursor, { head, hashes })
    if (current === undefined) return
    const storedHashes = current === cursor ? hashes : await getStoredHashes(db, chainId)
    using reads = createReads(indexer, storedHashes)
    await readToHead({ indexer, ...reads }, current, head, progress)
  } finally {
    await releaseChain(db, { chainId, holder }, progress)
  }
}

/** The state of one run. */
interface Run extends RunReads {
  readonly indexer: ChainIndexer
}

/**
 * Advances until the head is reached and every contract has caught up, or the process stops, and updates
 * `progress`. New contracts begin between the steps of the chain's cursor, a few at a time.
 */
async function readToHead(
  run: Run,
  start: Cursor,
  firstHead: BlockHeader,
  progress: ChainProgress,
): Promise<void> {
  const { indexer } = run
  let cursor = start
  let head = firstHead
  while (!indexer.isStopping()) {
    const nextHead = deferFailure(indexer.source.getHead())
    const begun = await beginNewContracts(indexer, cursor, head)
    const advanced = await advance(run, begun ?? cursor, head)
    progress.caughtUp = begun === undefined && advanced === undefined
    cursor = await applyConsequences(indexer, advanced ?? begun ?? cursor)
    if (progress.caughtUp) return
    head = await nextHead
    progress.head = head.number
  }
}

async function write(
  { database, settings, faultPoint }: ChainIndexer,
  cursor: Cursor,
  work: (trx: Db) => Promise<void>,
): Promise<Cursor> {
  const written = await writeWithCursor(database, cursor, settings.leaseSeconds, async (trx) => {
    await work(trx)
    faultPoint('writing')
  })
  faultPoint('written')
  return written.cursor
}

/**
 * Goes back to the last common block after a reorganization. Returns undefined when the node lags behind the
 * cursor.
 */
async function followReorganization(
  indexer: ChainIndexer,
  cursor: Cursor,
  { head, hashes }: { readonly head: BlockHeader; readonly hashes: ReadonlyMap<number, string> },
): Promise<Cursor | undefined> {
  const { source, log } = indexer
  const { chainId } = cursor
  const comparison = await compareChain(source, hashes, head)
  if (comparison.kind === 'same') return cursor
  if (comparison.kind === 'behind') {
    log.debug({ chain: chainId, head: head.number }, 'the node lags behind the indexed blocks')
    return undefined
  }
  const { ancestor, beyondStored } = comparison
  const details = { chain: chainId, from: ancestor + 1, read: cursor.next - 1 }
  if (beyondStored)
    log.error(details, 'a reorganization replaced all stored blocks: reading again from the final block')
  else log.warn(details, 'the chain was reorganized')
  return await write(indexer, cursor, (trx) => rewind(trx, indexer.domains, chainId, ancestor))
}

/** Reverts everything that was read after a block. */
async function rewind(trx: Db, domains: DomainOperations, chainId: string, block: number): Promise<void> {
  const orders = await listOrdersDeliveredAfter(trx, chainId, block)
  const changed = await removeTransfersAfter(trx, domains, chainId, block)
  await rewindCursors(trx, chainId, block)
  for (const order of orders) await revertDelivery(trx, domains, order)
  await updateSaleStatuses(trx, domains, changed)
}

/**
 * Finds the first blocks of a few new contracts, and writes the assets of projects that registered a contract
 * which is indexed already. Returns undefined when none is left.
 */
async function beginNewContracts(
  indexer: ChainIndexer,
  cursor: Cursor,
  head: BlockHeader,
): Promise<Cursor | undefined> {
  const { source, database, domains } = indexer
  const { chainId } = cursor
  const db = database.system
  const added = await contracts.listNewContracts(db, chainId, NEW_CONTRACTS_BATCH)
  if (added.length === 0 && !(await contracts.hasUnwrittenAssets(db, chainId))) return undefined
  const firstBlocks = await Promise.all(
    added.map(async (nftAddress) => ({
      nftAddress,
      block: await findDeploymentBlock(source, nftAddress, head.number),
    })),
  )
  return await write(indexer, cursor, async (trx) => {
    for (const { nftAddress, block } of firstBlocks)
      await contracts.setFirstBlock(trx, chainId, nftAddress, block)
    const limit = INITIAL_ASSETS_BATCH
    await updateSaleStatuses(
      trx,
      domains,
      await contracts.writeInitialAssets(trx, domains, { chainId, limit }),
    )
  })
}

/**
 * Advances the chain's cursor, and contracts that are behind it, by what was read of each. While that is
 * written, the next blocks are read. Returns undefined when nothing is left to read.
 */
async function advance(run: Run, start: Cursor, head: BlockHeader): Promise<Cursor | undefined> {
  const { ahead } = run
  const steps = await planSteps(run.indexer, start, head)
  const continuations: ReadStep[] = []
  let cursor = start
  ahead.prepare(steps)
  for (const [index, step] of steps.entries()) {
    const range = await ahead.take(step)
    const continuation = findContinuation(step, range)
    if (continuation !== undefined) continuations.push(continuation)
    ahead.prepare([...steps.slice(index + 1), ...continuations])
    cursor = await writeStep(run, cursor, step, range)
  }
  return cursor === start ? undefined : cursor
}

/** Plans one step of the chain's cursor, and one of each of the contracts behind it whose turn it is. */
async function planSteps(
  { database, source }: ChainIndexer,
  { chainId, next }: Cursor,
  head: BlockHeader,
): Promise<ReadStep[]> {
  const db = database.system
  const indexed = await contracts.listIndexedContracts(db, chainId)
  const steps: ReadStep[] = []
  if (next <= head.number) {
    const addresses = indexed.filter((each) => each.next === next).map(({ nftAddress }) => nftAddress)
    steps.push({ from: next, to: head.number, addresses, advancesChain: true, head })
  }
  const late = await contracts.listContractsBehind(db, source.chainId, { block: next, limit: CATCH_UP_BATCH })
  for (const [from, group] of Map.groupBy(late, (contract) => contract.next)) {
    const addresses = group.map(({ nftAddress }) => nftAddress).sort()
    steps.push({ from, to: next - 1, addresses, advancesChain: false, head })
  }
  return steps
}

async function writeStep(run: Run, cursor: Cursor, step: ReadStep, range: BlockRange): Promise<Cursor> {
  const { indexer, storedHashes } = run
  const { domains, settings, faultPoint } = indexer
  const { chainId } = cursor
  const { addresses, advancesChain } = step
  const keepFrom = getFirstKept(step.head, settings)
  faultPoint('read')
  const written = await write(indexer, cursor, async (trx) => {
    const changed = await addTransfers(trx, domains, chainId, range)
    const time = range.times.get(range.to)
    await advanceCursors(trx, chainId, { from: range.from, to: range.to, addresses, advancesChain, time })
    if (advancesChain) await storeHashes(trx, chainId, range.headers, keepFrom)
    await updateSaleStatuses(trx, domains, changed)
  })
  if (advancesChain) keepHashes(storedHashes, range.headers, keepFrom)
  return written
}

/**
 * Delivers orders, cancels listings that are no longer backed and reactivates others: what transfers cause
 * beyond their own step.
 */
async function applyConsequences(indexer: ChainIndexer, cursor: Cursor): Promise<Cursor> {
  const db = indexer.database.system
  const { chainId } = cursor
  const deliverable = await listDeliverableOrders(db, chainId)
  const reactivatable = await listReactivatableAssets(db, chainId)
  const shortfalls = await listFinalShortfalls(indexer)
  if (deliverable.length + reactivatable.length + shortfalls.length === 0) return cursor
  return await write(indexer, cursor, async (trx) => {
    for (const order of deliverable) await deliver(trx, indexer.domains, order)
    for (const shortfall of shortfalls) await cancelUnbackedListings(trx, indexer.domains, shortfall)
    await updateSaleStatuses(trx, indexer.domains, reactivatable)
  })
}

/** Lists the shortfalls that were caused by a final transfer. */
async function listFinalShortfalls({ database, source }: ChainIndexer): Promise<Shortfall[]> {
  const shortfalls = await listShortfalls(database.system, source.chainId)
  if (shortfalls.length === 0) return []
  const final = await source.getFinalBlock()
  return shortfalls.filter(({ block }) => block <= final)
}
