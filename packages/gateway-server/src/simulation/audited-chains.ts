import type { SimulatedChain } from '@mintmark/devkit/simulation/simulated-chain'
import type { Chains, FinalBlock } from '@mintmark/evm-reader'
import type { Logger } from '@mintmark/server-kit'
import { createPaymentChains, type PaymentChains } from '../chain/payment-chains.ts'
import type { PaymentObservation } from '../chain/payment-observation.ts'
import type { World } from './world.ts'

/**
 * Reads payments as a gateway does, and compares each observation with the chain. Whatever nodes respond, the
 * reader must not call a block final that is not, nor miss a transaction that is in the final blocks that it
 * has read.
 */
export function createAuditedChains(
  world: Pick<World, 'chain' | 'faults' | 'misreadings'>,
  chains: Chains,
  log: Pick<Logger, 'warn'>,
): PaymentChains {
  return {
    ...createPaymentChains(chains, log),
    async observe(chainId, hash, target) {
      const { chain, faults, misreadings } = world
      const { lies } = faults
      const finalBlocks: FinalBlock[] = []
      const reader = createPaymentChains(
        recordFinalBlocks(chains, (block) => finalBlocks.push(block)),
        log,
      )
      const observation = await reader.observe(chainId, hash, target)
      // A node that has a block without its receipts cannot be distinguished from one that has all of them.
      const canMiss = lies !== faults.lies
      const isMissed = finalBlocks.some(({ number }) => isMinedUpTo(chain, hash, Number(number)))
      if (observation.kind === 'unseen' && isMissed && !canMiss)
        misreadings.push(`${hash} is unseen, and it is in a final block`)
      if (!isFinalBlock(chain, observation))
        misreadings.push(`${hash} is in a final block, which the chain does not have`)
      return observation
    },
  }
}

/** The same chains. `record` receives each final block that is read. */
function recordFinalBlocks(chains: Chains, record: (block: FinalBlock) => unknown): Chains {
  return {
    ...chains,
    byId(chainId) {
      const chain = chains.byId(chainId)
      return (
        chain && {
          ...chain,
          async finalBlock() {
            const block = await chain.finalBlock()
            record(block)
            return block
          },
        }
      )
    },
  }
}

const isMinedUpTo = (chain: SimulatedChain, hash: string, last: number): boolean =>
  chain
    .viewBehind(0)
    .blocks.slice(0, last + 1)
    .some(({ transactions }) => transactions.some(({ transaction }) => transaction.hash === hash))

function isFinalBlock(chain: SimulatedChain, observation: PaymentObservation): boolean {
  if (observation.kind !== 'mined' || !observation.final) return true
  const { blocks, finalized } = chain.viewBehind(0)
  return observation.block <= finalized && blocks[observation.block]?.hash === observation.blockHash
}
