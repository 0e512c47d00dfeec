import type { CardStatus } from '../programs/card-status.ts'
import type { CardWithStatus } from '../programs/cards-store.ts'

/** What the page of a card shows as its status. */
export type ShownStatus = CardStatus | 'PAUSED' | 'ENDED' | 'CHECKED_IN'

/** Returns what the page of a card shows as its status: that of its campaign, if the card could be used otherwise. */
export function getShownStatus({ status, campaign_status, is_checked_in }: CardWithStatus): ShownStatus {
  if (is_checked_in && status === 'EXHAUSTED') return 'CHECKED_IN'
  const isUsable = status === 'ACTIVE' || status === 'NOT_YET_VALID'
  return isUsable && (campaign_status === 'PAUSED' || campaign_status === 'ENDED') ? campaign_status : status
}
