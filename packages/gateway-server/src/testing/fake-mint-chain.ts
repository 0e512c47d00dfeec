import { ChainUnavailableError } from '../chain/chain-access.ts'
import type { ChainMoment, MintChain, MintLog } from '../chain/mint-chain.ts'
import { FAKE_CHAIN_ID } from './fake-payment-chain.ts'

/** A chain that a test writes by hand, for tests that are not about reading chains. */
export interface FakeMintChain extends MintChain {
  /** The newest block, and when it was, in seconds. */
  block: number
  time: number
  /** Blocks that are not final yet. */
  depth: number
  /** While true, nothing can be read. */
  down: boolean
  /** Mints by their uid, each in its block. */
  readonly mints: Map<string, MintLog>
}

/** Its blocks lie two seconds apart. */
export function createFakeMintChain(): FakeMintChain {
  const asked = <Value>(chainId: string, read: () => Value): Promise<Value> =>
    chain.down || chainId !== FAKE_CHAIN_ID
      ? Promise.reject(new ChainUnavailableError(`chain ${chainId} does not answer`))
      : Promise.resolve(read())
  const at = (block: number): ChainMoment => ({ block, time: chain.time - 2 * (chain.block - block) })
  const chain: FakeMintChain = {
    block: 1000,
    time: Math.floor(Date.now() / 1000),
    depth: 1,
    down: false,
    mints: new Map(),
    serves: (chainId) => chainId === FAKE_CHAIN_ID,
    newest: (chainId) => asked(chainId, () => at(chain.block)),
    final: (chainId) =>
      asked(chainId, () => {
        const moment = at(chain.block - chain.depth)
        return { ...moment, hash: String(moment.block) }
      }),
    getBlockTime: (chainId, block) => asked(chainId, () => at(block).time),
    listMints: (chainId, _, from, to) =>
      asked(chainId, () => [...chain.mints.values()].filter(({ block }) => block >= from && block <= to)),
    listMintsInBlock: (chainId, _, number) =>
      asked(chainId, () => [...chain.mints.values()].filter(({ block }) => block === number)),
    verify: (chainId, { request }, blockHash) =>
      asked(chainId, () => {
        const mint = chain.mints.get(request.uid)
        const used = mint !== undefined && mint.block <= Number(blockHash)
        return used ? { unused: false, reason: 'used' } : { unused: true }
      }),
  }
  return chain
}
