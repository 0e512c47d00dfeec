/** A field for the hash of a transaction. */
export const hashField = {
  kind: 'code',
  label: 'Transaction',
  description: '0x and 64 hexadecimal digits.',
  check: { pattern: /^0x[0-9a-f]{64}$/i, message: 'Enter a transaction: 0x and 64 hexadecimal digits' },
} as const
