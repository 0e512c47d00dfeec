import { testChain } from '@mintmark/devkit/chain/testing'
import { startFaultyNode } from '@mintmark/devkit/testing'
import { openChains } from '@mintmark/evm-reader'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ChainUnavailableError } from './chain-access.ts'
import { createMintChain, type FinalMoment } from './mint-chain.ts'

const devChain = await testChain()
const node = await startFaultyNode(devChain.rpcUrl)
const chainId = String(devChain.chainId)
const config = { id: devChain.chainId, rpcUrls: [node.url], finality: { depth: 1 } }
const chain = createMintChain(openChains([config]), { warn: () => {} })
const filter = { contract: `0x${'c'.repeat(40)}`, minter: `0x${'a'.repeat(40)}` }

let final: FinalMoment
beforeAll(async () => {
  await devChain.client.mine({ blocks: 6 })
  final = await chain.final(chainId)
})
afterEach(() => node.catchUp())
afterAll(() => node.close())

/** What decides whether a signature was used. */
const reads = [
  ['listMints', (asOf: FinalMoment) => chain.listMints(chainId, filter, lastBlocks(asOf), asOf)],
  [
    'the mints in a block',
    (asOf: FinalMoment) => chain.listMintsInBlock(chainId, filter, asOf.block - 3, asOf),
  ],
  ['getBlockTime', (asOf: FinalMoment) => chain.getBlockTime(chainId, asOf.block - 3, asOf)],
] as const

const lastBlocks = ({ block }: FinalMoment) => ({ from: block - 4, to: block - 3 })

describe.each(reads)('%s', (_, read) => {
  it('accepts the response of a node that has the final block', async () => {
    await expect(read(final)).resolves.toBeDefined()
  })

  it('rejects the response of a node that lacks the final block', async () => {
    await node.lag(3)
    await expect(read(final)).rejects.toThrow(ChainUnavailableError)
  })

  it('rejects the response of a node that has another block in place of the final one', async () => {
    const replaced = { ...final, hash: `0x${'1'.repeat(64)}` }
    await expect(read(replaced)).rejects.toThrow(ChainUnavailableError)
  })
})
