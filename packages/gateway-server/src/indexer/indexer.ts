import { randomUUID } from 'node:crypto'
import { type Chains, type Database, describeChainError, type Logger } from '@mintmark/server-kit'
import { BaseError } from 'viem'
import type { Db } from '../context.ts'
import type { Tables } from '../tables.ts'
import { addSpan, keepBlocks, passSpan } from './balances/balances-store.ts'
import { BlockUnreadableError } from './blocks/block-logs.ts'
import {
  ChainMoved,
  type ChainReader,
  chainReader,
  type Header,
  startOfContract,
} from './blocks/block-source.ts'
import { ChainTaken, type Cursor, claim, keptBlocks, release, writing } from './blocks/cursor-store.ts'
import { endOfSpan, type RangeSize, rangeSize } from './blocks/read-range.ts'
import { rewind, standingOf } from './blocks/reorganization.ts'
import { endLost, tendPromises } from './collateral/collateral.ts'
import { assetsWithRoom, lostTokens } from './collateral/collateral-store.ts'
import type { IndexerSettings } from './indexer-settings.ts'
import * as deliveries from './transfers/deliveries-store.ts'
import * as contracts from './transfers/indexed-contracts-store.ts'

/** Where the process may end. */
export type IndexerFaultPoint = 'claimed' | 'read' | 'writing' | 'written'

export interface IndexerOptions {
  /** As the schema's owner: what a chain says concerns every project that has registered the contract. */
  readonly database: Database<Tables>
  readonly chains: Chains
  readonly settings: IndexerSettings
  readonly log: Logger
  readonly faultPoint?: (at: IndexerFaultPoint) => void
}

export interface Indexer {
  /** Reads all chains up to their newest blocks. Any number of processes may do so at once: each chain is read by one of them. */
  run(): Promise<void>
  /** Ends a run that is under way after the step that it is at. */
  stop(): void
  /** The block of each chain whose logs no request returns, by chain; the reading of such a chain does not continue. */
  unreadableBlocks(): ReadonlyMap<string, number>
}

/** Contracts that are caught up with the chain in one turn, between which the chain's own reading goes on. */
const CAUGHT_UP_AT_ONCE = 10

/**
 * Reads the transfers of indexed contracts.
 *
 * A chain is read from its cursor on, for all contracts together; a contract that was registered later is caught up beside that from its own
 * start, until it has come to the cursor. Each step is read outside of transactions and written in one: transfers, balances, the projects'
 * assets, what follows for listings and auctions, and how far it was read. Whoever writes must know the write before (`writing`), so that a step
 * is written once, whatever dies or is slow.
 */
export function createIndexer({
  database,
  chains,
  settings,
  log,
  faultPoint = () => {},
}: IndexerOptions): Indexer {
  const holder = randomUUID()
  const db = database.system
  const { leaseSeconds, keptBlocks: kept } = settings
  let stopping = false

  async function write<Result>(cursor: Cursor, work: (trx: Db) => Promise<Result>) {
    const written = await writing(database, cursor, leaseSeconds, async (trx) => {
      const result = await work(trx)
      faultPoint('writing')
      return result
    })
    faultPoint('written')
    return written
  }

  /** Goes back to where what was read and the chain part; undefined where the node is behind. */
  async function follow(reader: ChainReader, cursor: Cursor, head: Header): Promise<Cursor | undefined> {
    const { chainId } = cursor
    const standing = await standingOf(reader, await keptBlocks(db, chainId), head)
    if (standing.kind === 'same') return cursor
    if (standing.kind === 'behind') {
      log.debug({ chain: chainId, head: head.number }, 'the node is behind what was read')
      return undefined
    }
    const { ancestor, beyondKept } = standing
    const about = { chain: chainId, from: ancestor + 1, read: cursor.next - 1 }
    if (beyondKept)
      log.error(about, 'a reorganisation reaches beyond the blocks kept: read again from what is final')
    else log.warn(about, 'the chain was reorganised')
    return (await write(cursor, (trx) => rewind(trx, chainId, ancestor))).cursor
  }

  /** Finds the starts of new contracts, and gives projects the assets of what is read already. */
  async function welcome(reader: ChainReader, cursor: Cursor, head: Header): Promise<Cursor> {
    const { chainId } = cursor
    const added = (await contracts.registered(db, chainId)).filter(({ next }) => next === null)
    if (added.length === 0 && !(await contracts.hasNew(db, chainId))) return cursor
    const starts: { nftAddress: string; start: number | undefined }[] = []
    for (const { nftAddress } of added) {
      starts.push({ nftAddress, start: await startOfContract(reader, nftAddress, head.number) })
    }
    const { cursor: after } = await write(cursor, async (trx) => {
      for (const { nftAddress, start } of starts) await contracts.begin(trx, chainId, nftAddress, start)
      await tendPromises(trx, await contracts.writeAssetsOfNew(trx, chainId))
    })
    return after
  }

  async function step(
    reader: ChainReader,
    range: RangeSize,
    cursor: Cursor,
    what: { from: number; to: number; addresses: readonly string[]; live: boolean; head: number },
  ): Promise<Cursor> {
    const { chainId } = cursor
    const { addresses, live } = what
    const keepFrom = Math.max(0, what.head - kept + 1)
    const known = await keptBlocks(db, chainId)
    const asked = { from: what.from, to: what.to, addresses, known }
    const span = await range.read(reader, { ...asked, keepFrom: live ? keepFrom : Number.POSITIVE_INFINITY })
    faultPoint('read')
    const written = await write(cursor, async (trx) => {
      const changed = await addSpan(trx, chainId, span)
      await passSpan(trx, chainId, span, { addresses, live, time: span.times.get(span.to) })
      if (live) await keepBlocks(trx, chainId, span.headers, keepFrom)
      await tendPromises(trx, changed)
    })
    return written.cursor
  }

  /** Everything that is one step away: the chain's own reading, and contracts that are behind it. Undefined when nothing is. */
  async function advance(
    reader: ChainReader,
    range: RangeSize,
    cursor: Cursor,
    head: number,
  ): Promise<Cursor | undefined> {
    const all = await contracts.registered(db, cursor.chainId)
    const most = settings.rangeBlocks
    let at = cursor
    if (at.next <= head) {
      const addresses = all.filter(({ next }) => next === at.next).map(({ nftAddress }) => nftAddress)
      const to = endOfSpan(at.next, { last: head, most, head })
      at = await step(reader, range, at, { from: at.next, to, addresses, live: true, head })
    }
    const behind = all.filter(({ next }) => next !== null && next < cursor.next).slice(0, CAUGHT_UP_AT_ONCE)
    for (const { nftAddress, next } of behind) {
      // Filtered above.
      const from = next ?? 0
      const to = endOfSpan(from, { last: cursor.next - 1, most, head })
      at = await step(reader, range, at, { from, to, addresses: [nftAddress], live: false, head })
    }
    return at === cursor ? undefined : at
  }

  /** What owners have promised and cannot keep, by a transfer that stays. */
  async function lost(reader: ChainReader) {
    const found = await lostTokens(db, reader.chainId)
    if (found.length === 0) return []
    const final = await reader.final()
    return found.filter(({ block }) => block <= final)
  }

  /** What follows from transfers for orders, listings and auctions beyond the step that read them. */
  async function settle(reader: ChainReader, cursor: Cursor): Promise<Cursor> {
    const { chainId } = cursor
    const delivered = await deliveries.delivered(db, chainId)
    const roomy = await assetsWithRoom(db, chainId)
    const ended = await lost(reader)
    if (delivered.length + roomy.length + ended.length === 0) return cursor
    const written = await write(cursor, async (trx) => {
      for (const order of delivered) await deliveries.deliver(trx, order)
      for (const token of ended) await endLost(trx, token)
      await tendPromises(trx, roomy)
    })
    return written.cursor
  }

  async function readChain(reader: ChainReader, range: RangeSize): Promise<void> {
    const { chainId } = reader
    if ((await contracts.registered(db, chainId)).length === 0) return
    let head = await reader.head()
    const start = Math.max(0, head.number - kept)
    let cursor = await claim(db, { chainId, holder, start, leaseSeconds })
    if (cursor === undefined) return
    faultPoint('claimed')
    let caughtUp = false
    try {
      cursor = await follow(reader, cursor, head)
      if (cursor === undefined) return
      cursor = await welcome(reader, cursor, head)
      while (!stopping) {
        const advanced = await advance(reader, range, cursor, head.number)
        if (advanced === undefined) {
          caughtUp = true
          break
        }
        cursor = await settle(reader, advanced)
        head = await reader.head()
      }
      if (caughtUp) cursor = await settle(reader, cursor)
    } finally {
      await release(db, { chainId, holder }, { head: head.number, caughtUp })
    }
  }

  const readers = chains.all.map((chain) => ({
    reader: chainReader(chain),
    range: rangeSize(settings.rangeBlocks),
  }))

  const unreadable = new Map<string, number>()

  async function tend(reader: ChainReader, range: RangeSize): Promise<void> {
    const about = { chain: reader.chainId }
    try {
      await readChain(reader, range)
      unreadable.delete(reader.chainId)
    } catch (error) {
      if (error instanceof BlockUnreadableError) {
        unreadable.set(reader.chainId, error.block)
        const reason = error.message
        log.error({ ...about, block: error.block, reason }, 'A block cannot be read. Add a node to CHAINS')
        return
      }
      // Either is found out and mended by the next run.
      if (error instanceof ChainTaken || error instanceof ChainMoved)
        log.debug({ ...about, reason: error.message }, 'a step was not written')
      else if (error instanceof BaseError)
        log.warn(
          { ...about, reason: describeChainError(error) },
          'the transfers of a chain could not be read',
        )
      else log.error({ ...about, err: error }, 'the transfers of a chain could not be read')
    }
  }

  return {
    async run() {
      await Promise.all(readers.map(({ reader, range }) => tend(reader, range)))
    },
    stop() {
      stopping = true
    },
    unreadableBlocks: () => unreadable,
  }
}
