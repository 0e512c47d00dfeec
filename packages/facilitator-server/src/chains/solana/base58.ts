const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Encodes bytes in base58, as Solana writes addresses, blockhashes and signatures. */
export function encodeBase58(bytes: Uint8Array): string {
  let rest = bytes.length === 0 ? 0n : BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  let text = ''
  while (rest > 0n) {
    text = ALPHABET.charAt(Number(rest % 58n)) + text
    rest /= 58n
  }
  const zeros = bytes.findIndex((byte) => byte !== 0)
  return '1'.repeat(zeros === -1 ? bytes.length : zeros) + text
}

/** Decodes base58 text to exactly `size` bytes. Returns undefined for any other text. */
export function decodeBase58(text: string, size: number): Buffer | undefined {
  // No encoding of `size` bytes is longer. The limit bounds the work for hostile input.
  if (text === '' || text.length > Math.ceil(size * 1.4)) return undefined
  let value = 0n
  for (const character of text) {
    const digit = ALPHABET.indexOf(character)
    if (digit === -1) return undefined
    value = value * 58n + BigInt(digit)
  }
  const hex = value.toString(16).padStart(size * 2, '0')
  const bytes = Buffer.from(hex, 'hex')
  // Another number of leading zeros would be another text of the same bytes.
  return hex.length === size * 2 && encodeBase58(bytes) === text ? bytes : undefined
}

/** Whether a text is the address of an account: 32 bytes in base58. */
export const isSolanaAddress = (text: string): boolean => decodeBase58(text, 32) !== undefined
