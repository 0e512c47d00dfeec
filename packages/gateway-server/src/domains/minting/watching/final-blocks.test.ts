import { expect, it } from 'vitest'
import { ChainUnavailableError } from '../../../chain/chain-access.ts'
import type { MintChain } from '../../../chain/mint-chain.ts'
import { createFakeMintChain } from '../../../testing/fake-mint-chain.ts'
import { FAKE_CHAIN_ID } from '../../../testing/fake-payment-chain.ts'
import { createFinalBlocks } from './final-blocks.ts'

const contract = `0x${'c'.repeat(40)}`
const signature = (uid: string) => ({
  chain_id: FAKE_CHAIN_ID,
  nft_address: contract,
  minter: `0x${'a'.repeat(40)}`,
  recipient: `0x${'b'.repeat(40)}`,
  uid,
})

const FINAL = { block: 1000, time: 0, hash: '1000' }

/** A chain that counts the blocks that were read, and lacks some. */
function countingChain(missing: readonly number[] = []) {
  const quiet = createFakeMintChain()
  const read: number[] = []
  const chain: MintChain = {
    ...quiet,
    async listMintsInBlock(chainId, filter, block, final) {
      read.push(block)
      if (missing.includes(block)) throw new ChainUnavailableError(`block ${block} is missing`)
      return await quiet.listMintsInBlock(chainId, filter, block, final)
    },
  }
  return { quiet, read, chain }
}

it('reads a block once for all signatures of a contract', async () => {
  const { quiet, read, chain } = countingChain()
  quiet.mints.set('0x2', { uid: '0x2', tokenId: '7', hash: '0xab', block: 15 })
  const blocks = createFinalBlocks(chain)
  blocks.startRun()
  const [first, second] = await Promise.all([
    blocks.search(signature('0x1'), { from: 1, to: 40 }, FINAL),
    blocks.search(signature('0x2'), { from: 1, to: 40 }, FINAL),
  ])
  expect(first).toEqual({ mint: undefined, provenTo: 40 })
  expect(second).toMatchObject({ mint: { tokenId: '7' }, provenTo: 14 })
  expect(read.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1))
})

it('stops before a block that the node does not have, and reads it again in the next search', async () => {
  const missing = [23]
  const { chain } = countingChain(missing)
  const blocks = createFinalBlocks(chain)
  blocks.startRun()
  expect(await blocks.search(signature('0x1'), { from: 1, to: 40 }, FINAL)).toEqual({
    mint: undefined,
    provenTo: 22,
  })
  missing.pop()
  expect(await blocks.search(signature('0x1'), { from: 23, to: 40 }, FINAL)).toEqual({
    mint: undefined,
    provenTo: 40,
  })
})

it('reads 100 blocks in a run, and continues in the next', async () => {
  const { read, chain } = countingChain()
  const blocks = createFinalBlocks(chain)
  blocks.startRun()
  expect(await blocks.search(signature('0x1'), { from: 1, to: 250 }, FINAL)).toEqual({
    mint: undefined,
    provenTo: 100,
  })
  expect(read).toHaveLength(100)
  blocks.startRun()
  expect((await blocks.search(signature('0x1'), { from: 101, to: 250 }, FINAL)).provenTo).toBe(200)
})
