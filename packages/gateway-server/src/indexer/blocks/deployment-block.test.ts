import { expect, it } from 'vitest'
import { findDeploymentBlock } from './block-source.ts'

/** A node that has states from the block `oldest` on, of a contract that is deployed in a block. */
function createSource(deployed: number, oldest = 0) {
  const rounds: (readonly number[])[] = []
  const listHasCode = async (_: string, blocks: readonly number[]) => {
    rounds.push(blocks)
    return blocks.map((block) => (block < oldest ? undefined : block >= deployed))
  }
  return { rounds, listHasCode }
}

it.each([0, 1, 7, 8, 9, 499, 500, 998, 999, 1_000])(
  'finds the first block %i of a contract',
  async (first) => {
    expect(await findDeploymentBlock(createSource(first), '0xa', 1_000)).toBe(first)
  },
)

it('finds the first block among 30 million with 9 requests, most of them for 8 states', async () => {
  const source = createSource(12_345_678)
  expect(await findDeploymentBlock(source, '0xa', 30_000_000)).toBe(12_345_678)
  expect(source.rounds.length).toBeLessThanOrEqual(10)
  expect(Math.max(...source.rounds.map((blocks) => blocks.length))).toBeLessThanOrEqual(8)
})

it('returns undefined for a contract that does not exist at the head', async () => {
  expect(await findDeploymentBlock(createSource(1_001), '0xa', 1_000)).toBeUndefined()
})

it('returns 0 if the node no longer has the state of the first block', async () => {
  expect(await findDeploymentBlock(createSource(300, 600), '0xa', 1_000)).toBe(0)
  expect(await findDeploymentBlock(createSource(0, 1_001), '0xa', 1_000)).toBe(0)
})

it('finds a first block that is newer than the oldest state', async () => {
  expect(await findDeploymentBlock(createSource(700, 600), '0xa', 1_000)).toBe(700)
})
