import { t } from '../language/translate.ts'

/** A field for the hash of a transaction. */
export const hashField = {
  kind: 'code',
  label: t('Transaction'),
  description: t('0x and 64 hexadecimal digits.'),
  check: { pattern: /^0x[0-9a-f]{64}$/i, message: t('Enter a transaction: 0x and 64 hexadecimal digits') },
} as const
