import type { Entries, Schema } from '@mintmark/envelope'

/** All fields of a record, the optional ones too. */
type AllFields<Fields> = { [Name in keyof Required<Fields>]: Fields[Name] }

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : ''

/** The columns of an input's fields. */
type StoredInput<Input> = {
  [Name in keyof Input as SnakeCase<Name & string>]: Input[Name]
}

/**
 * Returns the columns that an input's fields are stored in: `nftAddress` in `nft_address`. Take fields
 * without a column out of the input first: the database refuses them.
 */
export function toColumns<Input extends object>(input: Input): StoredInput<Input> {
  const columns = Object.entries(input).map(([name, value]) => [toSnakeCase(name), value])
  // The names of the columns are computed as their types are.
  return Object.fromEntries(columns) as StoredInput<Input>
}

/** The column of a record's field: `nftAddress` in `nft_address`. */
type ColumnOf<Name extends string> = Name extends 'createTime' | 'createTimeLong'
  ? 'created_at'
  : Name extends 'updateTime'
    ? 'updated_at'
    : SnakeCase<Name>

type ValueOf<Name, Stored> = Stored extends Date ? (Name extends 'createTimeLong' ? number : string) : Stored

/** The fields whose values a row has. A reference is not among them: only its owner may read it. */
type StoredName<Fields, Row, Name extends keyof Fields & string> = Name extends 'reference'
  ? never
  : ColumnOf<Name> extends keyof Row
    ? ValueOf<Name, Row[ColumnOf<Name>]> extends Fields[Name]
      ? Name
      : never
    : never

type OtherFields<Fields, Row> = Partial<AllFields<Fields>> &
  Omit<AllFields<Fields>, StoredName<Fields, Row, keyof Fields & string>>

/**
 * Creates a record from a row: each field of the record's schema has the value of its column, or the one in
 * `others`. A call does not compile while `others` lacks a field that the row has no value for.
 *
 * @example
 * toRecord(Auction, row, { bids: [], status: getStatus(row), reference: toReference(row, reader) })
 */
export function toRecord<Fields extends object, Row extends object>(
  schema: Schema<Fields>,
  row: Row,
  ...[others = {} as never]: object extends OtherFields<NoInfer<Fields>, NoInfer<Row>>
    ? [others?: OtherFields<NoInfer<Fields>, NoInfer<Row>>]
    : [others: OtherFields<NoInfer<Fields>, NoInfer<Row>>]
): AllFields<Fields> {
  const values = row as Readonly<Record<string, unknown>>
  const fields: Record<string, unknown> = {}
  for (const [name, column] of listColumns(schema)) {
    const value = values[column]
    if (!(value instanceof Date)) fields[name] = value
    else fields[name] = name === 'createTimeLong' ? value.getTime() : value.toISOString()
  }
  Object.assign(fields, others)
  // The types of the parameters require a value of each field.
  return fields as AllFields<Fields>
}

type FieldColumn = readonly [name: string, column: string]
const columnsBySchema = new WeakMap<object, readonly FieldColumn[]>()
const TIME_COLUMNS = new Map([
  ['createTime', 'created_at'],
  ['createTimeLong', 'created_at'],
  ['updateTime', 'updated_at'],
])

/** Lists the fields of a record, each with its column. */
function listColumns(schema: object): readonly FieldColumn[] {
  const known = columnsBySchema.get(schema)
  if (known !== undefined) return known
  // `record` creates the schemas of records, whose exported types hide their fields.
  const { entries } = schema as { readonly entries: Entries }
  const columns = Object.keys(entries).map((name): FieldColumn => [name, toColumnName(name)])
  columnsBySchema.set(schema, columns)
  return columns
}

const toColumnName = (name: string) => TIME_COLUMNS.get(name) ?? toSnakeCase(name)

function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
