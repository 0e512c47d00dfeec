import type { CardWithStatus } from '../programs/cards-store.ts'
import { getShownStatus } from './shown-status.ts'

/** An event card that is valid for longer has the validity of a ticket, not the time of an event. */
const MAX_EVENT_MS = 31 * 86_400_000

/** Whether a card is of an event that can be added to a calendar. */
export function hasCalendar(card: CardWithStatus): boolean {
  const isUsable = ['ACTIVE', 'NOT_YET_VALID'].includes(getShownStatus(card))
  const duration = card.end_time.getTime() - card.start_time.getTime()
  return card.program === 'event' && isUsable && duration <= MAX_EVENT_MS
}

/**
 * Formats the event of a card as iCalendar (RFC 5545). People share calendars, so it contains neither the code
 * of the card nor the address of its page.
 */
export function formatCalendar(card: CardWithStatus, publicUrl: string): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Mintmark//Cards//EN',
    'BEGIN:VEVENT',
    `UID:card-${card.project_id}-${card.id}@${new URL(publicUrl).hostname}`,
    `DTSTAMP:${formatTime(card.updated_at)}`,
    `DTSTART:${formatTime(card.start_time)}`,
    `DTEND:${formatTime(card.end_time)}`,
    `SUMMARY:${escapeText(card.name)}`,
    `LOCATION:${escapeText(card.applicable_stores.join(', '))}`,
    `DESCRIPTION:${escapeText(card.usage_instructions)}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${foldLine(line)}\r\n`).join('')
}

/** Formats a time in UTC, as in `20260701T200000Z`. */
function formatTime(time: Date): string {
  return time.toISOString().replace(/[-:]|\.\d+/g, '')
}

function escapeText(text: string): string {
  return text.replace(/[\\;,]/g, '\\$&').replace(/\r\n?|\n/g, '\\n')
}

/** Continues a line of more than 75 octets on others, which begin with a space. Divides no character. */
function foldLine(line: string): string {
  if (Buffer.byteLength(line) <= 75) return line
  // A character has at most 4 octets.
  return (line.match(/.{1,18}/gsu) ?? []).join('\r\n ')
}
