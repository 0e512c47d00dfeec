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
