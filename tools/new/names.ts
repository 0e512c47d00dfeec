import ts from 'typescript'
import { Problem } from './problem.ts'

/** What a group and one of its records are called, in each spelling that code and texts need. */
export interface Names {
  /** `gift-cards`: files and the subpath. */
  readonly kebab: string
  /** `giftCards`: the group in code, in operations' ids and in paths. */
  readonly camel: string
  /** `gift_cards`: the table. */
  readonly snake: string
  /** `gift cards`. */
  readonly words: string
  /** The same of one record: `giftCard`, `GiftCard`, `gift card`. */
  readonly one: { readonly camel: string; readonly pascal: string; readonly words: string }
}

const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
const camelOf = (kebab: string) => kebab.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
const spaced = (kebab: string) => kebab.replaceAll('-', ' ')

/** One of many: `gift-card` of `gift-cards`, `story` of `stories`. undefined where the name does not say it by its end. */
function singularOf(kebab: string): string | undefined {
  if (/[^aeiou]ies$/.test(kebab)) return `${kebab.slice(0, -3)}y`
  if (/(?:ss|sh|ch|x)es$/.test(kebab)) return kebab.slice(0, -2)
  // `bonus` of `bonuses`, but `house` of `houses`.
  if (kebab.endsWith('uses')) return undefined
  return /[^su]s$/.test(kebab) ? kebab.slice(0, -1) : undefined
}

function isIdentifier(text: string): boolean {
  const scanner = ts.createScanner(ts.ScriptTarget.ESNext, true, ts.LanguageVariant.Standard, text)
  return scanner.scan() === ts.SyntaxKind.Identifier && scanner.scan() === ts.SyntaxKind.EndOfFileToken
}

/**
 * The spellings of a group and of one of its records. Names are in kebab-case; the record's follows from the group's by the rules of
 * English unless it is given.
 */
export function namesOf(group: string, record: string | undefined = singularOf(group)): Names {
  for (const name of [group, record ?? group]) {
    // 40 letters leave room for what is called after it: PostgreSQL cuts names at 63.
    if (!/^[a-z][a-z0-9]*(?:-[a-z][a-z0-9]*)*$/.test(name) || name.length > 40) {
      throw new Problem(
        `"${name}" is no name: lower-case words with hyphens between them, at most 40 letters, such as gift-cards.`,
      )
    }
  }
  if (record === undefined || record === group) {
    throw new Problem(
      `A group is named by its records, in the plural, such as gift-cards. What is one of "${group}"? Add it: ${group} <one of them>.`,
    )
  }
  const [camel, one] = [camelOf(group), camelOf(record)]
  const reserved = [camel, one].find((name) => !isIdentifier(name))
  if (reserved !== undefined) throw new Problem(`"${reserved}" is a word of TypeScript.`)
  return {
    kebab: group,
    camel,
    snake: group.replaceAll('-', '_'),
    words: spaced(group),
    one: { camel: one, pascal: capitalised(one), words: spaced(record) },
  }
}

/** `a gift card`, `an order`. */
const withArticle = (words: string) => `${/^[aeiou]/.test(words) ? 'an' : 'a'} ${words}`

/**
 * The replacements in the template, which is written as the group `gift-cards` of a package `shop`: its code and its texts read
 * as those that come of it.
 */
export function replacements(
  names: Names,
  domain: { readonly folder: string; readonly path: string; readonly migration: string },
): ReadonlyMap<string, string> {
  return new Map([
    ['gift-cards', names.kebab],
    ['giftCards', names.camel],
    ['gift_cards', names.snake],
    ['gift cards', names.words],
    ['Gift cards', capitalised(names.words)],
    ['giftCard', names.one.camel],
    ['GiftCard', names.one.pascal],
    ['gift card', names.one.words],
    ['a gift card', withArticle(names.one.words)],
    ['A gift card', capitalised(withArticle(names.one.words))],
    ['@mintmark/shop', `@mintmark/${domain.folder}`],
    ['domains/shop/', `domains/${domain.folder}/`],
    ['packages/shop/', `packages/${domain.folder}/`],
    ['docs/shop.md', `docs/${domain.folder}.md`],
    ['"shop"', `"${domain.folder}"`],
    ['shop:read', `${domain.folder}:read`],
    ['shop:write', `${domain.folder}:write`],
    ['/api/v1/shop/', domain.path],
    ['0000', domain.migration],
  ])
}

/** Replaces all of them in one pass, the longest match first, so that nothing is replaced twice. */
export function replaced(text: string, words: ReadonlyMap<string, string>): string {
  const longestFirst = [...words.keys()].sort((a, b) => b.length - a.length)
  return text.replace(new RegExp(longestFirst.join('|'), 'g'), (word) => words.get(word) ?? word)
}
