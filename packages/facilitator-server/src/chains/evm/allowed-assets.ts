import { networkOf } from '@mintmark/server-kit'
import { knownAssets } from './known-chains.ts'

/** Assets that may be paid with, as `assetKey` writes them. */
export type AllowedAssets = ReadonlySet<string>

/** CAIP-2 network and lower-case address. */
export const assetKey = (network: string, address: string): string => `${network}/${address.toLowerCase()}`

/**
 * The chains' known USDC, and what `ALLOWED_ASSETS` adds: `84532=0x…,8453=0x…`.
 *
 * @throws Error that names the entry that is wrong.
 */
export function allowAssets(setting = ''): AllowedAssets {
  const known = [...knownAssets].map(([chainId, asset]) => assetKey(networkOf(chainId), asset.address))
  const added = setting
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [, chainId, address] = /^([1-9]\d{0,14})=(0x[0-9a-fA-F]{40})$/.exec(entry) ?? []
      if (chainId === undefined || address === undefined) {
        throw new Error(`ALLOWED_ASSETS: ${JSON.stringify(entry)} is not a chain id and a token's address.`)
      }
      return assetKey(networkOf(Number(chainId)), address)
    })
  return new Set([...known, ...added])
}
