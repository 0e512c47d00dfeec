import type { Refuse } from '@mintmark/server-kit'
import { type Generated, type RawBuilder, type Selectable, sql } from 'kysely'

/** The columns of a caller's own reference. */
export interface ReferenceColumns {
  /** '' if it is not set. */
  reference: Generated<string>
  /** The wallet of the key that set the reference; '' for a key without a wallet. */
  reference_owner: Generated<string>
}

export type References = Selectable<ReferenceColumns>

/** Who reads a record. */
export interface Reader {
  readonly caller: {
    /** The wallet of the caller's key, or '' for a key without a wallet. */
    readonly wallet: string
    /** Whether anybody may be the reader, as with a publishable key. It reads no reference. */
    readonly isPublic: boolean
  }
}

/** A reader who has set no reference, such as the feed of events. */
export const NOBODY: Reader = { caller: { wallet: '', isPublic: true } }

/**
 * Returns the columns of a reference that a caller sets, in the order of the indexes. Returns no columns for
 * a reference that the caller leaves out.
 *
 * @param wallet The wallet of the caller's key, or ''.
 */
export function toReferenceColumns(reference: string | undefined, wallet: string): Partial<References> {
  return reference === undefined ? {} : { reference, reference_owner: wallet }
}

/**
 * Returns the columns of a reference that a caller looks for, in the order of the indexes. Refuses a
 * publishable key, which has set no reference.
 */
export function toReferenceFilter(
  reference: string | undefined,
  { caller: { wallet, isPublic }, invalid }: Reader & Refuse,
): Partial<References> {
  if (isPublic && reference !== undefined)
    invalid('reference', 'A publishable key cannot find items by a reference. Call it from your server')
  return toReferenceColumns(reference, wallet)
}

/**
 * Whether a row has a reference that a filter looks for. The indexes of references have the condition that it
 * is set.
 */
export function hasReference({ reference }: Partial<References>): RawBuilder<boolean> {
  return reference === undefined ? sql<boolean>`true` : sql<boolean>`reference <> ''`
}

/** Returns the reference of a row to the wallet that set it, and undefined to others. */
export function toReference(row: References, { caller: { wallet, isPublic } }: Reader): string | undefined {
  return !isPublic && row.reference !== '' && row.reference_owner === wallet ? row.reference : undefined
}
