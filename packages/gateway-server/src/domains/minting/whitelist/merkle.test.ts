import { merkleWhitelistAbi } from '@mintmark/devkit/chain/artifacts/abi'
import artifact from '@mintmark/devkit/chain/artifacts/MerkleWhitelist.json' with { type: 'json' }
import { testChain } from '@mintmark/devkit/chain/testing'
import fc from 'fast-check'
import { type Hex, isHex } from 'viem'
import { beforeAll, expect, it } from 'vitest'
import { leafOf, listLeaves, merkleTree, rootOf } from './merkle.ts'

const chain = await testChain()
let verifier: Hex
beforeAll(async () => {
  if (!isHex(artifact.bytecode)) throw new Error('The artifact holds no bytecode')
  const hash = await chain.as(0).deployContract({ abi: merkleWhitelistAbi, bytecode: artifact.bytecode })
  const receipt = await chain.client.waitForTransactionReceipt({ hash })
  verifier = receipt.contractAddress ?? '0x'
})

const verify = (proof: readonly Hex[], root: Hex, wallet: Hex, limit: bigint) =>
  chain.client.readContract({
    address: verifier,
    abi: merkleWhitelistAbi,
    functionName: 'verify',
    args: [[...proof], root, wallet, limit],
  })

const walletOf = (n: number): Hex => `0x${n.toString(16).padStart(40, '0')}`

it("a Merkle tree of wallets and limits has the root of the example in @openzeppelin/merkle-tree's README", async () => {
  const tree = await merkleTree([
    leafOf(`0x${'1'.repeat(40)}`, 5_000_000_000_000_000_000n),
    leafOf(`0x${'2'.repeat(40)}`, 2_500_000_000_000_000_000n),
  ])
  expect(tree.root).toBe('0xd4dee0beab2d53f2cc83e567171bd2820e49898130a22622b10ead383e90bd77')
})

it('a Merkle tree of wallets and limits with one wallet is its leaf, which needs no proof', async () => {
  const leaf = leafOf(walletOf(1), 2n)
  const tree = await merkleTree([leaf])
  expect(tree.root).toBe(leaf)
  expect(tree.proofOf(leaf)).toEqual([])
  expect(await verify([], tree.root, walletOf(1), 2n)).toBe(true)
})

it.each([2, 3, 5, 8, 33])(
  'a Merkle tree of wallets and limits of %i wallets has proofs that a contract takes',
  async (size) => {
    const leaves = Array.from({ length: size }, (_, n) => leafOf(walletOf(n + 1), BigInt(n)))
    const tree = await merkleTree(leaves)
    for (let n = 0; n < size; n += 7) {
      const proof = tree.proofOf(leafOf(walletOf(n + 1), BigInt(n))) ?? []
      expect(await verify(proof, tree.root, walletOf(n + 1), BigInt(n))).toBe(true)
      expect(await verify(proof, tree.root, walletOf(n + 1), BigInt(n + 1))).toBe(false)
      expect(await verify(proof, tree.root, walletOf(n + 2), BigInt(n))).toBe(false)
    }
    expect(tree.proofOf(leafOf(walletOf(size + 1), 0n))).toBeUndefined()
  },
)

it('a Merkle tree of wallets and limits proves each of its leaves and no other leaf, in any order', async () => {
  const values = fc.uniqueArray(
    fc.record({
      wallet: fc.integer({ min: 1, max: 1e6 }),
      limit: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
    }),
    { minLength: 1, maxLength: 40, selector: ({ wallet }) => wallet },
  )
  await fc.assert(
    fc.asyncProperty(values, fc.nat(), async (entries, picked) => {
      const leaves = entries.map(({ wallet, limit }) => leafOf(walletOf(wallet), limit))
      const tree = await merkleTree(leaves)
      expect((await merkleTree(leaves.toReversed())).root).toBe(tree.root)
      for (const leaf of leaves) expect(rootOf(leaf, tree.proofOf(leaf) ?? [])).toBe(tree.root)
      const stranger = leafOf(walletOf(2_000_000), 0n)
      const proof = tree.proofOf(leaves[picked % leaves.length] ?? '0x') ?? []
      expect(rootOf(stranger, proof)).not.toBe(tree.root)
    }),
    { numRuns: 30 },
  )
})

it('lets other work continue while it hashes the leaves of a long whitelist', async () => {
  const values = Array.from({ length: 10_000 }, (_, n) => ({ wallet: walletOf(n + 1), limit: BigInt(n) }))
  let turns = 0
  let isHashing = true
  const count = () => {
    turns += 1
    if (isHashing) setImmediate(count)
  }
  setImmediate(count)
  const leaves = await listLeaves(values)
  isHashing = false
  expect(turns).toBeGreaterThanOrEqual(40)
  expect(leaves).toEqual(values.map(({ wallet, limit }) => leafOf(wallet, limit)))
})
