import type { FieldLimits } from '@mintmark/server-kit'
import { CHOICE } from '../../../http/field-limits.ts'
import { PRICED_BY, WHITELIST_MODES } from './phase-rules.ts'

/** The fields of presales. */
export const presaleLimits: FieldLimits = {
  limitPerWallet: { min: 0 },
  maxClaimable: { min: 0 },
  pricedBy: { ...CHOICE, oneOf: PRICED_BY },
  whitelistMode: { ...CHOICE, oneOf: WHITELIST_MODES },
}
