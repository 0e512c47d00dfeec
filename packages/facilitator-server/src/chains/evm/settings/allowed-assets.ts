import { toNetwork } from '@mintmark/evm-reader'
import { knownAssets } from './known-chains.ts'

/** Assets that payments may use, in the format of `assetKey`. */
export type AllowedAssets = ReadonlySet<string>

/** Formats a CAIP-2 network and a lower-case address. */
export const assetKey = (network: string, address: string): string => `${network}/${address.toLowerCase()}`

/**
 * Parses `ALLOWED_ASSETS` (`84532=0x…,8453=0x…`) and adds the known USDC contracts.
 *
 * @throws Error that names the invalid entry.
 */
export function allowAssets(setting = ''): AllowedAssets {
  const known = [...knownAssets].map(([chainId, asset]) => assetKey(toNetwork(chainId), asset.address))
  return new Set([...known, ...parseChainAddresses('ALLOWED_ASSETS', setting)])
}

/** Lists the addresses of a network's allowed assets. */
export function listAllowedAssets(allowed: AllowedAssets, network: string): string[] {
  const prefix = assetKey(network, '')
  return [...allowed].filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length))
}

/** The contracts that may deploy payers' wallets (ERC-6492), in the format of `assetKey`. */
export type AllowedFactories = ReadonlySet<string>

/**
 * Parses `WALLET_FACTORIES` (`84532=0x…,8453=0x…`).
 *
 * @throws Error that names the invalid entry.
 */
export const allowFactories = (setting = ''): AllowedFactories =>
  new Set(parseChainAddresses('WALLET_FACTORIES', setting))

function parseChainAddresses(name: string, setting: string): string[] {
  return setting
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [, chainId, address] = /^([1-9]\d{0,14})=(0x[0-9a-fA-F]{40})$/.exec(entry) ?? []
      if (chainId === undefined || address === undefined) {
        throw new Error(
          `${name}: ${JSON.stringify(entry)} is not a chain id and a contract address, such as 84532=0x…`,
        )
      }
      return assetKey(toNetwork(Number(chainId)), address)
    })
}
