import { readFileSync, statSync, utimesSync } from 'node:fs'
import { join, sep } from 'node:path'
import MagicString from 'magic-string'
import ts from 'typescript'
import { filesBelow, type Package } from '../workspace.ts'
import type { Descriptions } from './descriptions.ts'
import { replaceFile } from './outputs.ts'

type Fields = Readonly<Record<string, string>>

/** The objects that a type consists of, also in lists, optional fields and the schemas of both. */
function listObjects(type: ts.TypeNode | undefined): readonly ts.TypeLiteralNode[] {
  if (type === undefined) return []
  if (ts.isTypeLiteralNode(type)) return [type]
  if (ts.isArrayTypeNode(type)) return listObjects(type.elementType)
  if (ts.isParenthesizedTypeNode(type) || ts.isTypeOperatorNode(type)) return listObjects(type.type)
  if (ts.isUnionTypeNode(type) || ts.isIntersectionTypeNode(type)) return type.types.flatMap(listObjects)
  if (ts.isTupleTypeNode(type)) return type.elements.flatMap(listObjects)
  return listTypeArguments(type).flatMap(listObjects)
}

function listTypeArguments(node: ts.Node): readonly ts.TypeNode[] {
  return ts.isImportTypeNode(node) || ts.isTypeReferenceNode(node) || ts.isExpressionWithTypeArguments(node)
    ? (node.typeArguments ?? [])
    : []
}

/**
 * Writes the docstring of a field on the line of the field, because declaration maps count lines. One on lines
 * of its own is the compiler's.
 */
function documentField(output: MagicString, field: ts.PropertySignature, text: string): void {
  const start = field.getStart()
  const leading = output.original.slice(field.pos, start)
  if (/\*\/\s*\n\s*$/.test(leading)) return
  const space = leading.replace(/\/\*\*[\s\S]*?\*\/\s*/g, '')
  const docstring = `/** ${text.replace(/\s+/g, ' ').replaceAll('*/', '*\\/')} */ `
  output.overwrite(field.pos, start, space + docstring)
}

function documentFields(
  output: MagicString,
  type: ts.TypeNode | undefined,
  fields: Fields,
  prefix = '',
): void {
  for (const member of listObjects(type).flatMap(({ members }) => [...members])) {
    if (!ts.isPropertySignature(member)) continue
    const name = `${prefix}${member.name.getText().replace(/^(['"])(.*)\1$/, '$2')}`
    const text = fields[name]
    if (text !== undefined) documentField(output, member, text)
    documentFields(output, member.type, fields, `${name}.`)
  }
}

/** The schemas whose output is the type of a record, by the names of their constants. */
function findSchemas(source: ts.SourceFile): ReadonlyMap<string, string> {
  const records = source.statements.filter(ts.isInterfaceDeclaration).flatMap(({ name, heritageClauses }) =>
    (heritageClauses ?? [])
      .flatMap(({ types }) => types.flatMap(listTypeArguments))
      .filter(ts.isTypeQueryNode)
      .map(({ exprName }) => [exprName.getText(), name.text] as const),
  )
  return new Map(records)
}

/**
 * Adds the docstrings of fields to the declarations of operations and records. The compiler writes the types of
 * inputs, and of fields that a record spreads, without the docstrings of their schemas, and editors show what is
 * in the declarations. Docstrings that are there already are replaced.
 */
export function documentDeclarations(code: string, { operations, records }: Descriptions): string {
  const source = ts.createSourceFile('module.d.ts', code, ts.ScriptTarget.Latest, true)
  const output = new MagicString(code)
  const schemas = findSchemas(source)
  function visit(node: ts.Node): void {
    const [, id, input, data] = listTypeArguments(node)
    const name =
      id !== undefined && ts.isLiteralTypeNode(id) && ts.isStringLiteral(id.literal) ? id.literal.text : ''
    const operation = operations[name]
    const record = ts.isVariableDeclaration(node) ? schemas.get(node.name.getText()) : undefined
    if (operation !== undefined) {
      documentFields(output, input, operation.fields)
      documentFields(output, data, operation.answer ?? {})
    } else if (record !== undefined && ts.isVariableDeclaration(node)) {
      documentFields(output, node.type, records[record]?.fields ?? {})
    } else {
      ts.forEachChild(node, visit)
    }
  }
  visit(source)
  return output.toString()
}

/** Adds the docstrings of fields to the declarations of a package. */
export function documentPackage({ folder }: Package, descriptions: Descriptions): void {
  for (const path of filesBelow(
    join(folder, 'dist'),
    (each) => each.endsWith('.d.ts') && !each.includes(`${sep}assets${sep}`),
  )) {
    const code = readFileSync(path, 'utf8')
    const documented = documentDeclarations(code, descriptions)
    if (documented === code) continue
    const { atime, mtime } = statSync(path)
    replaceFile(path, documented)
    // The compiler would build the packages that read the file again.
    utimesSync(path, atime, mtime)
  }
}
