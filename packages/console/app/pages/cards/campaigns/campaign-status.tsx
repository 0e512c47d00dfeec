import type { Campaign } from '@mintmark/cards'
import type { ReactNode } from 'react'
import { StatusBadge } from '../../../components/status-badge.tsx'
import { campaignsTexts } from '../../../texts/campaigns.ts'

const tones = { ACTIVE: 'success', PAUSED: 'warning', ENDED: 'neutral' } as const

/** Shows whether the cards of a campaign are accepted. */
export function CampaignStatus({ status }: Pick<Campaign, 'status'>): ReactNode {
  return <StatusBadge status={status} names={campaignsTexts.statuses} tones={tones} />
}
