import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as envelope from '@mintmark/envelope'
import type { Rule as DeclaredRule } from '@mintmark/operation'
import ts from 'typescript'
import { reasons } from '../../../packages/facilitator-server/src/payment/reasons.ts'
import { packagesOfLayer, shortName } from '../../../tools/workspace.ts'
import { headingsOf } from './markdown.ts'

/** The docstring of an exported name: its first paragraph, and the other paragraphs, which say what to do. */
export interface Docstring {
  readonly meaning: string
  readonly advice: string
  /** The docstrings of the members of an interface, a class or an object. */
  readonly members: Readonly<Record<string, string>>
}

const NO_DOCSTRING: Docstring = { meaning: '', advice: '', members: {} }

/** The text of a docstring, one line for each paragraph. */
function textOf(node: ts.Node): string {
  const comments = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc)
  const text = comments.map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? '').join('\n\n')
  return text
    .trim()
    .replace(/\{@link (\S+?)\}/g, '`$1`')
    .replace(/(?<!\n)\n(?!\n)/g, ' ')
}

/** The members of an interface, a class, or an object that is a variable's value. */
function membersOf(node: ts.Statement): readonly ts.NamedDeclaration[] {
  if (ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node)) return [...node.members]
  const value = ts.isVariableStatement(node) ? node.declarationList.declarations[0]?.initializer : undefined
  const plain = value !== undefined && ts.isAsExpression(value) ? value.expression : value
  return plain !== undefined && ts.isObjectLiteralExpression(plain) ? [...plain.properties] : []
}

/**
 * The docstrings of a file's declarations by name. Of two declarations with one name, the one that has a
 * docstring.
 */
export function docstringsOf(file: string): ReadonlyMap<string, Docstring> {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ESNext, true)
  const found = new Map<string, Docstring>()
  for (const statement of source.statements) {
    const isType = ts.isInterfaceDeclaration(statement) || ts.isClassDeclaration(statement)
    const variables = ts.isVariableStatement(statement) ? statement.declarationList.declarations : []
    const names = isType ? [statement.name?.getText() ?? ''] : variables.map(({ name }) => name.getText())
    const [meaning = '', ...advice] = textOf(statement).split('\n\n')
    if (meaning === '') continue
    const members = membersOf(statement).flatMap((member): [string, string][] => {
      const text = textOf(member)
      return member.name && text !== '' ? [[member.name.getText(), text]] : []
    })
    for (const name of names)
      found.set(name, { meaning, advice: advice.join(' '), members: Object.fromEntries(members) })
  }
  return found
}

/** What a page of `docs/` contains for one operation, under the heading with its id. */
export interface Example {
  /** The text above the code, Markdown. */
  readonly prose: string
  readonly code: string
  /** The second-level heading before it. */
  readonly section: { readonly title: string; readonly slug: string } | undefined
}

/** The examples of a package's page in `docs/`, by the operation's id. */
export function examplesOf(root: string, packageName: string): ReadonlyMap<string, Example> {
  const examples = new Map<string, Example>()
  const file = join(root, 'docs', `${packageName}.md`)
  const page = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const headings = headingsOf(page)
  const lines = page.split('\n')
  let section: Example['section']
  headings.forEach(({ level, title, slug, line }, index) => {
    if (level === 2) section = { title, slug }
    const [, id] = /^`(\w+\.\w+)`$/.exec(title) ?? []
    const text = lines.slice(line, (headings[index + 1]?.line ?? lines.length + 1) - 1).join('\n')
    const block = /^```ts\n([\s\S]*?)^```$/m.exec(text)
    if (level !== 3 || id === undefined || block === null) return
    examples.set(id, { prose: text.slice(0, block.index).trim(), code: block[1] ?? '', section })
  })
  return examples
}

/** A rule that refuses calls: a constant with a reason, and a five-digit code where it is the gateway's. */
export interface Rule {
  readonly name: string
  /** The code of the gateway's rule, the reason of the facilitator's. */
  readonly value: number | string
  /** The packages that export the constant. */
  readonly packages: readonly string[]
  readonly docstring: Docstring
}

/** The code of an exported rule of the gateway, or the reason of one of the facilitator. */
function ruleValue(exported: unknown): number | string | undefined {
  if (exported === null || typeof exported !== 'object' || !('reason' in exported)) return undefined
  return valueOfRule(exported as DeclaredRule)
}

/** What the reference knows a rule by: its code, or its reason where it has none. */
export function valueOfRule({ code, reason }: DeclaredRule): number | string {
  return code ?? reason
}

/**
 * Every rule that the domain packages export, by code, and the rules of signing, which apply to every call of
 * the gateway.
 */
export async function readRules(root: string): Promise<readonly Rule[]> {
  const docstrings = new Map<string, Docstring>()
  for (const { folder } of packagesOfLayer(root, 'domain', 'vocabulary', 'core')) {
    for (const file of globSync('src/{rules,errors}.ts', { cwd: folder }))
      for (const [name, docstring] of docstringsOf(join(folder, file))) docstrings.set(name, docstring)
  }
  const exporting = packagesOfLayer(root, 'domain', 'core').filter(
    (each) => !['core-auth', 'transport'].includes(shortName(each)),
  )
  const rules = new Map<string, Rule>()
  for (const each of exporting) {
    const exports: Readonly<Record<string, unknown>> = await import(join(each.folder, 'src/index.ts'))
    for (const [name, exported] of Object.entries(exports)) {
      const value = ruleValue(exported)
      if (value === undefined) continue
      const packages = [...(rules.get(`${name} ${value}`)?.packages ?? []), shortName(each)]
      const docstring = docstrings.get(name) ?? NO_DOCSTRING
      rules.set(`${name} ${value}`, { name, value, packages, docstring })
    }
  }
  return [...rules.values()].sort((a, b) => (String(a.value) < String(b.value) ? -1 : 1))
}

/** The classes of errors, and the reasons of payments in the words of x402. */
export interface ErrorDocs {
  readonly kinds: readonly { readonly kind: string; readonly docstring: Docstring }[]
  readonly payments: readonly { readonly reason: string; readonly meaning: string }[]
  /** The fields of all errors. */
  readonly fields: Readonly<Record<string, string>>
}

export function readErrors(root: string): ErrorDocs {
  const docstrings = docstringsOf(join(root, 'packages/envelope/src/errors.ts'))
  const order = [...docstrings.keys()]
  const kinds = Object.values(envelope)
    .flatMap((value) => (typeof value === 'function' && 'kind' in value ? [String(value.kind)] : []))
    .sort((a, b) => order.indexOf(a) - order.indexOf(b))
  const ofReasons = docstringsOf(join(root, 'packages/facilitator-server/src/payment/reasons.ts')).get(
    'reasons',
  )
  return {
    kinds: kinds.map((kind) => ({ kind, docstring: docstrings.get(`${kind}Error`) ?? NO_DOCSTRING })),
    payments: Object.entries(reasons).map(([name, reason]) => ({
      reason,
      meaning: ofReasons?.members[name] ?? '',
    })),
    fields: { ...docstrings.get('MintmarkError')?.members, ...docstrings.get('ErrorDetails')?.members },
  }
}
