import { assets, contracts } from '@mintmark/contracts'
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { type TestChain, testChain } from '@mintmark/devkit/chain/testing'
import { type FaultyNode, startFaultyNode } from '@mintmark/devkit/testing'
import type { Address } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestGateway, testGateway } from '../testing/gateway.ts'
import { deployCollectible, testIndexer } from '../testing/indexer-fixture.ts'
import { sampleProject } from '../testing/samples/calls.ts'
import { newAddress, type SampleProject } from '../testing/samples/sample.ts'

const MANY = 40
const ann = devAccount(1).address

let chain: TestChain
let node: FaultyNode
let gateway: TestGateway
/** Registers many contracts. */
let greedy: SampleProject
let other: SampleProject
beforeAll(async () => {
  chain = await testChain()
  node = await startFaultyNode(chain.rpcUrl)
  gateway = await testGateway()
  greedy = await sampleProject(gateway, 'greedy')
  other = await sampleProject(gateway, 'other')
})
afterAll(async () => {
  node?.close()
  await gateway?.close()
})

const register = ({ client }: SampleProject, nftAddress: string) =>
  contracts.add(client, {
    nftAddress,
    nftType: 'ERC721',
    name: 'Indexed',
    index: true,
    chainId: String(chain.chainId),
  })

/** Registers many contracts that have code. */
async function registerMany(bytecode: `0x${string}`): Promise<void> {
  const addresses = Array.from({ length: MANY }, () => newAddress() as Address)
  for (const address of addresses) await chain.client.setCode({ address, bytecode })
  await chain.client.mine({ blocks: 1 })
  await Promise.all(addresses.map((address) => register(greedy, address)))
}

const methodOf = (requests: readonly { method: string }[], method: string) =>
  requests.findIndex((request) => request.method === method)

it('a project that registers many contracts delays neither the chain nor the new contract of another project', async () => {
  const indexed = await deployCollectible(chain)
  await register(other, indexed.address)
  const { indexer, database } = testIndexer({ url: gateway.url, rpcUrl: node.url, chainId: chain.chainId })
  await indexer.run()
  const bytecode = await chain.client.getCode({ address: indexed.address })
  if (bytecode === undefined) throw new Error('The contract has no code')
  await registerMany(bytecode)
  const added = await deployCollectible(chain)
  await added.call(0, 'mint', [ann, 1n])
  await register(other, added.address)
  await indexed.call(0, 'mint', [ann, 7n])

  const requests: { method: string; text: string }[] = []
  node.interfere = (method, params) => {
    requests.push({ method, text: JSON.stringify(params).toLowerCase() })
    return undefined
  }
  await indexer.run()
  await database.close()

  // The chain advances after the first blocks of a few contracts were searched.
  const beforeLogs = requests.slice(0, methodOf(requests, 'eth_getLogs'))
  const searched = new Set(
    beforeLogs.filter(({ method }) => method === 'eth_getCode').map(({ text }) => text.slice(0, 45)),
  )
  expect(searched.size).toBeLessThanOrEqual(5)
  // The contract of the other project is read beside the first ones of the greedy project.
  const logs = requests.filter(({ method }) => method === 'eth_getLogs').map(({ text }) => text)
  const catchUps = logs.filter((text) => !text.includes(indexed.lowerCase))
  expect(catchUps.findIndex((text) => text.includes(added.lowerCase))).toBeLessThan(10)
  // All of them are read in the end.
  for (const [nftAddress, nftId] of [
    [indexed.address, '7'],
    [added.address, '1'],
  ] as const) {
    const { list } = await assets.list(other.client, { nftAddress })
    expect(list).toMatchObject([{ nftId, owner: ann.toLowerCase() }])
  }
  const cursors = await gateway.owner.system
    .selectFrom('gateway.indexed_contracts')
    .select('next_block')
    .execute()
  expect(new Set(cursors.map(({ next_block }) => next_block)).size).toBe(1)
  expect(cursors).toHaveLength(MANY + 2)
})

it('a project registers no more indexed contracts than the limit, however many calls do so at the same time', async () => {
  const few = await testGateway({ indexedContracts: 3 })
  const project = await sampleProject(few, 'limited')
  const results = await Promise.allSettled(Array.from({ length: 8 }, () => register(project, newAddress())))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  await expect(register(project, newAddress())).rejects.toMatchObject({
    issues: [{ path: 'index', message: 'The project has 3 indexed contracts already' }],
  })
  const plain = { nftAddress: newAddress(), nftType: 'ERC721', name: 'Plain', chainId: '84532' }
  const { id } = await contracts.add(project.client, plain)
  expect(id).toBeGreaterThan(0)
  const { list } = await contracts.list(project.client, { pageSize: 10 })
  const indexed = list.find((contract) => contract.name === 'Indexed')
  await contracts.remove(project.client, { id: indexed?.id ?? 0 })
  await register(project, newAddress())
  await few.close()
})
