import { type CardStatus, findCardCode } from '@mintmark/cards'
import { formatCount, formatNumber } from '../../format/number.ts'
import { t } from '../../language/translate.ts'
import type { AnyCard } from './programs.ts'

/** Returns when a card stops being valid, ISO 8601. */
export function getValidityEnd(card: AnyCard): string {
  return 'validityPeriod' in card ? card.validityPeriod : card.endTime
}

/**
 * Returns the status of a card that is not removed, by the rules of the server.
 *
 * @param now Milliseconds since the epoch.
 */
export function getCardStatus(card: AnyCard, now: number): CardStatus {
  if (new Date(getValidityEnd(card)).getTime() < now) return 'EXPIRED'
  if (new Date(card.startTime).getTime() > now) return 'NOT_YET_VALID'
  return isExhausted(card) ? 'EXHAUSTED' : 'ACTIVE'
}

function isExhausted(card: AnyCard): boolean {
  if ('isRedeemed' in card) return card.isRedeemed
  return 'isCheckedIn' in card && card.isCheckedIn
}

/** The code of a card, and the address of its page. */
export interface CardLink {
  readonly code: string
  readonly address: string
}

/**
 * Finds the code of a card and the address of its page. Undefined if the creator has set a QR code of their
 * own: the record then does not contain the code, and the address in it can be any.
 *
 * @param origin The address of the gateway, which serves the pages of cards and the console.
 */
export function findCardLink(card: AnyCard, origin: string): CardLink | undefined {
  const { projectId, qrCodeUrl } = card
  const code = findCardCode(card)
  if (code === undefined || qrCodeUrl !== `${origin}/qr/${projectId}/${code}.svg`) return undefined
  return { code, address: `${origin}/c/${projectId}/${code}` }
}

/** Formats what a card has besides its name and its time: uses, level or amount. */
export function formatUses(card: AnyCard): string {
  const total = formatCount(card.totalIssued)
  if ('usedCount' in card)
    return t('{usedCount} of {total} used', { usedCount: formatCount(card.usedCount), total })
  if ('isCheckedIn' in card) return card.isCheckedIn ? t('Checked in') : t('Not checked in')
  if ('level' in card) return card.level === '' ? t('No level') : card.level
  return formatNumber(card.amount)
}
