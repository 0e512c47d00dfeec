import { type PreviousUse, parseCardCode, type VerificationReason } from '@mintmark/cards'

/** A program of cards. */
export type CardProgram = 'promoCodeCards' | 'eventCards' | 'membershipCards' | 'commemorativeCards'

/** What a scan does with a membership card. Other programs have one action. */
export type MembershipAction = 'CHECK_IN' | 'REDEEM'

/** What is stored of a card, so that the result can be shown without a connection. */
export interface ScannedCard {
  readonly program: CardProgram
  readonly id: number
  readonly name: string
  /** Total supply. */
  readonly totalIssued: number
  /** ISO 8601. */
  readonly startTime: string
  /** When the card stops being valid, ISO 8601. */
  readonly endTime: string
  /** The stores that accept the card; none for all stores. */
  readonly stores: readonly string[]
  /** The level of a membership card, `''` for other cards. */
  readonly level: string
}

/**
 * Why a card is refused. Those that the server does not record: a code of no card, and a card that nothing
 * can be redeemed with.
 */
export type RefusalReason = VerificationReason | 'not_redeemable' | 'invalid' | (string & {})

/** What became of a scan. `waiting`: no answer yet, so nobody knows. */
export type ScanState = 'waiting' | 'accepted' | 'refused'

/**
 * The request of a scan. A repeated request is the same in all of these fields, because the server compares
 * them.
 */
export interface ScanRequest {
  readonly projectId: number
  /** The code of the card. */
  readonly code: string
  /** The id of this browser. */
  readonly device: string
  /** `''` if the scanner belongs to no store. */
  readonly store: string
  /** The id of the store. Undefined if the project has none with this name. */
  readonly storeId?: number | undefined
  /** Who scanned. */
  readonly verifier: string
  readonly membershipAction: MembershipAction
}

/** A scan with what is known about it. */
export interface Scan extends ScanRequest, AnswerDetails {
  /** The id of the scan. The server redeems once for each. */
  readonly nonce: string
  /** The place in the order of scans on this device, from 1. */
  readonly sequence: number
  /** Milliseconds since the epoch. */
  readonly scannedAt: number
  readonly state: ScanState
  /** The card, as soon as it is found. It stays the card of this scan. */
  readonly card?: ScannedCard
  /** Why the card is refused; `''` if it is not. */
  readonly reason: RefusalReason
  /** How often a promo code card has been used, this scan included; 0 for other programs. */
  readonly usedCount: number
  /** When the answer arrived, in milliseconds since the epoch; 0 without an answer. */
  readonly answeredAt: number
  /** Whether the accepted scan was undone on this device, at `answeredAt`. Default: no. */
  readonly isUndone?: boolean
}

/** What the server answers in addition to some scans. */
interface AnswerDetails {
  /** The id of the server's record. */
  readonly verificationId?: number
  /** When, where and by whom a refused card was used before. */
  readonly previousUse?: PreviousUse | undefined
  /** The name of the store in the record, if it has another one since the scan. */
  readonly newStoreName?: string | undefined
  /** What the server says about a request that it does not accept. */
  readonly message?: string | undefined
}

/** What the server answered to a scan. */
export interface ScanAnswer extends AnswerDetails {
  readonly state: Exclude<ScanState, 'waiting'>
  readonly reason: RefusalReason
  readonly usedCount: number
}

/** The most characters of a code in a QR code. */
const MAX_CODE_LENGTH = 4296

/** Reads the code in a scanned text. Undefined for an empty text, and for one that is too long for a code. */
export function readScannedCode(scannedText: string): string | undefined {
  const code = scannedText.length > MAX_CODE_LENGTH ? '' : parseCardCode(scannedText)
  return code === '' ? undefined : code
}

/** Returns how many uses a promo code card has left after a scan; undefined for other programs. */
export function getRemainingUses({ card, usedCount }: Scan): number | undefined {
  return card?.program === 'promoCodeCards' ? Math.max(0, card.totalIssued - usedCount) : undefined
}

/** How many scans a list shows, besides those that wait. */
const SHOWN_SCANS = 30

/** Adds scans to a list, or replaces them there. Newest first. */
export function addScans(scans: readonly Scan[], added: readonly Scan[]): readonly Scan[] {
  const byNonce = new Map([...scans, ...added].map((scan) => [scan.nonce, scan]))
  return [...byNonce.values()].toSorted((one, other) => other.sequence - one.sequence)
}

/** Selects the scans that a list shows: every scan that waits, and the newest of the others. */
export function listShownScans(scans: readonly Scan[]): readonly Scan[] {
  return scans.filter(({ state }, index) => index < SHOWN_SCANS || state === 'waiting')
}
