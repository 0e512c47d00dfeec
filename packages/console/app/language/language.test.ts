// Reads all texts of the console, and compares them with the languages in `public/languages`.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { chooseLocale } from './locale.ts'
import { t } from './translate.ts'

const app = join(import.meta.dirname, '..')

/** What operators and developers alone read is English. */
const ENGLISH = /^(pages|texts)\/(operator|facilitator|explorer)\b|^components\/health\//

/** A call of `t` or `tNode`. */
interface Use {
  readonly place: string
  readonly text: string
  /** The names of its values. */
  readonly values: readonly string[]
}

const files = readdirSync(app, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !/\.test\.ts$/.test(name))
  .map((name) =>
    ts.createSourceFile(name, readFileSync(join(app, name), 'utf8'), ts.ScriptTarget.Latest, true),
  )
const nodes = files.flatMap((file) => listNodes(file))
const uses = nodes.flatMap((node) => readUse(node))

function listNodes(node: ts.Node): ts.Node[] {
  const found = [node]
  ts.forEachChild(node, (child) => {
    found.push(...listNodes(child))
  })
  return found
}

function formatPlace(node: ts.Node): string {
  const file = node.getSourceFile()
  return `${file.fileName}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`
}

function readUse(node: ts.Node): readonly Use[] {
  if (!ts.isCallExpression(node) || !/^t(Node)?$/.test(node.expression.getText())) return []
  const [text, values] = node.arguments
  const place = formatPlace(node)
  if (text === undefined || !ts.isStringLiteralLike(text)) throw new Error(`${place} has no literal text`)
  const names = values !== undefined && ts.isObjectLiteralExpression(values) ? values.properties : []
  return [{ place, text: text.text, values: names.map((each) => each.name?.getText() ?? '') }]
}

/** Lists the placeholders of a text, each once. Those of plurals have the word. */
function listPlaceholders(text: string): readonly string[] {
  return [...new Set([...text.matchAll(/\{(\w+(?:, plural)?)[,}]/g)].map(([, name = '']) => name))].sort()
}

/** Reads a language, by the English texts. */
function readLanguage(language: string): ReadonlyMap<string, string> {
  const page: { mintmarkTexts?: Record<string, string> } = {}
  runInNewContext(readFileSync(join(app, `public/languages/${language}.js`), 'utf8'), page)
  return new Map(Object.entries(page.mintmarkTexts ?? {}))
}

it('a translated text has its values, and the form of a plural for the number', () => {
  const text = '{count, plural, one {# card} other {# cards}} of {name}'
  expect(t(text, { count: 1, name: 'Ann' })).toBe('1 card of Ann')
  globalThis.mintmarkTexts = { [text]: '{name}: {count, plural, one {# Karte} other {# Karten}}' }
  expect(t(text, { count: 1200, name: 'Ann' })).toBe('Ann: 1,200 Karten')
  globalThis.mintmarkTexts = undefined
})

it('numbers and times have the format of the region, in the language of the page', () => {
  expect(chooseLocale('de', ['en-GB', 'de-AT', 'de-DE'])).toBe('de-AT')
  expect(chooseLocale('es', ['es', 'en-GB'])).toBe('es-ES')
})

it('each text of the console gets the values of its placeholders', () => {
  const getNames = (text: string) => listPlaceholders(text).map((name) => name.replace(', plural', ''))
  const wrong = uses.filter(({ text, values }) => getNames(text).join() !== [...values].sort().join())
  expect(wrong).toEqual([])
})

it.each(['de', 'es'])('the language %s has each text of the console, and no other', (language) => {
  const texts = new Set(uses.map(({ text }) => text))
  expect([...readLanguage(language).keys()].sort()).toEqual([...texts].sort())
})

it.each(['de', 'es'])(
  'the texts of the language %s have the placeholders of the English ones',
  (language) => {
    const wrong = [...readLanguage(language)].filter(
      ([english, text]) => listPlaceholders(english).join() !== listPlaceholders(text).join(),
    )
    expect(wrong).toEqual([])
  },
)

it('a sentence between the tags of an element is translated', () => {
  const isWords = (node: ts.Node) => ts.isJsxText(node) && /\p{L}{2}/u.test(node.text)
  const isCode = (node: ts.Node) => ts.isJsxElement(node.parent) && /^<code/.test(node.parent.getText())
  const words = nodes.filter((node) => isWords(node) && !isCode(node))
  expect(words.map(formatPlace).filter((place) => !ENGLISH.test(place))).toEqual([])
})

it('a sentence in an attribute or in data is translated', () => {
  const isShown = ({ parent }: ts.Node) =>
    (ts.isPropertyAssignment(parent) || ts.isJsxAttribute(parent)) &&
    /^(label|title|text|advice|description|action|done)$/.test(parent.name.getText())
  const sentences = nodes.filter(
    (node) =>
      ts.isStringLiteralLike(node) &&
      (/^[A-Z][A-Za-z’]*,? [a-z]/.test(node.text) || (isShown(node) && /^[A-Z][a-z]/.test(node.text))),
  )
  const isTranslated = ({ parent }: ts.Node) =>
    ts.isCallExpression(parent) && /^t(Node)?$/.test(parent.expression.getText())
  const isForDevelopers = ({ parent }: ts.Node) => ts.isNewExpression(parent)
  const others = sentences.filter((node) => !isTranslated(node) && !isForDevelopers(node))
  expect(others.map(formatPlace).filter((place) => !ENGLISH.test(place))).toEqual([])
})

it.each(['de', 'es'])('the labels of a list differ in the language %s', (language) => {
  const texts = readLanguage(language)
  const equal = nodes.filter(ts.isObjectLiteralExpression).filter((list) => {
    const labels = listNodes(list)
      .filter(ts.isComputedPropertyName)
      .flatMap(({ expression }) => readUse(expression))
      .map(({ text }) => texts.get(text))
    return new Set(labels).size < labels.length
  })
  expect(equal.map(formatPlace)).toEqual([])
})
