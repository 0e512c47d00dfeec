import { Integer, record, type Schema } from '@mintmark/envelope'
import { gatewayOperation, type InputOf } from '@mintmark/operation'
import * as v from 'valibot'

const cardSettings = record({
  /** How long callers without the scope `cards:write` can reverse their own verifications, in minutes. */
  reversalMinutes: Integer,
  /** How many verifications such a caller can reverse in a day. */
  reversalsPerDay: Integer,
  /** The name of the shop on the pages of cards; `''` if it is not set. */
  shopName: v.string(),
  /** URL of the logo of the shop on the pages of cards; `''` if it is not set. */
  logoUrl: v.string(),
  /** The color of the shop on the pages of cards, as in `#7a1f3d`; `''` if it is not set. */
  accentColor: v.string(),
})
/** What a project sets for all its cards. */
export interface CardSettings extends v.InferOutput<typeof cardSettings> {}
export const CardSettings: Schema<CardSettings> = cardSettings

/**
 * Returns the project's settings of cards.
 *
 * @example
 * const { reversalMinutes } = await cardSettings.get(gateway)
 */
export const get = gatewayOperation({
  id: 'cardSettings.get',
  method: 'GET',
  path: '/api/v1/card/settings',
  source: 'added',
  scope: 'cards:read',
  data: CardSettings,
})

/**
 * Replaces the given settings of cards and keeps the others.
 *
 * @example
 * await cardSettings.update(gateway, { reversalMinutes: 5 })
 */
export const update = gatewayOperation({
  id: 'cardSettings.update',
  method: 'POST',
  path: '/api/v1/card/settings',
  source: 'added',
  idempotent: true,
  scope: 'cards:write',
  body: {
    /** How long staff can reverse their own verifications, in minutes: 0 (never) to 10,080. Default: 10. */
    reversalMinutes: v.optional(Integer),
    /** How many verifications each of the staff can reverse in a day: 0 to 10,000. Default: 20. */
    reversalsPerDay: v.optional(Integer),
    /** The name of the shop that customers see on the pages of cards, at most 200 characters. `''` removes it. */
    shopName: v.optional(v.string()),
    /** URL of the logo of the shop on the pages of cards, such as one of `media.upload`. `''` removes it. */
    logoUrl: v.optional(v.string()),
    /** The color of the shop on the pages of cards: `#` and six hexadecimal digits. `''` removes it. */
    accentColor: v.optional(v.string()),
  },
  data: CardSettings,
})
export type UpdateCardSettingsInput = InputOf<typeof update>
