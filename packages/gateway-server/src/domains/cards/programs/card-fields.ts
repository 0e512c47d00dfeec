import type {
  CommemorativeCard,
  CommemorativeCardItem,
  EventCard,
  MembershipCard,
  PromoCodeCard,
  VerificationRecord,
} from '@mintmark/cards'
import type { Verification } from '../verification/verifications-store.ts'
import { qrCodeUrlOf } from './card-rules.ts'
import type { Card, Program } from './cards-store.ts'

function issued(card: Card, publicUrl: string) {
  return {
    applicableStores: JSON.stringify(card.applicable_stores),
    backgroundImageUrl: card.background_image_url,
    chainId: card.chain_id,
    createTimeLong: card.created_at.getTime(),
    endTime: card.end_time.toISOString(),
    id: card.id,
    logoUrl: card.logo_url,
    name: card.name,
    nftAddress: card.nft_address,
    nftId: card.nft_id,
    nftType: card.nft_type,
    projectId: card.project_id,
    qrCodeUrl: qrCodeUrlOf(card, publicUrl),
    startTime: card.start_time.toISOString(),
    totalIssued: card.total_issued,
    usageInstructions: card.usage_instructions,
  }
}

export function promoCodeCardOf(card: Card, publicUrl: string): PromoCodeCard {
  return {
    ...issued(card, publicUrl),
    isRedeemed: card.used_count >= card.total_issued,
    usedCount: card.used_count,
    validityPeriod: card.validity_period.toISOString(),
  }
}

export function eventCardOf(card: Card, publicUrl: string): EventCard {
  return { ...issued(card, publicUrl), isCheckedIn: card.is_checked_in }
}

export function commemorativeCardOf(card: Card, publicUrl: string): CommemorativeCard {
  return { ...issued(card, publicUrl), amount: Number(card.amount), imageUrl: card.image_url }
}

export function membershipCardOf(card: Card, publicUrl: string): MembershipCard {
  return {
    ...issued(card, publicUrl),
    benefits: card.benefits,
    level: card.level,
    validityPeriod: card.validity_period.toISOString(),
  }
}

export function commemorativeCardItemOf(card: Card, publicUrl: string): CommemorativeCardItem {
  return {
    amount: Number(card.amount),
    id: card.id,
    imageUrl: card.image_url,
    name: card.name,
    nftAddress: card.nft_address,
    nftId: card.nft_id,
    nftType: card.nft_type,
    qrCodeUrl: qrCodeUrlOf(card, publicUrl),
    totalIssued: card.total_issued,
    usageInstructions: card.usage_instructions,
  }
}

/** The programs as callers know them. */
const GROUPS: Readonly<Record<Program, string>> = {
  promo_code: 'promoCodeCards',
  event: 'eventCards',
  commemorative: 'commemorativeCards',
  membership: 'membershipCards',
}

export function verificationRecordOf(row: Verification): VerificationRecord {
  return {
    action: row.action,
    cardId: row.card_id ?? 0,
    createTime: row.created_at.toISOString(),
    createTimeLong: row.created_at.getTime(),
    device: row.device,
    id: row.id,
    nonce: row.nonce,
    program: GROUPS[row.program],
    projectId: row.project_id,
    reason: row.reason,
    result: row.result,
    store: row.store,
    verifier: row.verifier,
  }
}
