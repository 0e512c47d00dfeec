import { parseApplicableStores } from '@mintmark/cards'
import { findCardLink } from './card.ts'
import type { AnyCard, Program } from './programs.ts'

/** A column of an exported file, with the name that an import knows. */
interface ExportColumn {
  readonly name: string
  read(card: AnyCard, origin: string): string
}

/** Returns a field of a card as text; `''` if the program does not have it. */
function readField(card: AnyCard, name: string): string {
  const value = new Map<string, unknown>(Object.entries(card)).get(name)
  if (value === undefined || value === null) return ''
  return Array.isArray(value) ? formatList(value.map(String)) : String(value)
}

/**
 * Formats a list so that an import reads it: a JSON array where an entry has a semicolon, otherwise entries
 * separated by semicolons.
 */
function formatList(entries: readonly string[]): string {
  const isPlain = entries.every((entry) => !/^\s*\[|;/.test(entry) && entry === entry.trim())
  return isPlain ? entries.join('; ') : JSON.stringify(entries)
}

const field = (name: string): ExportColumn => ({ name, read: (card) => readField(card, name) })

const ownFields = {
  promoCodeCards: ['usedCount', 'isRedeemed', 'validityPeriod'],
  eventCards: ['isCheckedIn'],
  membershipCards: ['level', 'benefits', 'validityPeriod'],
  commemorativeCards: ['amount', 'imageUrl'],
} as const

/** Lists the columns of the exported cards of a program. */
export function listExportColumns(program: Program): readonly ExportColumn[] {
  return [
    ...['id', 'name', 'nftAddress', 'nftId', 'startTime', 'endTime', 'totalIssued'].map(field),
    ...ownFields[program.name].map(field),
    { name: 'applicableStores', read: (card) => formatList(parseApplicableStores(card)) },
    ...['usageInstructions', 'logoUrl', 'backgroundImageUrl', 'reference'].map(field),
    { name: 'cardPage', read: (card, origin) => findCardLink(card, origin)?.address ?? '' },
  ]
}
