import { readFileSync } from 'node:fs'
import ts from 'typescript'

/** What the docstring of an exported name says: when it is met, and in its further paragraphs what to do then. */
export interface Docstring {
  readonly meaning: string
  readonly advice: string
  /** Of an interface, a class or an object: its members' docstrings. */
  readonly members: Readonly<Record<string, string>>
}

/** A docstring's lines end where the editor's do; its paragraphs stay. */
function textOf(node: ts.Node): string {
  const comments = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc)
  const text = comments.map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? '').join('\n\n')
  return text
    .trim()
    .replace(/\{@link (\S+?)\}/g, '`$1`')
    .replace(/(?<!\n)\n(?!\n)/g, ' ')
}

/** The members of an interface, a class, or an object that is a variable's value. */
function memberNodes(node: ts.Node): readonly ts.NamedDeclaration[] {
  if (ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node)) return [...node.members]
  const value = ts.isVariableStatement(node) ? node.declarationList.declarations[0]?.initializer : undefined
  const plain = value !== undefined && ts.isAsExpression(value) ? value.expression : value
  return plain !== undefined && ts.isObjectLiteralExpression(plain) ? [...plain.properties] : []
}

function membersOf(node: ts.Node): Record<string, string> {
  const members = memberNodes(node).flatMap((member): [string, string][] => {
    const text = textOf(member)
    return member.name && text !== '' ? [[member.name.getText(), text]] : []
  })
  return Object.fromEntries(members)
}

/** The docstrings of a file's declarations, by name; of two declarations of one name the one that has a docstring. */
export function docstringsOf(file: string): ReadonlyMap<string, Docstring> {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ESNext, true)
  const found = new Map<string, Docstring>()
  for (const statement of source.statements) {
    const declared = ts.isVariableStatement(statement)
      ? statement.declarationList.declarations.map(({ name }) => name.getText())
      : ts.isInterfaceDeclaration(statement) || ts.isClassDeclaration(statement)
        ? [statement.name?.getText() ?? '']
        : []
    const [meaning = '', ...advice] = textOf(statement).split('\n\n')
    if (meaning === '') continue
    for (const name of declared) {
      found.set(name, { meaning, advice: advice.join(' '), members: membersOf(statement) })
    }
  }
  return found
}
