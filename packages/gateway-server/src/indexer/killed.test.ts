import { setTimeout as pause } from 'node:timers/promises'
import { assets, contracts } from '@mintmark/contracts'
import { type TestChain, testChain } from '@mintmark/devkit/chain/testing'
import { waitForEnd } from '@mintmark/devkit/process-pool'
import { randomFrom } from '@mintmark/devkit/random'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type TestGateway, testGateway } from '../testing/gateway.ts'
import { createGatewayPool, type GatewayPool, type Orders } from '../testing/gateway-pool.ts'
import { deployCollectible, deployEdition } from '../testing/indexer-fixture.ts'
import { sampleProject } from '../testing/samples/calls.ts'
import type { SampleProject } from '../testing/samples/sample.ts'
import { IDS, TOKENS, TokenTraffic } from '../testing/token-traffic.ts'
import { listLags } from './blocks/cursor-store.ts'

/** Another one makes other traffic and kills at other points. */
const SEED = 20_260_115
const points = ['indexer claimed', 'indexer read', 'indexer writing', 'indexer written'] as const
/** The nightly tests kill more. */
const KILLS = Number(process.env.KILLS ?? points.length)
/** Transfers enough for every process to reach its point. */
const TRANSFERS = 1_000 * KILLS

vi.setConfig({ testTimeout: 180_000 + 20_000 * KILLS })

let chain: TestChain
let gateway: TestGateway
let project: SampleProject
const stops = new AsyncDisposableStack()
let pool: GatewayPool
beforeAll(async () => {
  chain = await testChain()
  pool = await createGatewayPool({ spare: 1 }, stops)
  gateway = await testGateway()
  project = await sampleProject(gateway, 'shop')
})
afterAll(async () => {
  await stops.disposeAsync()
  await gateway?.close()
})

/** Starts a gateway on the test's database. */
function start(end?: Orders['end']) {
  const env = {
    DATABASE_URL: gateway.url,
    SECRET_KEYS: gateway.secretKeys,
    GATEWAY_PORT: '0',
    CHAINS: `${chain.chainId}=${chain.rpcUrl}`,
    FINALITY: '12',
  }
  return pool.start({ env, end })
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

  const isRead = async (block: bigint) => {
    const cursor = await gateway.owner.system
      .selectFrom('gateway.chain_cursors')
      .select('next_block')
      .executeTakeFirst()
    return (cursor?.next_block ?? 0) > Number(block)
  }
  const getHead = () => chain.client.getBlockNumber({ cacheTime: 0 })
  const killed = async (kill: number) => {
    const at = points[kill % points.length] ?? points[0]
    // A chain is claimed once, and has several steps.
    const passes = at === 'indexer claimed' ? 0 : random.integer(3)
    const started = await start({ at, passes })
    let hasEnded = false
    const end = waitForEnd(started).finally(() => {
      hasEnded = true
    })
    // All blocks may be read in one step. Each later block is another step.
    while (!hasEnded) {
      if (await isRead(await getHead())) {
        await traffic.block()
        await traffic.mined()
      } else await pause(20)
    }
    expect(await end).toMatchObject({ signal: 'SIGKILL' })
  }
  for (let kill = 0; kill < KILLS / 2; kill += 1) await killed(kill)

  // What five blocks held is read, and then replaced by other blocks.
  const snapshot = await chain.client.snapshot()
  const before = traffic.state()
  for (let block = 0; block < 5; block += 1) await traffic.block()
  await traffic.mined()
  const reading = await start()
  const replaced = await getHead()
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
  if ('url' in reading) reading.kill('SIGKILL')
  await waitForEnd(reading)
  await chain.client.revert({ id: snapshot })
  traffic.restore(before)

  await traffic.run(TRANSFERS)
  for (let kill = KILLS / 2; kill < KILLS; kill += 1) await killed(kill)
  await start()
  await start()
  await vi.waitFor(
    async () => {
      expect(await isRead(await getHead())).toBe(true)
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
