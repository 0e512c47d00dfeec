import type { FieldLimits } from '@mintmark/server-kit'
import { KEY, NAME, TEXT } from '../../../http/field-limits.ts'

/** The most that a QR code can hold. */
const QR_CODE = { characters: 4296 } as const

/** The fields of all card programs. */
export const cardLimits: FieldLimits = {
  applicableStores: { ...KEY, items: 1000, bytes: 32_768 },
  benefits: { ...NAME, items: 1000, bytes: 16_384 },
  cards: { items: 500 },
  device: KEY,
  level: NAME,
  nonce: KEY,
  qrCode: QR_CODE,
  store: KEY,
  usageInstructions: TEXT,
  verifier: KEY,
}
