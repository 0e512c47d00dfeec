import { ChainUnavailableError } from '../chain/chain-access.ts'
import type { ChainMoment, MintChain, MintLog } from '../chain/mint-chain.ts'
import { FAKE_CHAIN_ID } from './fake-payment-chain.ts'

/** A chain whose contents a test sets, for tests that do not read chains. */
export interface FakeMintChain extends MintChain {
  /** The newest block and its time in Unix seconds. */
  block: number
  time: number
  /** Number of blocks that are not final. */
  depth: number
  /** While true, every read fails. */
  down: boolean
  /** Mints by uid. */
  readonly mints: Map<string, MintLog>
}

/** Creates a chain with a block every two seconds. */
export function createFakeMintChain(): FakeMintChain {
  const read = <Value>(chainId: string, value: () => Value): Promise<Value> =>
    chain.down || chainId !== FAKE_CHAIN_ID
      ? Promise.reject(new ChainUnavailableError(`chain ${chainId} is not available`))
      : Promise.resolve(value())
  const at = (block: number): ChainMoment => ({ block, time: chain.time - 2 * (chain.block - block) })
  const chain: FakeMintChain = {
    block: 1000,
    time: Math.floor(Date.now() / 1000),
    depth: 1,
    down: false,
    mints: new Map(),
    serves: (chainId) => chainId === FAKE_CHAIN_ID,
    newest: (chainId) => read(chainId, () => at(chain.block)),
    final: (chainId) =>
      read(chainId, () => {
        const moment = at(chain.block - chain.depth)
        return { ...moment, hash: String(moment.block) }
      }),
    getBlockTime: (chainId, block) => read(chainId, () => at(block).time),
    listMints: (chainId, _, { from, to }) =>
      read(chainId, () => {
        const mints = [...chain.mints.values()].filter(({ block }) => block >= from && block <= to)
        return { mints, to }
      }),
    listMintsInBlock: (chainId, _, number) =>
      read(chainId, () => [...chain.mints.values()].filter(({ block }) => block === number)),
    verify: (chainId, { request }, blockHash) =>
      read(chainId, () => {
        const mint = chain.mints.get(request.uid)
        const used = mint !== undefined && mint.block <= Number(blockHash)
        return used ? { unused: false, reason: 'used' } : { unused: true }
      }),
  }
  return chain
}
