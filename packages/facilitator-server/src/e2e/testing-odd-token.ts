import { devUsdcAbi, oddTokenAbi } from '@mintmark/devkit/chain/artifacts/abi'
import oddToken from '@mintmark/devkit/chain/artifacts/OddToken.json' with { type: 'json' }
import type { TestChain } from '@mintmark/devkit/chain/testing'
import type { Address, Hex } from 'viem'
import { hex } from '../engine/testing.ts'
import { deployContract } from '../schemes/agreement/testing-payers.ts'

/** How the transfers of `OddToken.sol` differ from those of USDC. */
export const oddities = {
  none: 0,
  eventBefore: 1,
  eventBetween: 2,
  eventAfter: 4,
  transferFirst: 8,
  withoutEvent: 16,
  withoutEffect: 32,
  senderFee: 64,
  recipientFee: 128,
  hiddenFee: 256,
  bonus: 512,
} as const

export interface OddToken {
  readonly address: Address
  /** Changes the token. Resolves when the change is mined, or sent if `options` say how. */
  configure(flags: number, options?: { readonly fee?: bigint; readonly overtakes?: boolean }): Promise<void>
  mint(to: Hex): Promise<void>
  approve(from: 1 | 2 | 3, spender: Hex): Promise<void>
  balanceOf(of: string): Promise<bigint>
}

/** Deploys a token whose transfers can be changed. */
export async function deployOddToken(chain: TestChain): Promise<OddToken> {
  const address = await deployContract(chain, hex(oddToken.bytecode))
  const relayer = chain.as(8)
  const token = { address, abi: devUsdcAbi } as const
  return {
    address,
    async configure(flags, { fee = 1n, overtakes = false } = {}) {
      const call = {
        address,
        abi: oddTokenAbi,
        functionName: 'configure',
        args: [BigInt(flags), fee],
      } as const
      // More than any settlement offers, so that it is mined first.
      const first = { maxPriorityFeePerGas: 10n ** 11n, maxFeePerGas: 10n ** 12n, gas: 100_000n }
      const sent = relayer.writeContract({ ...call, ...(overtakes && first) })
      await (overtakes ? sent : chain.confirm(sent))
    },
    async mint(to) {
      await chain.confirm(relayer.writeContract({ ...token, functionName: 'mint', args: [to, 10_000_000n] }))
    },
    async approve(from, spender) {
      await chain.confirm(
        chain.as(from).writeContract({ ...token, functionName: 'approve', args: [spender, 2n ** 200n] }),
      )
    },
    balanceOf: (of) => chain.client.readContract({ ...token, functionName: 'balanceOf', args: [hex(of)] }),
  }
}
