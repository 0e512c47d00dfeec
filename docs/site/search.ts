import type { DefaultTheme } from 'vitepress'

type MiniSearch = NonNullable<DefaultTheme.LocalSearchOptions['miniSearch']>

/**
 * How the search of the site finds pages. The functions also run in browsers, which get their text: they use
 * nothing from outside of them.
 */
export const searchOptions = {
  options: {
    /**
     * Words as MiniSearch has them, and reasons and settings such as `OUT_OF_STOCK` as a whole too, with a mark:
     * no other word is the beginning of theirs.
     */
    tokenize: (text: string) => [
      ...text.split(/[\n\r\p{Z}\p{P}]+/u),
      ...(text.match(/[a-z0-9]+(?:_[a-z0-9]+)+/gi) ?? []).map((name) => `_${name}`),
    ],
  },
  searchOptions: {
    fuzzy: (term: string) => (term.startsWith('_') ? false : 0.2),
    prefix: true,
    boost: { title: 4, text: 2, titles: 1 },
    /** Reasons and settings are found where they are explained, everything else in guides first. */
    boostDocument: (page: string, term: string) => {
      const isTable = /\/reference\/(?:errors|\w+-settings)/.test(page)
      if (term.startsWith('_')) return isTable ? 20 : 4
      if (/^\/guides\//.test(page)) return 1.6
      const isAside =
        /^\/(?:decisions|reference\/index|specification-gaps|security-standards|contributing|tools|repository)/
      return isTable || isAside.test(page) ? 0.4 : 1
    },
  },
} satisfies MiniSearch
