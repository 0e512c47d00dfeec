import ts from 'typescript'

/** A text to put into the code, at an offset into it. */
export interface Edit {
  readonly at: number
  readonly text: string
}

/**
 * The edits after which bundlers drop a module's unused declarations, and the statements that no edit can
 * fix.
 */
export interface Purity {
  readonly edits: readonly Edit[]
  /** `line: what` of each statement that does something when the module loads. */
  readonly problems: readonly string[]
}

const PURE = '/* @__PURE__ */ '
/**
 * The beginning of an initializer that an earlier build has annotated. Before its mark there may be one of
 * the source.
 */
const ANNOTATED = /^(?:\/\* @__PURE__ \*\/\s*)+\(\(\) =>/

/**
 * Expressions, and parts of them, that run no code themselves. Calls, property reads, spreads, templates and
 * operators may.
 */
const INERT: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.Identifier,
  ts.SyntaxKind.NumericLiteral,
  ts.SyntaxKind.BigIntLiteral,
  ts.SyntaxKind.StringLiteral,
  ts.SyntaxKind.NoSubstitutionTemplateLiteral,
  ts.SyntaxKind.RegularExpressionLiteral,
  ts.SyntaxKind.TrueKeyword,
  ts.SyntaxKind.FalseKeyword,
  ts.SyntaxKind.NullKeyword,
  ts.SyntaxKind.ParenthesizedExpression,
  ts.SyntaxKind.ArrayLiteralExpression,
  ts.SyntaxKind.ObjectLiteralExpression,
  ts.SyntaxKind.PropertyAssignment,
  ts.SyntaxKind.ShorthandPropertyAssignment,
])

/** Statements that bundlers drop unchanged. */
const DECLARATIONS: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.ImportDeclaration,
  ts.SyntaxKind.ExportDeclaration,
  ts.SyntaxKind.FunctionDeclaration,
  ts.SyntaxKind.EmptyStatement,
])

/** Whether evaluating an expression runs no code. Functions run later. */
function isInert(node: ts.Node): boolean {
  if (ts.isArrowFunction(node) || ts.isFunctionExpression(node) || ts.isMethodDeclaration(node)) return true
  return INERT.has(node.kind) && ts.forEachChild(node, (child) => !isInert(child)) !== true
}

/**
 * Whether defining a class runs no code: it extends a name at most, and has no static block, computed name or
 * static value that does.
 */
function isInertClass({ heritageClauses, members }: ts.ClassDeclaration): boolean {
  const parent = heritageClauses?.[0]?.types[0]?.expression
  if (parent !== undefined && !ts.isIdentifier(parent)) return false
  return members.every((member) => {
    if (ts.isClassStaticBlockDeclaration(member)) return false
    if (member.name !== undefined && ts.isComputedPropertyName(member.name)) return false
    const isStatic = ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Static
    const value = ts.isPropertyDeclaration(member) && isStatic ? member.initializer : undefined
    return value === undefined || isInert(value)
  })
}

function containsAwait(node: ts.Node): boolean {
  if (ts.isFunctionLike(node)) return false
  return ts.isAwaitExpression(node) || ts.forEachChild(node, containsAwait) === true
}

/** The edits of a statement, or what is wrong with it. */
function purifyStatement(statement: ts.Statement, file: ts.SourceFile): readonly Edit[] | string {
  if (DECLARATIONS.has(statement.kind)) return []
  if (ts.isClassDeclaration(statement)) {
    if (isInertClass(statement)) return []
    const keyword = statement.getChildren(file).find(({ kind }) => kind === ts.SyntaxKind.ClassKeyword)
    const name = statement.name?.text
    if (keyword === undefined || name === undefined)
      return 'a class without a name runs code while the module loads'
    return [
      { at: keyword.getStart(file), text: `const ${name} = ${PURE}(() => { ` },
      { at: statement.getEnd(), text: ` return ${name}; })();` },
    ]
  }
  if (!ts.isVariableStatement(statement)) return 'runs code while the module loads, so bundlers keep it'
  const edits: Edit[] = []
  for (const { name, initializer } of statement.declarationList.declarations) {
    if (!ts.isIdentifier(name)) return 'takes a value apart, which bundlers keep'
    if (initializer === undefined || isInert(initializer)) continue
    if (containsAwait(initializer)) return 'waits while the module loads'
    const start = initializer.getStart(file)
    if (ANNOTATED.test(initializer.getFullText(file).trimStart())) continue
    edits.push({ at: start, text: `${PURE}(() => (` }, { at: initializer.getEnd(), text: '))()' })
  }
  return edits
}

/**
 * Makes esbuild and rollup drop the unused declarations of a module: whatever runs code becomes a function
 * that is marked as pure and called immediately. Minifiers remove the function. A mark before a call is not
 * enough: esbuild keeps the property reads, spreads and templates in its arguments, and does not carry
 * `@__NO_SIDE_EFFECTS__` from one file to another.
 */
export function purityOf(code: string, fileName = 'module.js'): Purity {
  const file = ts.createSourceFile(fileName, code, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS)
  const edits: Edit[] = []
  const problems: string[] = []
  for (const statement of file.statements) {
    const found = purifyStatement(statement, file)
    if (typeof found !== 'string') edits.push(...found)
    else problems.push(`${file.getLineAndCharacterOfPosition(statement.getStart(file)).line + 1}: ${found}`)
  }
  return { edits, problems }
}
