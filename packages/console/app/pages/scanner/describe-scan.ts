import { formatCount } from '../../format/number.ts'
import { formatTime } from '../../format/time.ts'
import { refusalTexts, scannerTexts } from '../../texts/scanner.ts'
import { getRemainingUses, type Scan } from './scan.ts'

/** A scan as the screen shows it. */
export interface ScanDescription {
  /** What became of it, in one or two words. */
  readonly title: string
  /** The card; its code if it is not known. */
  readonly name: string
  /** Why, and what is left. */
  readonly details: readonly string[]
}

const { results } = scannerTexts

/**
 * Describes a scan for a person at the counter.
 *
 * @param hasProblem Whether the server cannot be reached at present.
 */
export function describeScan(scan: Scan, hasProblem: boolean): ScanDescription {
  const { card, code, state } = scan
  const name = card?.name ?? (state === 'refused' ? scannerTexts.unknownCard : code)
  switch (state) {
    case 'accepted':
      return { title: getAcceptedTitle(scan), name, details: describeAccepted(scan) }
    case 'refused': {
      const { title, advice } = describeRefusal(scan)
      return { title: results.refused, name, details: [title, advice] }
    }
    case 'waiting':
      return hasProblem
        ? { title: results.stored, name, details: [scannerTexts.storedAdvice] }
        : { title: results.checking, name, details: [] }
  }
}

function getAcceptedTitle({ card, membershipAction }: Scan): string {
  const isCheckIn =
    card?.program === 'eventCards' || (card?.program === 'membershipCards' && membershipAction === 'CHECK_IN')
  return isCheckIn ? results.checkedIn : results.redeemed
}

function describeAccepted(scan: Scan): readonly string[] {
  const { card } = scan
  const left = getRemainingUses(scan)
  if (card === undefined) return []
  if (left === undefined) return card.level === '' ? [] : [scannerTexts.level(card.level)]
  if (card.totalIssued === 1) return [scannerTexts.onlyUse]
  const total = formatCount(card.totalIssued)
  return [left === 0 ? scannerTexts.lastUse(total) : scannerTexts.remaining(formatCount(left), total)]
}

/** Says why a card is refused, and what that means. */
function describeRefusal({ card, reason, store }: Scan): {
  readonly title: string
  readonly advice: string
} {
  const isMembership = card?.program === 'membershipCards'
  switch (reason) {
    case 'not_yet_valid':
      return refusalTexts.not_yet_valid(card === undefined ? '' : formatTime(card.startTime))
    case 'expired':
      return refusalTexts.expired(card === undefined ? '' : formatTime(card.endTime))
    case 'exhausted':
      return refusalTexts.exhausted(card === undefined ? '' : formatCount(card.totalIssued))
    case 'wrong_store':
      return refusalTexts.wrong_store(card?.stores.join(', ') ?? '', store)
    case 'already_redeemed':
      return isMembership ? refusalTexts.already_redeemed_today : refusalTexts.already_redeemed
    case 'already_checked_in':
      return isMembership ? refusalTexts.already_checked_in_today : refusalTexts.already_checked_in
    case 'removed':
      return refusalTexts.removed
    case 'unknown':
      return refusalTexts.unknown
    case 'not_redeemable':
      return refusalTexts.not_redeemable
    case 'invalid':
      return refusalTexts.invalid
    default:
      // A newer server has reasons of its own.
      return refusalTexts.other(reason.replaceAll('_', ' '))
  }
}
