import { isSolanaAddress } from './base58.ts'
import { isSvmNetwork } from './svm-network.ts'

/** A chain of Solana in `CHAINS`. */
export interface SvmChainConfig {
  /** CAIP-2. */
  readonly network: string
  /** In order of preference. Never empty. */
  readonly rpcUrls: readonly string[]
}

/** The mints of USDC on mainnet and devnet, which are accepted without configuration. */
const KNOWN_MINTS: readonly (readonly [string, string])[] = [
  ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'],
  ['solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1', '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU'],
]

const NETWORK = /^solana:[1-9A-HJ-NP-Za-km-z]{32}$/

/** A setting without the entries of Solana, and these entries. */
interface SplitSetting {
  readonly rest: string
  readonly entries: readonly (readonly [string, readonly string[]])[]
}

/**
 * Separates the entries of Solana from a setting such as `CHAINS`, in JSON or as `84532=…,solana:…=…`. In the
 * short form, a value without a network belongs to the network before it.
 */
export function splitSvmEntries(setting: string): SplitSetting {
  if (setting.trim().startsWith('{')) return splitJson(setting)
  const entries = new Map<string, string[]>()
  const rest: string[] = []
  let current: string | undefined
  for (const entry of setting.split(/[\s,]+/).filter((one) => one !== '')) {
    const [, key, value] = /^(\d+|solana:[^=]*)=(.*)$/.exec(entry) ?? [undefined, current, entry]
    current = key
    if (key === undefined || !isSvmNetwork(key)) rest.push(entry)
    else entries.set(key, [...(entries.get(key) ?? []), value ?? ''])
  }
  return { rest: rest.join(','), entries: [...entries] }
}

function splitJson(setting: string): SplitSetting {
  let value: unknown
  try {
    value = JSON.parse(setting)
  } catch {
    // The reader of the other entries reports it.
    return { rest: setting, entries: [] }
  }
  const all = Object.entries(value ?? {})
  const own = all.filter(([key]) => isSvmNetwork(key))
  return {
    rest: JSON.stringify(Object.fromEntries(all.filter(([key]) => !isSvmNetwork(key)))),
    entries: own.map(([key, urls]) => [key, (Array.isArray(urls) ? urls : [urls]).map(String)]),
  }
}

/**
 * Reads the chains of Solana in `CHAINS`.
 *
 * @throws Error that names the problem without the URLs, which often contain a key.
 */
export function parseSvmChains(setting: string): SvmChainConfig[] {
  return splitSvmEntries(setting).entries.map(([network, rpcUrls]) => {
    if (!NETWORK.test(network))
      throw new Error(`CHAINS: ${JSON.stringify(network)} is not solana: and 32 characters of a genesis hash`)
    if (rpcUrls.length === 0 || rpcUrls.some((url) => !/^https?:\/\//.test(url) || !URL.canParse(url)))
      throw new Error(`CHAINS: an RPC address of ${network} is not an http or https address`)
    return { network, rpcUrls }
  })
}

/**
 * Reads the mints of `ALLOWED_ASSETS` by network, and adds the known ones.
 *
 * @throws Error that names the invalid entry.
 */
export function allowMints(setting: string): ReadonlyMap<string, ReadonlySet<string>> {
  const { entries } = splitSvmEntries(setting)
  const allowed = entries.flatMap(([network, mints]) => mints.map((mint) => [network, mint] as const))
  for (const [network, mint] of allowed) {
    if (!NETWORK.test(network) || !isSolanaAddress(mint))
      throw new Error(`ALLOWED_ASSETS: ${JSON.stringify(`${network}=${mint}`)} is not a network and a mint`)
  }
  const byNetwork = Map.groupBy([...KNOWN_MINTS, ...allowed], ([network]) => network)
  return new Map([...byNetwork].map(([network, pairs]) => [network, new Set(pairs.map(([, mint]) => mint))]))
}
