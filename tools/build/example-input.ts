import ts from 'typescript'

/** Where a name in an example cannot be read. */
const UNKNOWN = Symbol('unknown')

/** The value of an expression of literals and of constants that the example declares. */
function evaluate(node: ts.Expression, constants: ReadonlyMap<string, unknown>): unknown {
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isNumericLiteral(node)) return Number(node.text.replaceAll('_', ''))
  if (node.kind === ts.SyntaxKind.TrueKeyword) return true
  if (node.kind === ts.SyntaxKind.FalseKeyword) return false
  if (ts.isIdentifier(node)) return constants.has(node.text) ? constants.get(node.text) : UNKNOWN
  if (ts.isArrayLiteralExpression(node)) {
    const items = node.elements.map((element) => evaluate(element, constants))
    return items.includes(UNKNOWN) ? UNKNOWN : items
  }
  if (!ts.isObjectLiteralExpression(node)) return UNKNOWN
  const fields: Record<string, unknown> = {}
  for (const property of node.properties) {
    const name = property.name?.getText() ?? ''
    const value = ts.isPropertyAssignment(property)
      ? evaluate(property.initializer, constants)
      : ts.isShorthandPropertyAssignment(property)
        ? evaluate(property.name, constants)
        : UNKNOWN
    if (value === UNKNOWN) return UNKNOWN
    fields[name.replace(/^['"]|['"]$/g, '')] = value
  }
  return fields
}

/**
 * The input with which an example calls the operation with this id. Undefined if it has a value that is no
 * literal.
 */
export function readExampleInput(code: string, id: string): Record<string, unknown> | undefined {
  const source = ts.createSourceFile('example.ts', code, ts.ScriptTarget.ESNext, true)
  const constants = new Map<string, unknown>()
  let found: unknown
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.initializer !== undefined)
      constants.set(node.name.getText(), evaluate(node.initializer, constants))
    if (ts.isCallExpression(node) && node.expression.getText() === id) {
      const input = node.arguments[1]
      if (input !== undefined) found ??= evaluate(input, constants)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found === undefined || found === UNKNOWN ? undefined : (found as Record<string, unknown>)
}
