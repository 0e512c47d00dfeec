import { type Chain, type Chains, describeChainError } from '@mintmark/evm-reader'
import { createInquire, type Inquire } from '../../../chains/evm/reads/inquiries.ts'
import { parseState, readTwoWords, receiverRead, stateReads } from './channel-contracts.ts'
import type { KnownChannel } from './channel-store.ts'
import type { ChannelState } from './channel-terms.ts'

/** What a chain shows of a channel now. */
export type ObservedChannel =
  | {
      readonly state: ChannelState
      /** Base units that were claimed for the receiver in this token, in all channels, and not paid out. */
      readonly unpaid: bigint
      readonly problem: ''
    }
  | { readonly state: undefined; readonly problem: string }

/**
 * Reads the states of channels, with one request for each chain. A chain that cannot be read makes the
 * problem of its channels.
 */
export async function readChannels(
  chains: Chains,
  channels: readonly KnownChannel[],
): Promise<Map<number, ObservedChannel>> {
  const byChain = Map.groupBy(channels, ({ chainId }) => chainId)
  const observed = await Promise.all(
    [...byChain].map(([chainId, ofChain]) => readOnChain(chains.byId(chainId), ofChain)),
  )
  return new Map(observed.flat())
}

type Entry = readonly [number, ObservedChannel]

async function readOnChain(chain: Chain | undefined, channels: readonly KnownChannel[]): Promise<Entry[]> {
  const fail = (problem: string) => channels.map(({ id }): Entry => [id, { state: undefined, problem }])
  if (chain === undefined) return fail('The chain is not among CHAINS')
  try {
    const inquire = createInquire(chain)
    return await Promise.all(
      channels.map(async (channel): Promise<Entry> => [channel.id, await readOne(inquire, channel)]),
    )
  } catch (error) {
    return fail(describeChainError(error))
  }
}

async function readOne(
  inquire: Inquire,
  { channelId, receiver, token }: KnownChannel,
): Promise<ObservedChannel> {
  const { reads } = await inquire({
    reads: [...stateReads(channelId), receiverRead(receiver, token)],
    calls: [],
  })
  const [claimed, paid] = readTwoWords(reads.at(-1))
  return { state: parseState(reads), unpaid: claimed - paid, problem: '' }
}
