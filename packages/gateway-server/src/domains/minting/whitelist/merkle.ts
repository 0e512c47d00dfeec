import { setImmediate as pause } from 'node:timers/promises'
import { concatHex, type Hex, keccak256, numberToHex, pad } from 'viem'

/** Hashes between two pauses, in which other calls continue. They take a few milliseconds. */
const HASHES_PER_TURN = 100

/*
 * The trees of @openzeppelin/merkle-tree's StandardMerkleTree for values of ['address', 'uint256'], whose proofs OpenZeppelin's
 * MerkleProof.verify takes: a leaf is hashed twice, so that no node inside passes for one, and pairs are hashed sorted.
 */

/**
 * The leaf of a wallet and how many it may mint: keccak256(bytes.concat(keccak256(abi.encode(wallet,
 * limit)))).
 */
export function leafOf(wallet: string, limit: bigint): Hex {
  // `encodeAbiParameters` would verify the checksum of each address, which takes longer than both hashes.
  const encoded = concatHex([pad(`0x${wallet.slice(2)}`), numberToHex(limit, { size: 32 })])
  return keccak256(keccak256(encoded))
}

/** A wallet and how many it may mint. */
export interface LeafValue {
  readonly wallet: string
  readonly limit: bigint
}

/** Hashes the leaves of many wallets, and pauses in between so that other calls continue. */
export async function listLeaves(values: readonly LeafValue[]): Promise<Hex[]> {
  const leaves: Hex[] = []
  for (const { wallet, limit } of values) {
    leaves.push(leafOf(wallet, limit))
    if ((2 * leaves.length) % HASHES_PER_TURN === 0) await pause()
  }
  return leaves
}

// Both are 32 bytes in lower case: their texts are in the order of their bytes.
const pairOf = (a: Hex, b: Hex): Hex => keccak256(a < b ? concatHex([a, b]) : concatHex([b, a]))

/** The root that a proof leads to from a leaf. */
export function rootOf(leaf: Hex, proof: readonly Hex[]): Hex {
  return proof.reduce((node, sibling) => pairOf(node, sibling), leaf)
}

export interface MerkleTree {
  readonly root: Hex
  /** The proof of a leaf; undefined if the tree does not have it. */
  proofOf(leaf: Hex): Hex[] | undefined
}

/** Builds the tree of at least one leaf. Their order does not matter. */
export async function merkleTree(leaves: readonly Hex[]): Promise<MerkleTree> {
  const sorted = [...leaves].sort()
  // As a heap: the children of the node at index i have the indexes 2i + 1 and 2i + 2. The leaves are at its
  // end, the first leaf last.
  const inner = sorted.length - 1
  const nodes: Hex[] = [...Array<Hex>(inner).fill('0x'), ...sorted.toReversed()]
  const at = (index: number): Hex => {
    const node = nodes[index]
    if (node === undefined) throw new RangeError('A Merkle tree needs a leaf')
    return node
  }
  for (let index = inner - 1; index >= 0; index -= 1) {
    nodes[index] = pairOf(at(2 * index + 1), at(2 * index + 2))
    if (index % HASHES_PER_TURN === 0) await pause()
  }
  const places = new Map(sorted.map((leaf, index) => [leaf, nodes.length - 1 - index]))
  return {
    root: at(0),
    proofOf(leaf) {
      const place = places.get(leaf)
      if (place === undefined) return undefined
      const proof: Hex[] = []
      for (let index = place; index > 0; index = Math.floor((index - 1) / 2)) {
        proof.push(at(index % 2 === 1 ? index + 1 : index - 1))
      }
      return proof
    },
  }
}
