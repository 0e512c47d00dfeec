import { version1Networks } from '../../../chains/evm/settings/known-chains.ts'

/** Parses the network of a request. Undefined if it is no EVM chain. */
export function parseChainId(wireNetwork: string, version: 1 | 2): number | undefined {
  if (version === 1) return version1Networks.get(wireNetwork)
  const digits = /^eip155:([1-9][0-9]{0,15})$/.exec(wireNetwork)?.[1]
  return digits === undefined ? undefined : Number(digits)
}
