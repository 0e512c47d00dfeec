import type { FieldLimits } from '@mintmark/server-kit'
import { JSON_OBJECT, NAME } from '../../../http/field-limits.ts'

/** The states a caller may give an NFT; RESERVED and MINTED come of minting. */
export const CALLER_STATUSES: ReadonlySet<string> = new Set(['DISPLAY', 'HIDDEN'])
export const MAX_ROYALTY_PERCENTAGE = 100

/** The fields of product cards. */
export const productCardLimits: FieldLimits = {
  channel: NAME,
  data: JSON_OBJECT,
  licenseCode: NAME,
  // Each change holds the token data before and after it.
  'productCards.tokenDataLog/pageSize': { max: 50 },
}
