/** Longer than the addresses of any chain, and short enough for an index. */
const MAX_ADDRESS_LENGTH = 128

/** The specification does not show a format of addresses, so that any chain's is taken; what is stored has a bound all the same. */
export function refuseLongAddress(
  field: string,
  address: string,
  invalid: (field: string, message: string) => never,
): void {
  if (address.length > MAX_ADDRESS_LENGTH)
    invalid(field, `Expected an address of at most ${MAX_ADDRESS_LENGTH} characters`)
}

/** An address as it is stored and compared: of bounded length, in lower case. */
export function storedAddress(
  field: string,
  address: string,
  invalid: (field: string, message: string) => never,
): string {
  refuseLongAddress(field, address, invalid)
  return address.toLowerCase()
}

/** An address as EVM chains have it, in lower case: one that can pay, be paid and hold tokens there. */
export function isEvmAddress(address: string): boolean {
  return /^0x[0-9a-f]{40}$/.test(address)
}

/** What is said of one that is none. */
export const EVM_ADDRESS = 'Expected an address of the chain: 0x and 40 hexadecimal digits'
