import { dirname, join, relative } from 'node:path'
import ts from 'typescript'
import { packagesOfLayer } from '../workspace.ts'

/** The docstrings of an operation or a record. */
interface Described {
  readonly summary: string
  /** The fields that have a docstring. A field of a nested object, or of a list of objects, is named `phases.price`. */
  readonly fields: Readonly<Record<string, string>>
}

interface DescribedOperation extends Described {
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

const OPERATION = /^(paged)?(?:gateway|facilitator)operation$/i

function calledName(node: ts.Node | undefined): string | undefined {
  return node !== undefined && ts.isCallExpression(node) && ts.isIdentifier(node.expression)
    ? node.expression.text
    : undefined
}

/** The docstring of `{ /** text *\/ name: … }`: on the line of its brace the compiler takes it for the brace's. */
function sameLineText(symbol: ts.Symbol | undefined): string {
  const declaration = symbol?.declarations?.find(ts.isPropertyAssignment)
  if (declaration === undefined) return ''
  const { text } = declaration.getSourceFile()
  const comments = ts.getTrailingCommentRanges(text, declaration.pos) ?? []
  const [, docstring] = /^\/\*\*(.*)\*\/$/s.exec(text.slice(comments.at(-1)?.pos, comments.at(-1)?.end)) ?? []
  return comments.length === 0 ? '' : (docstring ?? '')
}

/**
 * Reads the docstrings of every operation and record in the given files and what they import. Fields are found by the types of
 * entries, so that a field keeps its docstring through a spread, from another file too. Problems name operations without a docstring or an example.
 */
export function describe(
  files: readonly string[],
  root: string,
): { descriptions: Descriptions; problems: readonly string[] } {
  const program = ts.createProgram(files, {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    customConditions: ['@mintmark/source'],
    allowImportingTsExtensions: true,
    noEmit: true,
    // Without it `Record` means nothing, and `satisfies Entries` loses the fields.
    lib: ['lib.es2023.d.ts'],
    types: [],
  })
  const checker = program.getTypeChecker()
  const operations: Record<string, DescribedOperation> = {}
  const records: Record<string, Described> = {}
  const problems: string[] = []

  function textOf(symbol: ts.Symbol | undefined): string {
    const text = ts.displayPartsToString(symbol?.getDocumentationComment(checker)) || sameLineText(symbol)
    // A docstring's lines end where the editor's do; its paragraphs stay.
    return text.trim().replace(/(?<!\n)\n(?!\n)/g, ' ')
  }

  /** Whether the docstring has an `@example` with code. */
  function hasExample(name: ts.Node): boolean {
    const tags = checker.getSymbolAtLocation(name)?.getJsDocTags(checker) ?? []
    return tags.some((tag) => tag.name === 'example' && ts.displayPartsToString(tag.text).trim() !== '')
  }

  /** The entries of an inline object, whether optional or in a list. */
  function entriesInside(schema: ts.Type): ts.Type | undefined {
    for (const part of ['entries', 'wrapped', 'item', 'value']) {
      const found = schema.getProperty(part)
      if (found === undefined) continue
      const type = checker.getTypeOfSymbol(found)
      return part === 'entries' ? type : entriesInside(type)
    }
    return undefined
  }

  function fieldsOfType(entries: ts.Type | undefined, prefix = ''): [name: string, text: string][] {
    const fields = entries?.getProperties() ?? []
    return fields.flatMap((field) => {
      const name = prefix + field.name
      const text = textOf(field)
      const inside = fieldsOfType(entriesInside(checker.getTypeOfSymbol(field)), `${name}.`)
      return text === '' ? inside : [[name, text], ...inside]
    })
  }

  function fieldsOf(entries: ts.Node | undefined): Record<string, string> {
    return entries === undefined ? {} : Object.fromEntries(fieldsOfType(checker.getTypeAtLocation(entries)))
  }

  /** The declaration of a name, in any file. */
  function declarationOf(name: ts.Node): ts.Declaration | undefined {
    const symbol = checker.getSymbolAtLocation(name)
    const target =
      symbol !== undefined && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
    return target?.valueDeclaration
  }

  /** `interface Card extends v.InferOutput<typeof card>`, where `card` is a record. */
  function readRecord(node: ts.InterfaceDeclaration): void {
    const [base] = node.heritageClauses?.[0]?.types ?? []
    const [argument] = base?.typeArguments ?? []
    if (argument === undefined || !ts.isTypeQueryNode(argument)) return
    const declaration = declarationOf(argument.exprName)
    const made =
      declaration !== undefined && ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined
    if (made === undefined || !ts.isCallExpression(made) || calledName(made) !== 'record') return
    records[node.name.text] = {
      summary: textOf(checker.getSymbolAtLocation(node.name)),
      fields: fieldsOf(made.arguments[0]),
    }
  }

  function memberOf(shape: ts.ObjectLiteralExpression, name: string): ts.Expression | undefined {
    for (const property of shape.properties) {
      if (ts.isPropertyAssignment(property) && property.name.getText() === name) return property.initializer
      if (ts.isShorthandPropertyAssignment(property) && property.name.text === name) return property.name
    }
    return undefined
  }

  function recordIn(node: ts.Node | undefined): string | undefined {
    if (node === undefined) return undefined
    if (ts.isIdentifier(node)) return records[node.text] === undefined ? undefined : node.text
    return ts.forEachChild(node, recordIn)
  }

  /** The fields every page query has: envelope's `pageQuery`, which operations of a page add to their own. */
  const pageFields = () => {
    const source = program
      .getSourceFiles()
      .find(({ fileName }) => fileName.endsWith('packages/envelope/src/page.ts'))
    const found = source?.statements
      .filter(ts.isVariableStatement)
      .flatMap(({ declarationList }) => [...declarationList.declarations])
      .find(({ name }) => name.getText() === 'pageQuery')
    return fieldsOf(found?.name)
  }

  function readOperation(node: ts.VariableDeclaration): void {
    const made = node.initializer
    if (made === undefined || !ts.isCallExpression(made)) return
    const kind = OPERATION.exec(calledName(made) ?? '')
    const [shape] = made.arguments
    if (kind === null || shape === undefined || !ts.isObjectLiteralExpression(shape)) return
    const place = `${relative(root, node.getSourceFile().fileName)}: ${node.name.getText()}`
    const id = memberOf(shape, 'id')
    if (id === undefined || !ts.isStringLiteralLike(id)) {
      problems.push(`${place} has no literal id`)
      return
    }
    const summary = textOf(checker.getSymbolAtLocation(node.name))
    if (summary === '') problems.push(`${place} has no docstring`)
    if (!hasExample(node.name)) problems.push(`${place} has no @example in its docstring`)
    const fields = Object.assign(
      kind[1] === undefined ? {} : pageFields(),
      ...['params', 'query', 'body'].map((part) => fieldsOf(memberOf(shape, part))),
    )
    const data = memberOf(shape, 'data') ?? memberOf(shape, 'item')
    const record = recordIn(data)
    const answer = data && Object.fromEntries(fieldsOfType(entriesInside(checker.getTypeAtLocation(data))))
    operations[id.text] = {
      summary,
      fields,
      ...(record !== undefined && { record }),
      ...(answer !== undefined && Object.keys(answer).length > 0 && { answer }),
    }
  }

  const folders = new Set(files.map((file) => dirname(file)))
  const sources = program.getSourceFiles().filter(({ fileName }) => folders.has(dirname(fileName)))
  for (const source of sources) source.statements.filter(ts.isInterfaceDeclaration).forEach(readRecord)
  for (const source of sources) {
    for (const statement of source.statements.filter(ts.isVariableStatement)) {
      statement.declarationList.declarations.forEach(readOperation)
    }
  }
  return { descriptions: { operations, records }, problems }
}

/** The entries of the packages that define operations, or records that several domains share. */
export function describedFiles(root: string): readonly string[] {
  return packagesOfLayer(root, 'domain', 'vocabulary').map(({ folder }) => join(folder, 'src/index.ts'))
}

/** Where the server kit looks for them, from the repository's top. */
export const descriptionsFile = join('packages', 'server-kit', 'dist', 'assets', 'descriptions.json')
