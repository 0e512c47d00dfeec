import { randomBytes } from 'node:crypto'

/**
 * The scope of issuing cards. Only its holders see the codes of cards: whoever has the code has the card. Staff
 * verify cards whose code they are shown.
 */
export const CARD_ISSUER_SCOPE = 'cards:write'

/** Draws a card's code: 160 random bits, which cannot be guessed. */
export function drawQrCode(): string {
  return randomBytes(20).toString('base64url')
}

/** Returns the address of a card's page, which its QR code contains. */
export function cardPageUrl(card: { project_id: number; qr_code: string }, publicUrl: string): string {
  return `${publicUrl}/c/${card.project_id}/${card.qr_code}`
}

/** Returns the address of a card's QR image: the creator's own, or the one that this server draws. */
export function qrCodeUrl(
  card: { project_id: number; qr_code: string; qr_code_url: string },
  publicUrl: string,
): string {
  return card.qr_code_url || `${publicUrl}/qr/${card.project_id}/${card.qr_code}.svg`
}

/** Returns what lists find the cards of a campaign by, in `card_stores`. */
export function toCampaignKey(id: number): string {
  return ` campaign${id}`
}
