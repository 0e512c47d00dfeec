import type { Campaign } from '@mintmark/cards'
import type { ReactNode } from 'react'
import { Badge } from '../../../components/badge.tsx'
import { campaignsTexts } from '../../../texts/campaigns.ts'

const TONES = { ACTIVE: 'success', PAUSED: 'warning', ENDED: 'neutral' } as const
type Status = keyof typeof TONES

/** Shows whether the cards of a campaign are accepted. A status of a newer server is shown as it is. */
export function CampaignStatus({ status }: Pick<Campaign, 'status'>): ReactNode {
  const isKnown = (text: string): text is Status => text in TONES
  return isKnown(status) ? (
    <Badge tone={TONES[status]}>{campaignsTexts.statuses[status]}</Badge>
  ) : (
    <Badge tone="neutral">{status}</Badge>
  )
}
