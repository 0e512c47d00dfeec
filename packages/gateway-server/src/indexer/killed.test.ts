import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { assets, contracts } from '@mintmark/contracts'
import { type TestChain, testChain } from '@mintmark/devkit/chain/testing'
import { randomFrom } from '@mintmark/devkit/random'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type TestGateway, testGateway } from '../testing/gateway.ts'
import { deployCollectible, deployEdition } from '../testing/indexer-fixture.ts'
import { sampleProject } from '../testing/samples/calls.ts'
import type { SampleProject } from '../testing/samples/sample.ts'
import { IDS, TOKENS, TokenTraffic } from '../testing/token-traffic.ts'
import { listLags } from './blocks/cursor-store.ts'

/** Another one makes other traffic and kills at other points. */
const SEED = 20_260_115
const points = ['indexer claimed', 'indexer read', 'indexer writing', 'indexer written'] as const
/** The release suite sets more. */
const KILLS = Number(process.env.KILLS ?? points.length)
/** Transfers enough for every process to reach its point. */
const TRANSFERS = 1_000 * KILLS

vi.setConfig({ testTimeout: 180_000 + 20_000 * KILLS })

let chain: TestChain
let gateway: TestGateway
let project: SampleProject
const children: ChildProcess[] = []
beforeAll(async () => {
  chain = await testChain()
  gateway = await testGateway()
  project = await sampleProject(gateway, 'shop')
})
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await gateway?.close()
})

/** Starts a gateway on the test's database; it kills itself where a point is named. */
function start(fault = '', after = 0): ChildProcess {
  const script = fileURLToPath(new URL('../testing/killed-gateway.ts', import.meta.url))
  const child = spawn(process.execPath, ['--conditions=@mintmark/source', script], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      FAULT: fault,
      FAULT_AFTER: String(after),
      DATABASE_URL: gateway.url,
      SECRET_KEYS: gateway.secretKeys,
      GATEWAY_PORT: '0',
      CHAINS: `${chain.chainId}=${chain.rpcUrl}`,
      FINALITY: '12',
      INDEXER_EVERY_MS: '50',
      INDEXER_RANGE_BLOCKS: '16',
      INDEXER_KEPT_BLOCKS: '64',
      INDEXER_LEASE_SECONDS: '1',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  return child
}

it('after kills and a reorganization every transfer is stored once and the owners are those of the chain', async () => {
  const random = randomFrom(SEED)
  const [token, edition] = [await deployCollectible(chain), await deployEdition(chain)]
  for (const [each, nftType] of [
    [token, 'ERC721'],
    [edition, 'ERC1155'],
  ] as const) {
    const chainId = String(chain.chainId)
    await contracts.add(project.client, {
      nftAddress: each.address,
      nftType,
      chainId,
      name: 'T',
      index: true,
    })
  }
  const traffic = new TokenTraffic(chain, { token: token.address, edition: edition.address }, random)
  await traffic.mint()
  await traffic.run(TRANSFERS / 2)

  const killed = async (kill: number) => {
    const point = points[kill % points.length]
    // Of what happens once in a run, the first; of steps a few more.
    const [, signal] = await once(start(point, kill % points.length === 0 ? 0 : random.integer(3)), 'exit')
    expect(signal).toBe('SIGKILL')
  }
  const readUpTo = async (block: bigint) => {
    const cursor = await gateway.owner.system
      .selectFrom('gateway.chain_cursors')
      .select('next_block')
      .executeTakeFirst()
    expect(cursor?.next_block ?? 0).toBeGreaterThan(Number(block))
  }
  for (let kill = 0; kill < KILLS / 2; kill += 1) await killed(kill)

  // What five blocks held is read, and then replaced by other blocks.
  const snapshot = await chain.client.snapshot()
  const before = traffic.state()
  for (let block = 0; block < 5; block += 1) await traffic.block()
  await traffic.mined()
  const reading = start()
  const replaced = await chain.client.getBlockNumber({ cacheTime: 0 })
  const ofReplaced = () =>
    gateway.owner.system
      .selectFrom('gateway.chain_transfers')
      .select('id')
      .where('block_number', '=', Number(replaced))
      .execute()
  await vi.waitFor(async () => expect(await ofReplaced()).not.toEqual([]), {
    timeout: 170_000,
    interval: 100,
  })
  const ended = once(reading, 'exit')
  reading.kill('SIGKILL')
  await ended
  await chain.client.revert({ id: snapshot })
  traffic.restore(before)

  await traffic.run(TRANSFERS)
  for (let kill = KILLS / 2; kill < KILLS; kill += 1) await killed(kill)
  start()
  start()
  await vi.waitFor(
    async () => {
      await readUpTo(await chain.client.getBlockNumber({ cacheTime: 0 }))
      expect(await listLags(gateway.owner.system)).toMatchObject([{ blocks: 0 }])
    },
    { timeout: 170_000, interval: 200 },
  )

  // The chain's own logs, read in another way.
  const expected = await traffic.logged()
  expect(expected.length).toBeGreaterThanOrEqual(TRANSFERS)
  const rows = await gateway.owner.system.selectFrom('gateway.chain_transfers').selectAll().execute()
  const nameOf = (...parts: (string | number | bigint)[]) => parts.join(' ')
  const found = rows.map((row) =>
    nameOf(
      row.tx_hash,
      row.log_index,
      row.batch_index,
      row.nft_id,
      row.from_address,
      row.to_address,
      row.quantity,
    ),
  )
  expect(found).toHaveLength(expected.length)
  expect(found.sort()).toEqual(expected.sort())
  const owned = new Map<string, string>()
  for await (const each of assets.list.items(project.client, { pageSize: 100 })) {
    owned.set(nameOf(each.nftAddress, each.nftId, each.owner), each.quantity)
  }
  expect(owned).toEqual(await traffic.owned())
  expect(owned.size).toBeGreaterThanOrEqual(TOKENS + IDS)
})
