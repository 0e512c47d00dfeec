import { randomBytes } from 'node:crypto'

/** A moment given as ISO 8601; one without an offset is UTC. */
export function momentOf(text: string): Date {
  const zoned = /(?:Z|[+-]\d{2}(?::?\d{2})?)$/.test(text) ? text : `${text}Z`
  return new Date(zoned.replace(/([+-]\d{2})$/, '$1:00'))
}

/** PostgreSQL and ISO 8601 both write years of four digits; nothing here needs others. */
export function isStorable(moment: Date): boolean {
  const year = moment.getUTCFullYear()
  return year >= 1 && year <= 9999
}

/** A card's code: 160 random bits, so that none is ever guessed. */
export function newQrCode(): string {
  return randomBytes(20).toString('base64url')
}

/** Where a card's QR picture is: the creator's own, or the one this server draws. */
export function qrCodeUrlOf(
  card: { project_id: number; qr_code: string; qr_code_url: string },
  publicUrl: string,
): string {
  return card.qr_code_url || `${publicUrl}/qr/${card.project_id}/${card.qr_code}.svg`
}
