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

/** The address of a card's page (`/c/…`) or of its QR image (`/qr/….svg`), on any host. */
const CARD_ADDRESS =
  /^https?:\/\/[^?#]*\/(?:c\/[1-9]\d*\/([\w-]+)\/?|qr\/[1-9]\d*\/([\w-]+)\.svg)(?:[?#].*)?$/i

/**
 * Extracts the code from a scanned text: the address of a card's page, on whichever host it was printed for,
 * or the code alone. The address of the QR image is accepted too, because it is the only address in a card's
 * record. Any other text is returned unchanged, and matches no card.
 */
export function extractCode(scannedText: string): string {
  const text = scannedText.trim()
  const [, pageCode, imageCode] = CARD_ADDRESS.exec(text) ?? []
  return pageCode ?? imageCode ?? text
}
