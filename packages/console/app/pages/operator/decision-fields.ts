/** A field in which an operator says why, for those who read the given record. */
export const createReasonField = (record: string) =>
  ({
    kind: 'text',
    isRequired: true,
    label: 'Reason',
    description: `Those who read the ${record} see it, with your name.`,
    check: { pattern: /\S/, message: 'Enter why you decide this, for those who read the history' },
  }) as const

/** A field for the hash of a transaction. */
export const hashField = {
  kind: 'code',
  label: 'Transaction',
  description: '0x and 64 hexadecimal digits.',
  check: {
    pattern: /^0x[0-9a-f]{64}$/i,
    message: 'Enter a transaction: 0x and 64 hexadecimal digits',
  },
} as const
