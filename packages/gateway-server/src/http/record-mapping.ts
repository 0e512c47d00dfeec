/**
 * All fields of a record, the optional ones too. A function that returns it does not compile while it leaves
 * a field out.
 *
 * @example
 * function toFan(row: FanRow): AllFields<Fan> {
 *   return { address: row.address, fan: row.fan }
 * }
 */
export type AllFields<Fields> = { [Name in keyof Required<Fields>]: Fields[Name] }

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : ''

/**
 * The columns that an input's fields are stored in: `nftAddress` in `nft_address`. An object literal that
 * satisfies it does not compile while it leaves a field out.
 *
 * @typeParam Columns Names the columns of fields that are stored under another name; `never` for a field that is not stored.
 *
 * @example
 * return { name: input.name, indexed: input.index } satisfies ColumnsOf<Input, { index: 'indexed'; id: never }>
 */
export type ColumnsOf<Input, Columns extends { [Name in keyof Input]?: string } = Record<never, never>> = {
  [Name in keyof Required<Input> & string as Name extends keyof Columns
    ? Columns[Name] & string
    : SnakeCase<Name>]: unknown
}
