import { findCardLink, getValidityEnd } from './card.ts'
import type { AnyCard } from './programs.ts'

/** How many labels a page has: three columns of eight. */
const LABELS_PER_SHEET = 24
/** How many cards are printed at a time. Browsers lay out more only slowly. */
export const MAX_PRINTED_CARDS = 480

/** A printed QR code with its text. */
export interface PrintedLabel {
  readonly key: string
  readonly name: string
  /** Whom the card is for; `''` for nobody in particular. */
  readonly reference: string
  readonly code: string
  readonly address: string
  /** ISO 8601. */
  readonly endTime: string
}

/** Lists the labels of cards, `copies` of each. Cards with a QR code of their own have none. */
export function listLabels(
  cards: readonly AnyCard[],
  copies: number,
  origin: string,
): readonly PrintedLabel[] {
  return cards.flatMap((card) => {
    const link = findCardLink(card, origin)
    if (link === undefined) return []
    return Array.from({ length: copies }, (_, copy) => ({
      ...link,
      key: `${card.id} ${copy}`,
      name: card.name,
      reference: card.reference ?? '',
      endTime: getValidityEnd(card),
    }))
  })
}

/** Divides labels into pages. */
export function toSheets(labels: readonly PrintedLabel[]): readonly (readonly PrintedLabel[])[] {
  const count = Math.ceil(labels.length / LABELS_PER_SHEET)
  return Array.from({ length: count }, (_, sheet) =>
    labels.slice(sheet * LABELS_PER_SHEET, (sheet + 1) * LABELS_PER_SHEET),
  )
}
