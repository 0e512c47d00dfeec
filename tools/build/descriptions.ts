import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import ts from 'typescript'
import { packagesOfLayer } from '../workspace.ts'
import { readExampleInput } from './example-input.ts'

/** The docstrings of an operation or a record. */
interface Described {
  readonly summary: string
  /**
   * The fields that have a docstring. A field of a nested object, or of a list of objects, is named
   * `phases.price`.
   */
  readonly fields: Readonly<Record<string, string>>
}

interface DescribedOperation extends Described {
  /** Whether the docstring has the tag `@deprecated`. The summary ends with its text. */
  readonly deprecated?: true
  /** The input of the docstring's example, if it has only literals. */
  readonly example?: Readonly<Record<string, unknown>>
  /** The returned record, or the record of a page. */
  readonly record?: string
  /** The fields of a result that is no named record. */
  readonly answer?: Readonly<Record<string, string>>
}

/** The docstrings that servers and documents show; clients do not carry them. */
export interface Descriptions {
  /** By the operation's id. */
  readonly operations: Readonly<Record<string, DescribedOperation>>
  /** By the record's name. */
  readonly records: Readonly<Record<string, Described>>
}

const COMPILER_OPTIONS: ts.CompilerOptions = {
  strict: true,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  customConditions: ['@mintmark/source'],
  allowImportingTsExtensions: true,
  noEmit: true,
  // Mapped types need the standard library.
  lib: ['lib.es2023.d.ts'],
  types: [],
}

/**
 * The docstring of `{ /** text *\/ name: … }`: on the line of its brace the compiler takes it for the
 * brace's.
 */
function sameLineText(symbol: ts.Symbol): string {
  const declaration = symbol.declarations?.find(ts.isPropertyAssignment)
  if (declaration === undefined) return ''
  const { text } = declaration.getSourceFile()
  const [comment] = ts.getTrailingCommentRanges(text, declaration.pos)?.slice(-1) ?? []
  return /^\/\*\*(.*)\*\/$/s.exec(text.slice(comment?.pos ?? 0, comment?.end ?? 0))?.[1] ?? ''
}

function docstringOf(symbol: ts.Symbol, checker: ts.TypeChecker): string {
  const text = ts.displayPartsToString(symbol.getDocumentationComment(checker)) || sameLineText(symbol)
  // A docstring's lines end where the editor's do; its paragraphs stay.
  return text.trim().replace(/(?<!\n)\n(?!\n)/g, ' ')
}

/** The code of the docstring's `@example`; `''` without one. */
function exampleOf(symbol: ts.Symbol, checker: ts.TypeChecker): string {
  const examples = symbol.getJsDocTags(checker).filter(({ name }) => name === 'example')
  return examples.map(({ text }) => ts.displayPartsToString(text).trim()).join('\n')
}

/** What the docstring's tag `@deprecated` says, as a paragraph. Undefined without the tag. */
function deprecationOf(symbol: ts.Symbol, checker: ts.TypeChecker): string | undefined {
  const tag = symbol.getJsDocTags(checker).find(({ name }) => name === 'deprecated')
  return tag && `Deprecated. ${ts.displayPartsToString(tag.text).trim().replace(/\n/g, ' ')}`.trim()
}

/** The type in an optional field, in a list and in a list's list. */
function innerType(type: ts.Type, checker: ts.TypeChecker): ts.Type {
  const required = checker.getNonNullableType(type)
  const item = checker.isArrayType(required)
    ? checker.getIndexTypeOfType(required, ts.IndexKind.Number)
    : undefined
  return item === undefined ? required : innerType(item, checker)
}

/** A record is an interface with a schema of the same name. It has a description of its own. */
function isRecord(symbol: ts.Symbol | undefined): symbol is ts.Symbol {
  const flags = symbol?.flags ?? ts.SymbolFlags.None
  return (flags & ts.SymbolFlags.Interface) !== 0 && (flags & ts.SymbolFlags.Variable) !== 0
}

/**
 * Whether a type has fields. An object that accepts unknown fields is an intersection with an index
 * signature.
 */
function isObject(type: ts.Type): boolean {
  return type.isIntersection() ? type.types.every(isObject) : (type.flags & ts.TypeFlags.Object) !== 0
}

/** The docstrings of a type's fields, and of the fields inside those that are no records. */
function fieldsOf(type: ts.Type, checker: ts.TypeChecker, prefix = ''): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const field of isObject(type) ? type.getProperties() : []) {
    const text = docstringOf(field, checker)
    if (text !== '') fields[prefix + field.name] = text
    const inner = innerType(checker.getTypeOfSymbol(field), checker)
    if (!isRecord(inner.symbol)) Object.assign(fields, fieldsOf(inner, checker, `${prefix}${field.name}.`))
  }
  return fields
}

/** The type of a property of a type, without `undefined`. */
function propertyType(type: ts.Type, name: string, checker: ts.TypeChecker): ts.Type | undefined {
  const property = type.getProperty(name)
  return property && checker.getNonNullableType(checker.getTypeOfSymbol(property))
}

/** Describes an operation by its type: `~types` has its input and its data. undefined for any other value. */
function describeOperation(
  symbol: ts.Symbol,
  checker: ts.TypeChecker,
): [id: string, DescribedOperation] | undefined {
  const type = checker.getTypeOfSymbol(symbol)
  const id = propertyType(type, 'id', checker)
  const types = propertyType(type, '~types', checker)
  const input = types && propertyType(types, 'input', checker)
  const data = types && propertyType(types, 'data', checker)
  if (!id?.isStringLiteral() || input === undefined || data === undefined) return undefined
  // An input of which one of several fields is required is a union.
  const inputs = input.isUnion() ? input.types : [input]
  const item = propertyType(type, 'items', checker) && propertyType(data, 'list', checker)
  const answer = innerType(item ?? data, checker)
  const answerFields = isRecord(answer.symbol) ? {} : fieldsOf(answer, checker)
  const deprecation = deprecationOf(symbol, checker)
  const example = readExampleInput(exampleOf(symbol, checker), id.value)
  return [
    id.value,
    {
      summary: [docstringOf(symbol, checker), deprecation ?? ''].filter((text) => text !== '').join('\n\n'),
      ...(deprecation !== undefined && { deprecated: true }),
      fields: Object.assign({}, ...inputs.map((each) => fieldsOf(each, checker))),
      ...(example !== undefined && { example }),
      ...(isRecord(answer.symbol) && { record: answer.symbol.name }),
      ...(Object.keys(answerFields).length > 0 && { answer: answerFields }),
    },
  ]
}

/**
 * Reads the docstrings of every operation and record that the modules in the folders of `files` export.
 * Fields are found by types, so that a field keeps its docstring through a spread, from another file too.
 * Problems name operations without a docstring or an example.
 */
export function describe(
  files: readonly string[],
  root: string,
): { descriptions: Descriptions; problems: readonly string[] } {
  const program = ts.createProgram(files, COMPILER_OPTIONS)
  const checker = program.getTypeChecker()
  const operations: Record<string, DescribedOperation> = {}
  const records: Record<string, Described> = {}
  const problems: string[] = []
  const folders = [...new Set(files.map((file) => `${dirname(file)}/`))]
  for (const source of program.getSourceFiles()) {
    const module = checker.getSymbolAtLocation(source)
    if (module === undefined || !folders.some((folder) => source.fileName.startsWith(folder))) continue
    for (const symbol of checker.getExportsOfModule(module)) {
      if (symbol.flags & ts.SymbolFlags.Alias) continue
      if (isRecord(symbol))
        records[symbol.name] = {
          summary: docstringOf(symbol, checker),
          fields: fieldsOf(checker.getDeclaredTypeOfSymbol(symbol), checker),
        }
      const described =
        symbol.flags & ts.SymbolFlags.Variable ? describeOperation(symbol, checker) : undefined
      if (described === undefined) continue
      const [id, operation] = described
      operations[id] = operation
      const place = `${relative(root, source.fileName)}: ${symbol.name}`
      if (operation.summary === '') problems.push(`${place} has no docstring`)
      if (exampleOf(symbol, checker) === '') problems.push(`${place} has no @example in its docstring`)
    }
  }
  return { descriptions: { operations, records }, problems }
}

/** The entries of the packages that define operations, or records that several domains share. */
export function describedFiles(root: string): readonly string[] {
  return packagesOfLayer(root, 'domain', 'vocabulary')
    .flatMap(({ folder }) => ['src/index.ts', 'src/operator.ts'].map((path) => join(folder, path)))
    .filter(existsSync)
}

/** Where the packages that show them look for them, from the repository's top. */
export const descriptionsFiles = ['server-kit', 'mcp', 'mintmark'].map((name) =>
  join('packages', name, 'dist', 'assets', 'descriptions.json'),
)
