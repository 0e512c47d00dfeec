import { creationTimeQuery, Id, Integer, record, type Schema, Text, Timestamp } from '@mintmark/envelope'
import * as v from 'valibot'

/**
 * What a verification does with a card. Promo code cards support `REDEEM`, event cards `CHECK_IN`, membership
 * cards both.
 */
export type VerificationAction = 'REDEEM' | 'CHECK_IN'

/** The result of a verification. */
export type VerificationResult = 'OK' | 'REFUSED' | 'REVERSED'

/** Why a verification was refused; `''` if it was not. */
export type VerificationReason =
  | ''
  | 'not_yet_valid'
  | 'expired'
  | 'already_redeemed'
  | 'already_checked_in'
  | 'exhausted'
  | 'wrong_store'
  | 'removed'
  | 'campaign_paused'
  | 'campaign_ended'
  | 'unknown'

/** A card program whose cards can be verified. */
export type VerifiableProgram = 'promoCodeCards' | 'eventCards' | 'membershipCards'

// A newer server may return further values, so the types of the record are open.
const action: Schema<VerificationAction | (string & {})> = v.string()
const program: Schema<VerifiableProgram | (string & {})> = v.string()
const reason: Schema<VerificationReason | (string & {})> = v.string()
const result: Schema<VerificationResult | (string & {})> = v.string()

const previousUse = record({
  /** Who made the call: `key:…` or `person:…`. */
  actor: v.string(),
  /** When the card was used. */
  createTime: Timestamp,
  /** The scanner; `''` if the request did not name it. */
  device: v.string(),
  /** The id of the verification that used the card. */
  id: Integer,
  /** The store where the card was used; `''` if the request did not name it. */
  store: v.string(),
  /** The person or system that verified the card; `''` if the request did not name it. */
  verifier: v.string(),
})
/** When, where and by whom a card was used before. */
export interface PreviousUse extends v.InferOutput<typeof previousUse> {}
export const PreviousUse: Schema<PreviousUse> = previousUse

const verificationRecord = record({
  /** The requested action: `REDEEM` or `CHECK_IN`. */
  action,
  /** Who made the call: `key:…` or `person:…`. */
  actor: v.string(),
  /** The card's id; 0 if no card was found. */
  cardId: Integer,
  /** When the verification was first requested. */
  createTime: Timestamp,
  /** When the verification was first requested, in milliseconds since the epoch. */
  createTimeLong: Integer,
  /** The scanner; `''` if the request did not name it. */
  device: v.string(),
  /** The verification's id. */
  id: Integer,
  /** The nonce of the request. */
  nonce: v.string(),
  /**
   * The latest use, of a card that is refused because it was used. Only in the response of the call that
   * verifies, for callers with the scope `cards:read`.
   */
  previousUse: v.optional(PreviousUse),
  /** The card's program, such as `promoCodeCards`. */
  program,
  /** The project that the card belongs to. */
  projectId: Integer,
  /**
   * Why the card was refused: `not_yet_valid`, `expired`, `already_redeemed`, `already_checked_in`,
   * `exhausted`, `wrong_store`, `removed`, `campaign_paused`, `campaign_ended` or `unknown` (the card does not exist); `''` if it was not refused. Of a
   * reversal, the reason that the caller gave.
   */
  reason,
  /** `OK`, `REFUSED`, or `REVERSED` for the record of a reversal. */
  result,
  /** The id of the reversal of this verification; 0 if it was not reversed. */
  reversedBy: Integer,
  /** The id of the verification that this record reverses; 0 if it is no reversal. */
  reverses: Integer,
  /** The store where the card was presented; `''` if the request did not name it. */
  store: v.string(),
  /** How often a promo code card has been used after this verification or reversal; 0 for other programs. */
  usedCount: Integer,
  /** The person or system that verified the card; `''` if the request did not name it. */
  verifier: v.string(),
})
/** The outcome of a verification. Refusals are recorded too. */
export interface VerificationRecord extends v.InferOutput<typeof verificationRecord> {}
export const VerificationRecord: Schema<VerificationRecord> = verificationRecord

/** The fields of a verification request, except the action. */
export const verificationFields = {
  /** The card's id. Required without `qrCode`. Needs the scope `cards:write` in addition. */
  id: v.optional(Id),
  /**
   * The text that the scanner read: the URL of the card's page, or the code at the end of that URL. The
   * picture's URL, `qrCodeUrl`, is accepted too unless it is your own. Required without `id`.
   */
  qrCode: v.optional(Text),
  /**
   * An id that the scanner generates for this verification, unique for each program and device. Repeating a
   * call with the same nonce returns the same record and has no further effect.
   */
  nonce: Text,
  /**
   * The store where the card is presented, by name or code. A card that names stores is accepted only there.
   * Once the project has stores, other names are refused. Default: the store of the key, if it has one.
   */
  store: v.optional(v.string()),
  /** The person or system that verifies the card. */
  verifier: v.optional(v.string()),
  /** The scanner. */
  device: v.optional(v.string()),
}

export const verificationsQuery = {
  /** The verifications of one card. */
  cardId: v.optional(Id),
  /** The store where the cards were presented. */
  store: v.optional(v.string()),
  /** The person or system that verified the cards. */
  verifier: v.optional(v.string()),
  ...creationTimeQuery,
}
