import { Id, Integer, record, type Schema, Text, Timestamp } from '@mintmark/envelope'
import * as v from 'valibot'

const verificationRecord = record({
  /** `REDEEM` or `CHECK_IN`, as it was asked. */
  action: v.string(),
  /** The card; 0 where none was found. */
  cardId: Integer,
  /** When it was asked first. */
  createTime: Timestamp,
  /** Milliseconds since the epoch. */
  createTimeLong: Integer,
  /** The scanner; `''` where it did not say. */
  device: v.string(),
  /** The verification's id. */
  id: Integer,
  /** The scanner's own mark of this verification. */
  nonce: v.string(),
  /** The card's program, such as `promoCodeCards`. */
  program: v.string(),
  /** The project that the card belongs to. */
  projectId: Integer,
  /**
   * Why it was refused: `not_yet_valid`, `expired`, `already_redeemed`, `already_checked_in`, `exhausted`, `wrong_store`, `removed` or
   * `unknown` (there is no such card); `''` where it was not.
   */
  reason: v.string(),
  /** `OK` or `REFUSED`. */
  result: v.string(),
  /** The store that the card was shown in; `''` where the scanner did not say. */
  store: v.string(),
  /** Who verified. */
  verifier: v.string(),
})
/** What became of a card that was shown: refusals are recorded as well. */
export interface VerificationRecord extends v.InferOutput<typeof verificationRecord> {}
export const VerificationRecord: Schema<VerificationRecord> = verificationRecord

/** What a scanner sends, besides the action. */
export const verificationFields = {
  /** The card's id; or else `qrCode`. */
  id: v.optional(Id),
  /** What the scanner read: the address of the card's page, or the code at its end; or else `id`. */
  qrCode: v.optional(Text),
  /**
   * The scanner's own mark of this verification, unique for each program and device: the same again is answered with the same record,
   * and does nothing.
   */
  nonce: Text,
  /** The store that the card is shown in; a card that names stores is good in those alone. */
  store: v.optional(v.string()),
  /** Who verifies. */
  verifier: v.optional(v.string()),
  /** The scanner. */
  device: v.optional(v.string()),
}

export const verificationsOf = {
  /** The verifications of one card. */
  cardId: v.optional(Id),
  /** The store that the cards were shown in. */
  store: v.optional(v.string()),
  /** Who verified. */
  verifier: v.optional(v.string()),
  /** At this time or later. */
  from: v.optional(Timestamp),
  /** Before this time. */
  to: v.optional(Timestamp),
}
