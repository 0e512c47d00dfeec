import type { Generated, Selectable } from 'kysely'

/** The columns of a caller's own reference. */
export interface ReferenceColumns {
  /** '' if it is not set. */
  reference: Generated<string>
  /** The wallet of the key that set the reference; '' for a key without a wallet. */
  reference_owner: Generated<string>
}

export type References = Selectable<ReferenceColumns>

/** Who reads a record: the wallet of the caller's key, or '' for a key without a wallet. */
export interface Reader {
  readonly wallet: string | undefined
}

/** A reader who has set no reference, such as the feed of events. */
export const NOBODY: Reader = { wallet: undefined }

/**
 * Returns the columns of a reference that a caller sets or looks for, in the order of the indexes. Returns no columns for a reference that the caller
 * leaves out.
 *
 * @param wallet The wallet of the caller's key, or ''.
 */
export function toReferenceColumns(reference: string | undefined, wallet: string): Partial<References> {
  return reference === undefined ? {} : { reference, reference_owner: wallet }
}

/** Returns the reference of a row to the wallet that set it, and undefined to others. */
export function toReference(row: References, { wallet }: Reader): string | undefined {
  return row.reference !== '' && row.reference_owner === wallet ? row.reference : undefined
}
