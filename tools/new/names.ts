/** A group that cannot be generated. The message says why, and what to do. */
export class PlanError extends Error {}

/** The names of a group and of one of its records, in each spelling that code and texts need. */
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

const capitalize = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
const toCamel = (kebab: string) => kebab.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
const toWords = (kebab: string) => kebab.replaceAll('-', ' ')

/**
 * The singular of a name: `gift-card` of `gift-cards`, `story` of `stories`. undefined if its end does not
 * determine it.
 */
function findSingular(kebab: string): string | undefined {
  if (/[^aeiou]ies$/.test(kebab)) return `${kebab.slice(0, -3)}y`
  if (/(?:ss|sh|ch|x)es$/.test(kebab)) return kebab.slice(0, -2)
  // `bonus` of `bonuses`, but `house` of `houses`.
  if (kebab.endsWith('uses')) return undefined
  return /[^su]s$/.test(kebab) ? kebab.slice(0, -1) : undefined
}

/** Words that JavaScript modules and TypeScript do not accept as the name of a variable. */
const RESERVED_WORDS: ReadonlySet<string> = new Set(
  `arguments as async await break case catch class const continue debugger default delete do else enum eval export extends false
  finally for from function if implements import in instanceof interface let new null of package private protected public return
  static super switch this throw true try type typeof undefined var void while with yield`.split(/\s+/),
)

/**
 * Spells a group and one of its records. Both names are in kebab-case. The default of the record's is the
 * English singular.
 */
export function toNames(group: string, record: string | undefined = findSingular(group)): Names {
  // 40 letters leave room for what is named after it: PostgreSQL cuts names at 63.
  const invalid = [group, record ?? group].find(
    (name) => name.length > 40 || !/^[a-z][a-z0-9]*(?:-[a-z][a-z0-9]*)*$/.test(name),
  )
  if (invalid !== undefined)
    throw new PlanError(
      `"${invalid}" is not a name. Use at most 40 lower-case letters and hyphens, such as gift-cards`,
    )
  if (record === undefined || record === group)
    throw new PlanError(`The singular of "${group}" is unknown. Add it: ${group} <singular>`)
  if (RESERVED_WORDS.has(group)) throw new PlanError(`"${group}" is a reserved word. Choose another group`)
  if (RESERVED_WORDS.has(record))
    throw new PlanError(
      `The singular "${record}" is a reserved word. Choose another group, or add another singular: ${group} <singular>`,
    )
  return {
    kebab: group,
    camel: toCamel(group),
    snake: group.replaceAll('-', '_'),
    words: toWords(group),
    one: { camel: toCamel(record), pascal: capitalize(toCamel(record)), words: toWords(record) },
  }
}

/** The names that modules of the template declare or import, except for those of its group. */
export function listTemplateNames(modules: readonly string[]): ReadonlySet<string> {
  const names = modules.flatMap((text) => {
    const declared = [...text.matchAll(/\b(?:const|function|interface|type|class) (\w+)/g)]
    const imported = [...text.matchAll(/^import (?:type )?(?:\* as (\w+)|\{([^}]*)\})/gm)]
    return [...declared, ...imported].flatMap(([, name, list]) => name ?? list?.match(/\w+/g) ?? [])
  })
  return new Set(names.filter((name) => !/gift_?card/i.test(name)))
}

/** `a gift card`, `an order`. */
const withArticle = (words: string) => `${/^[aeiou]/.test(words) ? 'an' : 'a'} ${words}`

/** The replacements in the template, which is the group `gift-cards` of a package `shop`. */
export function listReplacements(
  names: Names,
  domain: { readonly folder: string; readonly path: string; readonly migration: string },
): Readonly<Record<string, string>> {
  return {
    'gift-cards': names.kebab,
    giftCards: names.camel,
    gift_cards: names.snake,
    'gift cards': names.words,
    'Gift cards': capitalize(names.words),
    giftCard: names.one.camel,
    GiftCard: names.one.pascal,
    'gift card': names.one.words,
    'a gift card': withArticle(names.one.words),
    'A gift card': capitalize(withArticle(names.one.words)),
    '@mintmark/shop': `@mintmark/${domain.folder}`,
    'domains/shop/': `domains/${domain.folder}/`,
    'packages/shop/': `packages/${domain.folder}/`,
    'docs/shop.md': `docs/${domain.folder}.md`,
    'shop:read': `${domain.folder}:read`,
    'shop:write': `${domain.folder}:write`,
    '/api/v1/shop/': domain.path,
    '0000': domain.migration,
  }
}

/** Replaces all words in one pass, the longest match first, so that nothing is replaced twice. */
export function replaceWords(text: string, words: Readonly<Record<string, string>>): string {
  const longestFirst = Object.keys(words).sort((a, b) => b.length - a.length)
  return text.replace(new RegExp(longestFirst.join('|'), 'g'), (word) => words[word] ?? word)
}
