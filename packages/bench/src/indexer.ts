import { devChainId } from '@mintmark/devkit/chain/chain'
import { type Chain, openChains } from '@mintmark/evm-reader'
import { createLog, type Database, migrate, openDatabase, transaction } from '@mintmark/server-kit'
import { sql } from 'kysely'
import type { Tables } from '../../gateway-server/src/database/tables.ts'
import { addTransfers } from '../../gateway-server/src/indexer/balances/balances-store.ts'
import { createBlockSource } from '../../gateway-server/src/indexer/blocks/block-source.ts'
import { type BlockRange, readRange } from '../../gateway-server/src/indexer/blocks/read-range.ts'
import { createIndexer } from '../../gateway-server/src/indexer/indexer.ts'
import { DEFAULT_INDEXER_SETTINGS as settings } from '../../gateway-server/src/indexer/indexer-settings.ts'
import { domainOperations } from '../../gateway-server/src/main/composition.ts'
import { gatewaySchema } from '../../gateway-server/src/main/server.ts'
import { type Figure, type Row, summarize, toFigure } from './figures.ts'
import { startChildServer, startDatabase } from './processes.ts'
import { type ChainSize, EDITION, TOKEN } from './replayed-chain.ts'
import type { NodeOptions } from './replayed-node.ts'
import type { Measurement, MeasureOptions, Section } from './section.ts'
import { timed } from './statistics.ts'

const FINALITY = { depth: 12 }
/** How far away the nodes are. */
export const DELAYS_MS = [0, 50]
const PER_BLOCK = 21

export interface Case extends ChainSize {
  readonly name: string
  readonly kind: 'dense' | 'sparse'
}

/** About half of the blocks have transfers, many of them. */
export const createDense = (transfers: number): Case => ({
  name: `dense, ${transfers} transfers`,
  kind: 'dense',
  transfers,
  blocks: Math.ceil(transfers / 10.75),
  perBlock: PER_BLOCK,
})

/** Nearly every block has one transfer. */
export const createSparse = (transfers: number): Case => ({
  name: `sparse, ${transfers} transfers`,
  kind: 'sparse',
  transfers,
  blocks: transfers,
  perBlock: 1,
})

const FULL: readonly Case[] = [...[1_000, 10_000, 100_000].map(createDense), createSparse(8_000)]
const QUICK: readonly Case[] = [createDense(10_000), createSparse(2_000)]

/** The aims of the largest dense chain, in transfers per second by the node's delay. */
const AIMS: ReadonlyMap<number, number> = new Map([
  [0, 50_000],
  [50, 20_000],
])

/** Registers the contracts of replayed chains with a new project. */
export async function registerContracts({ system }: Database<Tables>): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    insert into gateway.projects (name) values ('bench') returning id`.execute(system)
  const contracts = [
    { nft_type: 'ERC721', nft_address: TOKEN },
    { nft_type: 'ERC1155', nft_address: EDITION },
  ]
  for (const contract of contracts) {
    await system
      .insertInto('gateway.contracts')
      .values({
        ...contract,
        project_id: rows[0]?.id ?? 0,
        chain_id: String(devChainId),
        name: 'Bench',
        indexed: true,
      })
      .execute()
  }
}

/** Deletes everything that was indexed, but not the contracts to index. */
async function resetIndex({ system }: Database<Tables>): Promise<void> {
  await sql`truncate gateway.chain_cursors, gateway.chain_blocks, gateway.indexed_contracts, gateway.chain_transfers,
    gateway.chain_balances, gateway.deliveries, gateway.assets, gateway.asset_reservations cascade`.execute(
    system,
  )
  await sql`update gateway.contracts set assets_written = false`.execute(system)
  await sql`checkpoint`.execute(system)
}

/** Reads the transfers of all blocks, and writes nothing. */
async function readAll(chain: Chain): Promise<BlockRange[]> {
  const source = createBlockSource(chain, settings.rangeBlocks)
  const newest = await source.getHead()
  const to = newest.number
  const keepFrom = to - settings.keptBlocks + 1
  const ranges: BlockRange[] = []
  for (let from = 0; from <= to; ) {
    const storedHashes = new Map<number, string>()
    const addresses = [TOKEN, EDITION]
    const range = await readRange(source, {
      from,
      to,
      newest,
      addresses,
      keepFrom,
      storedHashes,
      getFinalBlock: source.getFinalBlock,
    })
    ranges.push(range)
    from = range.to + 1
  }
  return ranges
}

/** Writes the transfers of ranges, with a transaction for each. */
async function writeAll(database: Database<Tables>, ranges: readonly BlockRange[]): Promise<void> {
  for (const range of ranges)
    await transaction(database.system, (trx) =>
      addTransfers(trx, domainOperations, String(devChainId), range),
    )
}

async function countTransfers({ system }: Database<Tables>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from gateway.chain_transfers`.execute(system)
  return rows[0]?.count ?? 0
}

interface Rates {
  readonly transfers: number
  readonly read: Figure
  readonly write: Figure
  readonly whole: Figure
}

/** Starts a node that serves a replayed chain. Returns its URL. */
export async function startReplayedNode(
  stops: AsyncDisposableStack,
  { blocks, transfers, perBlock }: ChainSize,
  delayMs: number,
): Promise<string> {
  const options: NodeOptions = { blocks, transfers, perBlock, delayMs }
  const port = await startChildServer(stops, 'replayed-node.ts', [JSON.stringify(options)])
  return `http://127.0.0.1:${port}`
}

/** Indexes a whole chain into an index without rows. */
export async function indexWhole(
  database: Database<Tables>,
  nodeUrl: string,
  size: ChainSize,
): Promise<{ transfers: number; seconds: number }> {
  await resetIndex(database)
  const chains = openChains([{ id: devChainId, rpcUrls: [nodeUrl], finality: FINALITY }])
  const log = createLog('bench', 'error')
  const indexer = createIndexer({ database, chains, domains: domainOperations, settings, log })
  const milliseconds = await timed(() => indexer.run())
  const transfers = await countTransfers(database)
  if (transfers < size.transfers) throw new Error(`Only ${transfers} transfers were indexed`)
  return { transfers, seconds: milliseconds / 1000 }
}

async function measureCase(
  database: Database<Tables>,
  size: Case,
  delayMs: number,
  { rounds, onRound }: { rounds: number; onRound(): void },
): Promise<Rates> {
  await using stops = new AsyncDisposableStack()
  const nodeUrl = await startReplayedNode(stops, size, delayMs)
  const seconds: { read: number; write: number; whole: number }[] = []
  let transfers = 0
  for (let round = 0; round < rounds; round += 1) {
    const [chain] = openChains([{ id: devChainId, rpcUrls: [nodeUrl], finality: FINALITY }]).all
    if (chain === undefined) throw new Error('One chain is configured')
    let ranges: BlockRange[] = []
    const read = await timed(async () => {
      ranges = await readAll(chain)
    })
    await resetIndex(database)
    const write = await timed(() => writeAll(database, ranges))
    ranges = []
    const whole = await indexWhole(database, nodeUrl, size)
    transfers = whole.transfers
    seconds.push({ read: read / 1000, write: write / 1000, whole: whole.seconds })
    onRound()
  }
  const rate = (of: 'read' | 'write' | 'whole') => summarize(seconds.map((each) => transfers / each[of]))
  return { transfers, read: rate('read'), write: rate('write'), whole: rate('whole') }
}

async function measure({ quick, onStep }: MeasureOptions): Promise<Measurement> {
  await using stops = new AsyncDisposableStack()
  const url = await startDatabase(stops)
  await migrate(url, gatewaySchema)
  const database = openDatabase<Tables>({ url, max: 2 })
  stops.defer(() => database.close())
  await registerContracts(database)
  const rows: Row[] = []
  const largest = new Map<number, number>()
  const cases = quick ? QUICK : FULL
  const rounds = quick ? 3 : 5
  let round = 0
  const onRound = () => {
    round += 1
    onStep(round, cases.length * DELAYS_MS.length * rounds)
  }
  for (const chain of cases) {
    for (const delayMs of DELAYS_MS) {
      const rates = await measureCase(database, chain, delayMs, { rounds, onRound })
      rows.push(createRow(chain, delayMs, rates))
      if (chain.perBlock === PER_BLOCK) largest.set(delayMs, rates.whole.value)
    }
  }
  const aims = [...AIMS].map(([delayMs, aim]) => {
    const rate = largest.get(delayMs) ?? 0
    const text = `${aim} transfers/s of the largest dense chain, node ${delayMs} ms away: ${rate.toFixed(0)}`
    return { text, reached: rate >= aim }
  })
  return {
    columns: [
      { name: 'blocks', unit: 'count' },
      { name: 'transfers', unit: 'count' },
      { name: 'read', unit: 'per second' },
      { name: 'written', unit: 'per second' },
      { name: 'indexed', unit: 'per second' },
    ],
    rows,
    aims,
  }
}

export const nameRow = ({ name }: Case, delayMs: number): string => `${name}, node ${delayMs} ms away`

function createRow(chain: Case, delayMs: number, { transfers, read, write, whole }: Rates): Row {
  const figures = [toFigure(chain.blocks), toFigure(transfers), read, write, whole]
  return { name: nameRow(chain, delayMs), figures }
}

/**
 * Measures how fast transfers come from a chain into balances and projects' assets, from an empty database.
 */
export const indexerSection: Section = {
  name: 'indexer',
  title:
    'Indexer: transfers of an ERC-721 and an ERC-1155 of one project, read alone, written alone and indexed',
  measure,
}
