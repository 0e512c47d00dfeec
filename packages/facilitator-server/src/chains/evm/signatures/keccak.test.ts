import { randomBytes } from 'node:crypto'
import { keccak256 as reference, stringToBytes } from 'viem'
import { expect, it } from 'vitest'
import { hashDigits, hashText, keccak256 } from './keccak.ts'

// A block of the hash has 136 bytes.
it.each([0, 1, 32, 64, 66, 135, 136, 137, 271, 272, 273, 600, 75_000])(
  'hashes %i bytes as viem does',
  (length) => {
    const bytes = randomBytes(length)
    expect(keccak256(bytes)).toBe(reference(bytes))
    expect(hashDigits(bytes.toString('hex'))).toBe(reference(bytes).slice(2))
  },
)

it('hashes texts in UTF-8', () => {
  for (const text of ['', 'USDC', 'Währung €'])
    expect(hashText(text)).toBe(reference(stringToBytes(text)).slice(2))
})
