import { devChainId } from '@mintmark/devkit/chain/chain'
import { connectChain } from '@mintmark/devkit/chain/connect'
import { startDevChain } from '@mintmark/devkit/chain/start'
import { randomFrom } from '@mintmark/devkit/random'
import { createLog, type Database, migrate, openChains, openDatabase } from '@mintmark/server-kit'
import { sql } from 'kysely'
import { domainOperations } from '../../packages/gateway-server/src/composition.ts'
import { createAdaptiveRange } from '../../packages/gateway-server/src/indexer/blocks/adaptive-range.ts'
import { createBlockSource } from '../../packages/gateway-server/src/indexer/blocks/block-source.ts'
import { createIndexer } from '../../packages/gateway-server/src/indexer/indexer.ts'
import { DEFAULT_INDEXER_SETTINGS } from '../../packages/gateway-server/src/indexer/indexer-settings.ts'
import { gatewaySchema } from '../../packages/gateway-server/src/server.ts'
import type { Tables } from '../../packages/gateway-server/src/tables.ts'
import {
  deployCollectible,
  deployEdition,
} from '../../packages/gateway-server/src/testing/indexer-fixture.ts'
import { TokenTraffic } from '../../packages/gateway-server/src/testing/token-traffic.ts'
import { startDatabase } from './processes.ts'
import { type Measured, median, type Section } from './section.ts'

/** Blocks per day of a chain with a block every two seconds. */
const DAY_OF_BLOCKS = 43_200
const SEED = 7

interface Put {
  readonly blocks: number
  readonly transfers: number
  readonly seconds: number
}

/** Forgets all that was read, but not what is to be read. */
async function forget(database: Database<Tables>): Promise<void> {
  await sql`truncate gateway.chain_cursors, gateway.chain_blocks, gateway.indexed_contracts,
    gateway.chain_transfers, gateway.chain_balances, gateway.deliveries`.execute(database.system)
  await sql`delete from gateway.assets`.execute(database.system)
  await sql`update gateway.contracts set assets_written = false`.execute(database.system)
}

async function register(database: Database<Tables>, contracts: readonly (readonly [string, string])[]) {
  const { rows } = await sql<{ id: number }>`
    insert into gateway.projects (name) values ('bench') returning id`.execute(database.system)
  for (const [address, type] of contracts) {
    await database.system
      .insertInto('gateway.contracts')
      .values({
        project_id: rows[0]?.id ?? 0,
        chain_id: String(devChainId),
        nft_address: address.toLowerCase(),
        nft_type: type,
        name: 'Bench',
        indexed: true,
      })
      .execute()
  }
}

async function measure({ quick }: { quick: boolean }): Promise<Measured> {
  await using stops = new AsyncDisposableStack()
  const url = await startDatabase(stops)
  await migrate(url, gatewaySchema)
  const database = openDatabase<Tables>({ url, max: 2 })
  stops.defer(() => database.close())
  const node = await startDevChain({ port: 0, blockTime: 0 })
  stops.defer(() => node.stop())
  const chain = connectChain(node)
  const [token, edition] = [await deployCollectible(chain), await deployEdition(chain)]
  await register(database, [
    [token.address, 'ERC721'],
    [edition.address, 'ERC1155'],
  ])
  const traffic = new TokenTraffic(
    chain,
    { token: token.address, edition: edition.address },
    randomFrom(SEED),
  )
  await traffic.mint()
  await traffic.run(quick ? 5_000 : 20_000)
  const busy = await chain.client.getBlockNumber({ cacheTime: 0 })
  const chains = openChains([{ id: devChainId, rpcUrls: [node.rpcUrl], finality: { depth: 12 } }])
  const log = createLog('bench', 'error')
  const settings = DEFAULT_INDEXER_SETTINGS

  const timed = async (work: () => Promise<number>): Promise<Put> => {
    const started = performance.now()
    const transfers = await work()
    const seconds = (performance.now() - started) / 1000
    return { blocks: Number(await chain.client.getBlockNumber({ cacheTime: 0 })) + 1, transfers, seconds }
  }
  const index = () =>
    timed(async () => {
      await createIndexer({ database, chains, domains: domainOperations, settings, log }).run()
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from gateway.chain_transfers`.execute(database.system)
      return rows[0]?.count ?? 0
    })
  const readAlone = () =>
    timed(async () => {
      const [only] = chains.all
      if (only === undefined) throw new Error('there is no chain')
      const source = createBlockSource(only)
      const adaptiveRange = createAdaptiveRange(settings.rangeBlocks)
      const to = Number(await chain.client.getBlockNumber({ cacheTime: 0 }))
      const addresses = [token.lowerCase, edition.lowerCase]
      let transfers = 0
      for (let from = 0; from <= to; ) {
        const keepFrom = to - settings.keptBlocks + 1
        const storedHashes = new Map<number, string>()
        const range = await adaptiveRange.read(source, { from, to, addresses, keepFrom, storedHashes })
        transfers += range.transfers.length
        from = range.to + 1
      }
      return transfers
    })

  const rounds = quick ? 3 : 7
  const seen = { alone: [] as Put[], busy: [] as Put[], idle: [] as Put[] }
  for (let round = 0; round < rounds; round += 1) {
    seen.alone.push(await readAlone())
    await forget(database)
    seen.busy.push(await index())
  }
  // In small steps: with this much state the node needs long for a block, and each request has a timeout.
  for (let mined = 0; mined < (quick ? 1_000 : 4_000); mined += 25) await chain.client.mine({ blocks: 25 })
  for (let round = 0; round < rounds; round += 1) {
    // Of what the blocks before hold is read already, only the empty ones are left.
    await sql`update gateway.chain_cursors set next_block = ${Number(busy) + 1}`.execute(database.system)
    await sql`update gateway.indexed_contracts set next_block = ${Number(busy) + 1}`.execute(database.system)
    const { seconds } = await index()
    const blocks = Number((await chain.client.getBlockNumber({ cacheTime: 0 })) - busy)
    seen.idle.push({ blocks, transfers: 0, seconds })
  }
  return table(seen)
}

function table(seen: Record<'alone' | 'busy' | 'idle', readonly Put[]>): Measured {
  const rate = (puts: readonly Put[], what: 'blocks' | 'transfers') =>
    median(puts.map((put) => put[what] / put.seconds))
  const row = (name: string, puts: readonly Put[]) => ({
    name,
    figures: [
      String(puts[0]?.blocks ?? 0),
      String(puts[0]?.transfers ?? 0),
      rate(puts, 'blocks').toFixed(0),
      rate(puts, 'transfers').toFixed(0),
    ],
  })
  const aDay = DAY_OF_BLOCKS / rate(seen.busy, 'blocks') / 60
  return {
    columns: ['blocks', 'transfers', 'blocks/s', 'transfers/s'],
    rows: [
      row('blocks full of transfers, read alone', seen.alone),
      row('blocks full of transfers, indexed', seen.busy),
      row('empty blocks, indexed', seen.idle),
    ],
    aims: [
      {
        text: `a day of such blocks, one every two seconds, within an hour: ${aDay.toFixed(1)} minutes`,
        reached: aDay <= 60,
      },
    ],
  }
}

/** How fast transfers come from a chain into balances and projects' assets, from an empty database, on a dev chain beside it. */
export const indexerSection: Section = {
  name: 'indexer',
  title: 'Indexer: transfers of an ERC-721 and an ERC-1155 of one project, read from a chain and written',
  measure,
}
