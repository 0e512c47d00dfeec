import { randomBytes } from 'node:crypto'

/**
 * A moment given as ISO 8601; one without an offset is UTC. Undefined where there is none: a day that its month does not have
 * (JavaScript would take the month after), or a year that PostgreSQL and ISO 8601 do not both write with four digits.
 */
export function momentOf(text: string): Date | undefined {
  const zoned = /(?:Z|[+-]\d{2}(?::?\d{2})?)$/.test(text) ? text : `${text}Z`
  const moment = new Date(zoned.replace(/([+-]\d{2})$/, '$1:00'))
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split('-').map(Number)
  const daysOfMonth = new Date(Date.UTC(year, month, 0)).getUTCDate()
  const utcYear = moment.getUTCFullYear()
  return day <= daysOfMonth && utcYear >= 1 && utcYear <= 9999 ? moment : undefined
}

/** A card's code: 160 random bits, so that none is ever guessed. */
export function newQrCode(): string {
  return randomBytes(20).toString('base64url')
}

/** Where a card's page is, which its QR picture leads to. */
export function cardPageUrlOf(card: { project_id: number; qr_code: string }, publicUrl: string): string {
  return `${publicUrl}/c/${card.project_id}/${card.qr_code}`
}

/** Where a card's QR picture is: the creator's own, or the one this server draws. */
export function qrCodeUrlOf(
  card: { project_id: number; qr_code: string; qr_code_url: string },
  publicUrl: string,
): string {
  return card.qr_code_url || `${publicUrl}/qr/${card.project_id}/${card.qr_code}.svg`
}

/**
 * The code in what a scanner read: the address of a card's page, at whatever host it was printed for, or the code alone. A text that is
 * neither stays as it is, and is no card's code.
 */
export function codeIn(scanned: string): string {
  const text = scanned.trim()
  return /^https?:\/\/[^?#]*\/c\/[1-9]\d*\/([\w-]+)\/?(?:[?#].*)?$/i.exec(text)?.[1] ?? text
}
