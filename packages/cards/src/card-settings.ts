import { Integer, record, type Schema } from '@mintmark/envelope'
import { gatewayOperation, type InputOf } from '@mintmark/operation'
import * as v from 'valibot'

const cardSettings = record({
  /** How long callers without the scope `cards:write` can reverse their own verifications, in minutes. */
  reversalMinutes: Integer,
  /** How many verifications such a caller can reverse in a day. */
  reversalsPerDay: Integer,
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
  },
  data: CardSettings,
})
export type UpdateCardSettingsInput = InputOf<typeof update>
