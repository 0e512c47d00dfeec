interface ColumnLimits {
  /** Most characters of texts. */
  readonly characters?: Readonly<Record<string, number>>
  /** Most bytes of texts, and of JSON as PostgreSQL formats it, with a blank after each comma and colon. */
  readonly bytes?: Readonly<Record<string, number>>
  /** Most items of arrays. */
  readonly items?: Readonly<Record<string, number>>
}

// The limits of the input fields that are stored (see `http/field-limits.ts`).
export const NAME = 200
export const TEXT = 4000
export const KEY = 128
export const ADDRESS = 128
export const URL = 2048
/** Twice the limit of the input, because of the blanks. */
export const PROPERTIES = 65_536
export const JSON_OBJECT = 131_072

/**
 * Adds a constraint with the most characters, bytes or items of columns, so that no text of a tenant is
 * stored without a bound. The servers refuse longer input before they run a statement, with an error that
 * names the field.
 */
export function limits(table: string, { characters = {}, bytes = {}, items = {} }: ColumnLimits): string {
  const conditions = [
    ...Object.entries(characters).map(([column, most]) => `char_length(${column}) <= ${most}`),
    ...Object.entries(bytes).map(([column, most]) => `octet_length(${column}) <= ${most}`),
    ...Object.entries(items).map(([column, most]) => `cardinality(${column}) <= ${most}`),
  ]
  return `
    alter table gateway.${table} add constraint ${table}_limits check (${conditions.join(' and ')});`
}
