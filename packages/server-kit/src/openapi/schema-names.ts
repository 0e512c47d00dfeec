/** The names of schemas that several operations share. */
export type SchemaNames = ReadonlyMap<unknown, string>

const isNamespace = (value: unknown): value is object => Object(value)[Symbol.toStringTag] === 'Module'

const isSchema = (value: unknown): boolean => Object(value).kind === 'schema'

/**
 * Names the schemas of records as their packages export them, also those in the namespace of a group of
 * operations.
 */
export function nameSchemas(...modules: readonly object[]): SchemaNames {
  const names = new Map<unknown, string>()
  for (const [name, value] of modules.flatMap((module) => Object.entries(module))) {
    if (isNamespace(value)) for (const [schema, inner] of nameSchemas(value)) names.set(schema, inner)
    if (isSchema(value) && /^[A-Z][A-Za-z0-9]*$/.test(name)) names.set(value, name)
  }
  return names
}

/** Converts the id of an operation, the name of a field or the reason of a rule to a name of a type. */
export function toTypeName(text: string): string {
  const words = /[a-z]/.test(text) ? text : text.toLowerCase()
  return words.replace(/(?:^|[^A-Za-z0-9])([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

/** Returns the name of one item of a list: `NftProperty` of `NftProperties`. */
export function toItemName(name: string): string {
  return name.replace(/ies$/, 'y').replace(/(?<=[^s])s$/, '')
}
