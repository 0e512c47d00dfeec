import { type ChainStatus, toNetwork } from '@mintmark/evm-reader'
import { cacheLookup } from '@mintmark/server-kit'
import { version1Networks } from './chains/evm/settings/known-chains.ts'
import { MIN_FEE_PAYER_LAMPORTS, type SvmStatus } from './chains/solana/svm-status.ts'
import type { Supported } from './http/payments/x402-operations.ts'
import type { BuiltInUpstream } from './schemes/evm/built-in-upstream.ts'

/**
 * The networks (CAIP-2) that can settle now, each with the signers or fee payers that can pay for a settlement
 * there. They are not known of networks where another facilitator settles.
 */
export type AvailableNetworks = ReadonlyMap<string, ReadonlySet<string>>

export interface AvailabilityParts {
  readonly readChainStatus: () => Promise<readonly ChainStatus[]>
  /** The upstream with our own signers, if it settles on the EVM chains. */
  readonly builtIn: Pick<BuiltInUpstream, 'signers' | 'retired' | 'findSender'> | undefined
  readonly readSvmStatus: (() => Promise<readonly SvmStatus[]>) | undefined
  /** Networks that are served without reading their chain (`UNREADABLE_NETWORKS`). */
  readonly unreadableNetworks: ReadonlySet<string>
}

/** Leaves out what cannot settle now: networks, and kinds that name a signer or fee payer without gas. */
export function withdrawUnavailable<Parts extends Pick<Supported, 'kinds'>>(
  supported: Parts,
  available: AvailableNetworks,
): Parts {
  const kinds = supported.kinds.filter(({ network, extra }) => {
    const chainId = version1Networks.get(network)
    const senders = available.get(chainId === undefined ? network : toNetwork(chainId))
    const sender = extra?.facilitatorAddress ?? extra?.captureAuthorizer ?? extra?.feePayer
    return senders !== undefined && (sender === undefined || senders.has(String(sender)))
  })
  return { ...supported, kinds }
}

const AVAILABILITY_TTL_MS = 2_000

/**
 * Creates the function that reads which networks can settle now: a node responds, and one of our signers can
 * pay for the gas. Calls within two seconds share what was read. It never throws.
 */
export function createAvailabilityReader(parts: AvailabilityParts): () => Promise<AvailableNetworks> {
  const read = cacheLookup(() => readAvailable(parts), { ttlMs: AVAILABILITY_TTL_MS })
  return () => read('all')
}

async function readAvailable({
  readChainStatus,
  builtIn,
  readSvmStatus,
  unreadableNetworks,
}: AvailabilityParts): Promise<AvailableNetworks> {
  const [chains, solana] = await Promise.all([readChainStatus(), readSvmStatus?.() ?? []])
  const readable = chains.filter(({ isReadable }) => isReadable)
  const ofEvm = await Promise.all(
    readable.map(async ({ network }): Promise<[string, ReadonlySet<string>][]> => {
      if (builtIn === undefined) return [[network, new Set()]]
      const senders = await listSenders(builtIn, network)
      return senders.every((address) => builtIn.retired.has(address)) ? [] : [[network, new Set(senders)]]
    }),
  )
  const ofSolana = solana.map(({ network, feePayers }): [string, ReadonlySet<string>] => {
    const able = feePayers.filter(
      ({ lamports }) => lamports !== undefined && lamports >= MIN_FEE_PAYER_LAMPORTS,
    )
    return [network, new Set(able.map(({ address }) => address))]
  })
  const unread = [...unreadableNetworks].map((network): [string, ReadonlySet<string>] => [network, new Set()])
  return new Map([...ofEvm.flat(), ...ofSolana, ...unread])
}

/** Lists the signers that can pay for the gas of a settlement. */
async function listSenders(
  { signers, findSender }: Pick<BuiltInUpstream, 'signers' | 'findSender'>,
  network: string,
): Promise<string[]> {
  const able = await Promise.all(
    signers.map(async (address) => {
      // A chain that cannot be read, or whose base fee is above the cap, cannot settle.
      const sender = await findSender(network, { refresh: true, address }).catch(() => undefined)
      return sender === undefined ? [] : [address]
    }),
  )
  return able.flat()
}
