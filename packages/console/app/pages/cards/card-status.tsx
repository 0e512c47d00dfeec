import type { Campaign, CardStatus } from '@mintmark/cards'
import type { ReactNode } from 'react'
import { Badge, StatusBadge, type Tone } from '../../components/badge.tsx'
import { useNow } from '../../components/time.tsx'
import { t } from '../../language/translate.ts'
import { cardStatusTexts } from '../../texts/cards.ts'
import { getCardStatus } from './card.ts'
import type { AnyCard } from './programs.ts'

const TONES: Readonly<Record<CardStatus, Tone>> = {
  ACTIVE: 'success',
  NOT_YET_VALID: 'info',
  EXHAUSTED: 'neutral',
  EXPIRED: 'warning',
  REMOVED: 'danger',
}

interface CardStatusBadgeProps {
  readonly card: AnyCard
  /** Whether the card is in the list of removed cards. The record does not say it. */
  readonly isRemoved?: boolean
}

/** Shows the status of a card at this moment. */
export function CardStatusBadge({ card, isRemoved = false }: CardStatusBadgeProps): ReactNode {
  const current = getCardStatus(card, useNow())
  const status = isRemoved ? 'REMOVED' : current
  return <Badge tone={TONES[status]}>{cardStatusTexts[status]}</Badge>
}

const statuses = {
  ACTIVE: [t('Active'), 'success'],
  PAUSED: [t('Paused'), 'warning'],
  ENDED: [t('Ended'), 'neutral'],
} as const

/** Shows whether the cards of a campaign are accepted. */
export function CampaignStatus({ status }: Pick<Campaign, 'status'>): ReactNode {
  return <StatusBadge status={status} statuses={statuses} />
}
