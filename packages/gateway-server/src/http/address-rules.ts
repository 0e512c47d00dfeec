import { isAddress } from 'viem'

/** The message for a text that is not an EVM address. */
export const EVM_ADDRESS = 'Expected an address: 0x and 40 hexadecimal digits'
const WRONG_CHECKSUM = 'Checksum of this address is wrong. Check its digits, or write it in lower case'

/** Whether a lower-case text is an EVM address: one that can pay, be paid and hold tokens. */
export function isEvmAddress(address: string): boolean {
  return /^0x[0-9a-f]{40}$/.test(address)
}

/**
 * Describes what is wrong with an address, if anything. An address in mixed case has to have the checksum of
 * EIP-55.
 */
export function findAddressProblem(address: string): string | undefined {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) return EVM_ADDRESS
  const digits = address.slice(2)
  if (digits === digits.toLowerCase() || digits === digits.toUpperCase()) return undefined
  return isAddress(address) ? undefined : WRONG_CHECKSUM
}
