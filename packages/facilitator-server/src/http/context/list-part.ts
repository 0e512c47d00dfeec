/** A part of a list whose rows have ids, newest first. */
interface ListPart<Row> {
  readonly listed: readonly Row[]
  /** Where the list continues: absent at its end. */
  readonly more: { readonly next?: number }
}

/** Splits the rows of a query that has read one more than `size`, to learn whether the list continues. */
export function toListPart<Row extends { readonly id: number }>(
  found: readonly Row[],
  size: number,
): ListPart<Row> {
  const listed = found.slice(0, size)
  const last = listed.at(-1)
  return { listed, more: found.length > size && last !== undefined ? { next: last.id } : {} }
}
