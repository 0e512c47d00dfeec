// ABI encoding by hand, because a general encoder takes several times as long as the rest of a verify. All
// values are hex digits without 0x.

/** Encodes an address, lower-case. */
export const addressWord = (address: string): string => address.slice(2).padStart(64, '0')

export const numberWord = (value: bigint | number): string => value.toString(16).padStart(64, '0')

/** Encodes bytes: their length, and the bytes padded to whole words. */
export function encodeBytes(digits: string): string {
  return numberWord(digits.length / 2) + digits.padEnd(Math.ceil(digits.length / 64) * 64, '0')
}
