import { devChainId } from '@mintmark/devkit/chain/chain'
import { type ConnectedChain, connectChain } from '@mintmark/devkit/chain/connect'
import { startDevChain } from '@mintmark/devkit/chain/start'
import { randomFrom } from '@mintmark/devkit/random'
import { createLog, type Database, migrate, openChains, openDatabase } from '@mintmark/server-kit'
import { sql } from 'kysely'
import { domainOperations } from '../../packages/gateway-server/src/composition.ts'
import { createBlockSource } from '../../packages/gateway-server/src/indexer/blocks/block-source.ts'
import { readRange } from '../../packages/gateway-server/src/indexer/blocks/read-range.ts'
import { createIndexer } from '../../packages/gateway-server/src/indexer/indexer.ts'
import { DEFAULT_INDEXER_SETTINGS as settings } from '../../packages/gateway-server/src/indexer/indexer-settings.ts'
import { gatewaySchema } from '../../packages/gateway-server/src/server.ts'
import type { Tables } from '../../packages/gateway-server/src/tables.ts'
import {
  deployCollectible,
  deployEdition,
} from '../../packages/gateway-server/src/testing/indexer-fixture.ts'
import { TokenTraffic } from '../../packages/gateway-server/src/testing/token-traffic.ts'
import { startDatabase } from './processes.ts'
import type { Measurement, Section } from './section.ts'
import { median, timed } from './statistics.ts'

/** Blocks per day of a chain with a block every two seconds. */
const BLOCKS_PER_DAY = 43_200
const SECONDS_PER_BLOCK = 2
const MAX_MINUTES_PER_DAY = 60
const SEED = 7
/** With much state the node needs long for a block, and each request has a timeout. */
const MINE_AT_ONCE = 25

interface Run {
  readonly blocks: number
  readonly transfers: number
  readonly seconds: number
}

interface Environment {
  readonly database: Database<Tables>
  readonly chain: ConnectedChain
  /** Lower-case addresses of the indexed contracts. */
  readonly addresses: readonly string[]
  readonly quick: boolean
}

async function startEnvironment(stops: AsyncDisposableStack, quick: boolean): Promise<Environment> {
  const url = await startDatabase(stops)
  await migrate(url, gatewaySchema)
  const database = openDatabase<Tables>({ url, max: 2 })
  stops.defer(() => database.close())
  const node = await startDevChain({ port: 0, blockTime: 0 })
  stops.defer(() => node.stop())
  const chain = connectChain(node)
  // Blocks of the last minute are read by hash. By anvil's clock these would be all of them.
  await chain.client.setBlockTimestampInterval({ interval: SECONDS_PER_BLOCK })
  const token = await deployCollectible(chain)
  const edition = await deployEdition(chain)
  await registerContracts(database, { ERC721: token.lowerCase, ERC1155: edition.lowerCase })
  const contracts = { token: token.address, edition: edition.address }
  const traffic = new TokenTraffic(chain, contracts, randomFrom(SEED))
  await traffic.mint()
  await traffic.run(quick ? 5_000 : 20_000)
  return { database, chain, addresses: [token.lowerCase, edition.lowerCase], quick }
}

async function registerContracts({ system }: Database<Tables>, addresses: Record<string, string>) {
  const { rows } = await sql<{ id: number }>`
    insert into gateway.projects (name) values ('bench') returning id`.execute(system)
  for (const [type, address] of Object.entries(addresses)) {
    await system
      .insertInto('gateway.contracts')
      .values({
        project_id: rows[0]?.id ?? 0,
        chain_id: String(devChainId),
        nft_address: address,
        nft_type: type,
        name: 'Bench',
        indexed: true,
      })
      .execute()
  }
}

/** Deletes everything that was indexed, but not the contracts to index. */
async function resetIndex({ system }: Database<Tables>): Promise<void> {
  await sql`truncate gateway.chain_cursors, gateway.chain_blocks, gateway.indexed_contracts,
    gateway.chain_transfers, gateway.chain_balances, gateway.deliveries`.execute(system)
  await sql`delete from gateway.assets`.execute(system)
  await sql`update gateway.contracts set assets_written = false`.execute(system)
}

const getHead = async ({ client }: ConnectedChain) => Number(await client.getBlockNumber({ cacheTime: 0 }))

const openNode = ({ rpcUrl }: ConnectedChain) =>
  openChains([{ id: devChainId, rpcUrls: [rpcUrl], finality: { depth: 12 } }])

/** Indexes everything that is new on the chain, from the block after `indexedTo`. */
async function index({ database, chain }: Environment, indexedTo = -1): Promise<Run> {
  const log = createLog('bench', 'error')
  const chains = openNode(chain)
  const indexer = createIndexer({ database, chains, domains: domainOperations, settings, log })
  const milliseconds = await timed(() => indexer.run())
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from gateway.chain_transfers where block_number > ${indexedTo}`.execute(
    database.system,
  )
  const blocks = (await getHead(chain)) - indexedTo
  return { blocks, transfers: rows[0]?.count ?? 0, seconds: milliseconds / 1000 }
}

/** Reads the transfers of all blocks, and writes nothing. */
async function readOnly({ chain, addresses }: Environment): Promise<Run> {
  const [node] = openNode(chain).all
  if (node === undefined) throw new Error('There is no chain')
  const source = createBlockSource(node, settings.rangeBlocks)
  const newest = await source.getHead()
  const to = newest.number
  const keepFrom = to - settings.keptBlocks + 1
  let transfers = 0
  const milliseconds = await timed(async () => {
    for (let from = 0; from <= to; ) {
      const storedHashes = new Map<number, string>()
      const range = await readRange(source, { from, to, newest, addresses, keepFrom, storedHashes })
      transfers += range.transfers.length
      from = range.to + 1
    }
  })
  return { blocks: to + 1, transfers, seconds: milliseconds / 1000 }
}

/** Indexes empty blocks repeatedly: everything up to `indexedTo` counts as indexed. */
async function indexEmptyBlocks(environment: Environment, indexedTo: number): Promise<Run> {
  const { system } = environment.database
  const next = indexedTo + 1
  await sql`update gateway.chain_cursors set next_block = ${next}`.execute(system)
  await sql`update gateway.indexed_contracts set next_block = ${next}`.execute(system)
  return await index(environment, indexedTo)
}

async function measure({ quick }: { quick: boolean }): Promise<Measurement> {
  await using stops = new AsyncDisposableStack()
  const environment = await startEnvironment(stops, quick)
  const { database, chain } = environment
  const head = await getHead(chain)
  const rounds = quick ? 3 : 7
  const read: Run[] = []
  const indexed: Run[] = []
  const empty: Run[] = []
  for (let round = 0; round < rounds; round += 1) {
    read.push(await readOnly(environment))
    await resetIndex(database)
    indexed.push(await index(environment))
  }
  for (let mined = 0; mined < (quick ? 1_000 : 4_000); mined += MINE_AT_ONCE)
    await chain.client.mine({ blocks: MINE_AT_ONCE })
  for (let round = 0; round < rounds; round += 1) empty.push(await indexEmptyBlocks(environment, head))

  const minutes = BLOCKS_PER_DAY / getRate(indexed, 'blocks') / 60
  return {
    columns: ['blocks', 'transfers', 'blocks/s', 'transfers/s'],
    rows: [
      createRow('blocks full of transfers, read alone', read),
      createRow('blocks full of transfers, indexed', indexed),
      createRow('empty blocks, indexed', empty),
    ],
    aims: [
      {
        text: `a day of such blocks, one every two seconds, within an hour: ${minutes.toFixed(1)} minutes`,
        reached: minutes <= MAX_MINUTES_PER_DAY,
      },
    ],
  }
}

function getRate(runs: readonly Run[], unit: 'blocks' | 'transfers'): number {
  return median(runs.map((run) => run[unit] / run.seconds))
}

function createRow(name: string, runs: readonly Run[]) {
  const { blocks = 0, transfers = 0 } = runs[0] ?? {}
  const rates = [getRate(runs, 'blocks'), getRate(runs, 'transfers')]
  return { name, figures: [blocks, transfers, ...rates].map((value) => value.toFixed(0)) }
}

/** Measures how fast transfers come from a chain into balances and projects' assets, from an empty database. */
export const indexerSection: Section = {
  name: 'indexer',
  title: 'Indexer: transfers of an ERC-721 and an ERC-1155 of one project, read from a chain and written',
  measure,
}
