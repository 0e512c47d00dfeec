import type { Campaign } from '@mintmark/cards'
import type { ReactNode } from 'react'
import { StatusBadge } from '../../../components/status-badge.tsx'

const statuses = {
  ACTIVE: ['Active', 'success'],
  PAUSED: ['Paused', 'warning'],
  ENDED: ['Ended', 'neutral'],
} as const

/** Shows whether the cards of a campaign are accepted. */
export function CampaignStatus({ status }: Pick<Campaign, 'status'>): ReactNode {
  return <StatusBadge status={status} statuses={statuses} />
}
