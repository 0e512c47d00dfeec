import { type FieldLimits, TIME_FORMAT } from '@mintmark/server-kit'
import { SECRET_FORMAT } from '@mintmark/webhooks'
import { MAX_MATCHES } from '../../catalog/search.ts'

/**
 * Enough for an x402 payload with extensions. The body has at most 1 MiB. Both HTTP APIs report arrays as an
 * invalid payload.
 */
const PAYMENT_PART = { bytes: 262_144, acceptsArray: true } as const

const TIME = { characters: 64, format: TIME_FORMAT } as const

/** The limits of the input of all operations. */
export const fieldLimits: FieldLimits = {
  asset: { characters: 128 },
  audience: { characters: 2048 },
  'catalog.list/cursor': { characters: 64 },
  'catalog.search/cursor': { characters: 64 },
  contract: { characters: 44 },
  days: { min: 1, max: 366 },
  description: { characters: 4000 },
  events: { items: 100, characters: 64 },
  extensions: { characters: 64 },
  from: TIME,
  identifier: { characters: 128 },
  limit: { min: 1 },
  network: { characters: 64 },
  nonce: { characters: 78 },
  offset: { min: 0, max: MAX_MATCHES },
  orderNo: { characters: 128 },
  overlapHours: { min: 0, max: 168, integer: true },
  paymentPayload: PAYMENT_PART,
  paymentRequirements: PAYMENT_PART,
  /** `0x` and 4,096 bytes. */
  signature: { characters: 8194 },
  payTo: { characters: 128 },
  payer: { characters: 44 },
  query: { characters: 400 },
  scheme: { characters: 64 },
  size: { min: 1, max: 100, integer: true },
  secret: { characters: 128, format: SECRET_FORMAT },
  status: { characters: 32 },
  to: TIME,
  transaction: { characters: 88 },
  type: { characters: 16 },
  url: { bytes: 2048 },
}
