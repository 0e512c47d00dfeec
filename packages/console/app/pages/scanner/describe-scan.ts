import type { PreviousUse } from '@mintmark/cards'
import { formatCount } from '../../format/number.ts'
import { formatTime, formatTimeOfDay } from '../../format/time.ts'
import { t } from '../../language/translate.ts'
import { refusalTexts, scannerTexts } from '../../texts/scanner.ts'
import { type EarlierUse, findEarlierUse } from './earlier-use.ts'
import { getRemainingUses, type Scan, type ScanState } from './scan.ts'

/** A scan as the screen shows it. */
export interface ScanDescription {
  /** What became of it, in one or two words. */
  readonly title: string
  /** What it looks like: a card that was used before is refused, also while its scan waits. */
  readonly look: ScanState
  /** The card; its code if it is not known. */
  readonly name: string
  /** Why, and what is left. */
  readonly details: readonly string[]
}

const { results } = scannerTexts

/** What the description of a scan depends on. */
export interface ScanSurroundings {
  /** Whether the server cannot be reached at present. */
  readonly hasProblem: boolean
  /** The scans of the same project on this device. */
  readonly scans: readonly Scan[]
}

/** Describes a scan for a person at the counter. */
export function describeScan(scan: Scan, { hasProblem, scans }: ScanSurroundings): ScanDescription {
  const { card, code, state } = scan
  const name = card?.name ?? (state === 'refused' ? t('Unknown card') : code)
  switch (state) {
    case 'accepted':
      return { title: getAcceptedTitle(scan), look: state, name, details: describeAccepted(scan) }
    case 'refused': {
      const { title, advice } = describeRefusal(scan)
      const used = scan.previousUse === undefined ? [] : [describePreviousUse(scan.previousUse)]
      return { title: t('Refused'), look: state, name, details: [title, advice, ...used] }
    }
    case 'waiting':
      return hasProblem
        ? describeStored(scan, findEarlierUse(scan, scans))
        : { title: t('Checking…'), look: state, name, details: [] }
  }
}

/** Describes a scan that waits for the server, with what this device knows of the card. */
function describeStored({ code, card }: Scan, earlier: EarlierUse | undefined): ScanDescription {
  const name = card?.name ?? earlier?.scan.card?.name ?? code
  if (earlier === undefined) {
    return { title: results.stored, look: 'waiting', name, details: [scannerTexts.storedAdvice] }
  }
  const { scan, isUsedUp } = earlier
  const used = describeUse(scan)
  if (!isUsedUp) {
    const details = [scannerTexts.storedAdvice, used, ...describeAccepted(scan)]
    return { title: results.stored, look: 'waiting', name, details }
  }
  const title = isCheckIn(scan) ? t('Already checked in') : t('Already redeemed')
  return {
    title,
    look: 'refused',
    name,
    details: [used, t('No answer from the server. This scan is stored, and the server checks it later.')],
  }
}

/** Says when this device used a card, or was told that it is used. */
function describeUse(scan: Scan): string {
  const { state, scannedAt } = scan
  const time = formatMoment(scannedAt)
  if (state === 'refused')
    return t('The server refused it on this device at {time}, because it was used before.', { time })
  return isCheckIn(scan)
    ? t('Checked in with this device at {time}.', { time })
    : t('Redeemed with this device at {time}.', { time })
}

function describePreviousUse({ createTime, store, verifier }: PreviousUse): string {
  const parts = [formatMoment(createTime), store, verifier].filter((part) => part !== '')
  return t('Used before: {uses}', { uses: parts.join(' · ') })
}

/** Formats the time of a day, for another day with its date. */
function formatMoment(time: string | number): string {
  const isToday = new Date(time).toDateString() === new Date().toDateString()
  return isToday ? formatTimeOfDay(time) : formatTime(time)
}

function getAcceptedTitle(scan: Scan): string {
  return isCheckIn(scan) ? t('Checked in') : t('Redeemed')
}

function isCheckIn({ card, membershipAction, reason }: Scan): boolean {
  if (reason !== '') return reason === 'already_checked_in'
  return (
    card?.program === 'eventCards' || (card?.program === 'membershipCards' && membershipAction === 'CHECK_IN')
  )
}

function describeAccepted(scan: Scan): readonly string[] {
  const { card } = scan
  const left = getRemainingUses(scan)
  if (card === undefined) return []
  if (left === undefined) return card.level === '' ? [] : [t('Level: {level}', { level: card.level })]
  if (card.totalIssued === 1) return [t('That was its only use')]
  const total = formatCount(card.totalIssued)
  return [
    left === 0
      ? t('That was the last of {total} uses', { total })
      : t('{left} of {total} uses left', { left: formatCount(left), total }),
  ]
}

/** Says why a card is refused, and what that means. */
function describeRefusal({ card, reason, store, message }: Scan): {
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
    case 'campaign_paused':
      return refusalTexts.campaign_paused
    case 'campaign_ended':
      return refusalTexts.campaign_ended
    case 'removed':
      return refusalTexts.removed
    case 'unknown':
      return refusalTexts.unknown
    case 'not_redeemable':
      return refusalTexts.not_redeemable
    case 'invalid':
      return refusalTexts.invalid(message)
    default:
      // A newer server has reasons of its own.
      return refusalTexts.other(reason.replaceAll('_', ' '))
  }
}
