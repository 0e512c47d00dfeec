import { ChainUnavailableError } from '../../../chain/chain-access.ts'
import type { FinalMoment, MintChain, MintLog } from '../../../chain/mint-chain.ts'
import type { BlockRange, SignatureRow } from '../signatures/find-mint.ts'

/** What reading final blocks one by one has shown. */
export interface BlockSearch {
  readonly mint: MintLog | undefined
  /** The last block of those that were read without a gap and do not hold the mint. */
  readonly provenTo: number
}

/** Reads final blocks by their hashes. It is slow, but proves that a mint does not exist. */
export interface FinalBlocks {
  /** Starts a run, in which `BLOCKS_PER_RUN` more blocks may be read. */
  startRun(): void
  /**
   * Searches blocks in order, until the mint is found, a block cannot be read, or the run has read enough.
   */
  search(row: SignatureRow, range: BlockRange, final: FinalMoment): Promise<BlockSearch>
}

/**
 * A block takes two requests. Contracts without `verify` must not take up the nodes that all projects share.
 */
const BLOCKS_PER_RUN = 100
const CONCURRENT_BLOCKS = 10
const REMEMBERED_BLOCKS = 20_000

/** Signatures of one contract share what was read, so that many of them need no more requests than one. */
export function createFinalBlocks(chain: MintChain): FinalBlocks {
  const remembered = new Map<string, Promise<readonly MintLog[]>>()
  let allowance = 0

  /** Reads the mints of a contract in a block. Returns undefined when the run has read enough. */
  async function read(
    row: SignatureRow,
    block: number,
    final: FinalMoment,
  ): Promise<readonly MintLog[] | undefined> {
    const { chain_id: chainId, nft_address: contract, minter } = row
    const key = `${chainId} ${contract} ${minter} ${block}`
    const known = remembered.get(key)
    if (known !== undefined) return await known
    if (allowance === 0) return undefined
    allowance -= 1
    const mints = chain.listMintsInBlock(chainId, { contract, minter }, block, final)
    remembered.set(key, mints)
    const [oldest] = remembered.keys()
    if (remembered.size > REMEMBERED_BLOCKS && oldest !== undefined) remembered.delete(oldest)
    try {
      return await mints
    } catch (error) {
      remembered.delete(key)
      if (error instanceof ChainUnavailableError) return undefined
      throw error
    }
  }

  return {
    startRun() {
      allowance = BLOCKS_PER_RUN
    },
    async search(row, { from, to }, final) {
      let provenTo = from - 1
      while (provenTo < to) {
        const size = Math.min(CONCURRENT_BLOCKS, to - provenTo)
        const first = provenTo + 1
        const blocks = Array.from({ length: size }, (_, index) => read(row, first + index, final))
        for (const mints of await Promise.all(blocks)) {
          if (mints === undefined) return { mint: undefined, provenTo }
          const mint = mints.find(({ uid }) => uid === row.uid)
          if (mint !== undefined) return { mint, provenTo }
          provenTo += 1
        }
      }
      return { mint: undefined, provenTo }
    },
  }
}
