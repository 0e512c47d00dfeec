import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as envelope from '@mintmark/envelope'
import type { Rule as DeclaredRule } from '@mintmark/operation'
import ts from 'typescript'
import { reasons } from '../../packages/facilitator-server/src/payment/reasons.ts'
import { packagesOfLayer, shortName } from '../workspace.ts'

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

/** The anchor of a reason or a kind on the pages that explain errors. Clients add it to the address of the page. */
export const anchorOf = (word: string): string => word.toLowerCase()

/** A rule that refuses calls: a constant with a reason, and a five-digit code where it is the gateway's. */
export interface Rule {
  readonly name: string
  /** The code of the gateway's rule, the reason of the facilitator's. */
  readonly value: number | string
  readonly reason: string
  /** The packages that export the constant. */
  readonly packages: readonly string[]
  readonly docstring: Docstring
}

function isRule(exported: unknown): exported is DeclaredRule {
  return exported !== null && typeof exported === 'object' && 'reason' in exported
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
      if (!isRule(exported)) continue
      const value = valueOfRule(exported)
      const { reason } = exported
      const packages = [...(rules.get(`${name} ${value}`)?.packages ?? []), shortName(each)]
      const docstring = docstrings.get(name) ?? NO_DOCSTRING
      rules.set(`${name} ${value}`, { name, value, reason, packages, docstring })
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

/** What a kind, a rule or a reason of payments means. */
export interface Explanation {
  /** What errors contain: the reason, or the kind of an error without one. */
  readonly word: string
  readonly meaning: string
  readonly advice: string
}

/** Lists the explanations of all errors. */
export async function readExplanations(root: string): Promise<readonly Explanation[]> {
  const { kinds, payments } = readErrors(root)
  const rules = await readRules(root)
  return [
    ...kinds.map(({ kind, docstring }) => ({ word: kind, ...docstring })),
    ...rules.map(({ reason, docstring }) => ({ word: reason, ...docstring })),
    ...payments.map(({ reason, meaning }) => ({ word: reason, meaning, advice: '' })),
  ]
}
