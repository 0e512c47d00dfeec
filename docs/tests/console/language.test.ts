// The console in the language of the person: which one it is, that it stays, and that no word is left out.
import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { Role } from '@mintmark/admin'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser } from './browser.ts'
import { waitForPage } from './check-page.ts'
import { type ConsoleFixture, startConsole } from './console-fixture.ts'
import { createShop, type ShopPages } from './shop-rows.ts'

const readFile = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

/** The texts of the console in Spanish, by the English ones. */
function readSpanish(): object {
  const page: { mintmarkTexts?: object } = {}
  runInNewContext(readFile('../../../packages/console/app/public/languages/es.js'), page)
  return page.mintmarkTexts ?? {}
}

/** Puts an accent on each letter of a text that is shown, which are all but the placeholders. */
function addAccents(text: string): string {
  return text.replace(/\{\w+(?:, plural, \w+ \{|\})|\} \w+ \{|[a-z]/gi, (part) =>
    part.length === 1 ? `${part}\u0301` : part,
  )
}

/** The script of a language whose letters all have accents. */
function createAccents(): string {
  const texts = Object.keys(readSpanish()).map((text) => [text, addAccents(text)])
  return `globalThis.mintmarkTexts = ${JSON.stringify(Object.fromEntries(texts))}`
}

/** What is the same in each language, the months in Spanish, and what the rows of the tests have. */
const MONTHS = [...Array(12).keys()].map((month) =>
  new Date(2026, month).toLocaleDateString('es', { month: 'short' }),
)
const SAME = 'Mintmark NFT NFTs ERC API JSON CSV HTTP USDC ETH Person'
const NAMES = new Set(`${readFile('./shop-rows.ts')} ${SAME} ${MONTHS.join(' ')}`.match(/[a-z]{3,}/gi))

/** Lists the texts of a page that have words without accents, except code, times and what people typed. */
async function listEnglish(page: Page): Promise<readonly string[]> {
  const texts = await page.evaluate(() => {
    const isShown = (node: Node) => node.parentElement?.closest('script, code, pre, time, .mono') === null
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const found: string[] = [document.title]
    while (walker.nextNode() !== null) {
      if (isShown(walker.currentNode)) found.push(walker.currentNode.textContent ?? '')
    }
    for (const name of ['aria-label', 'title', 'placeholder', 'alt']) {
      for (const element of document.querySelectorAll(`[${name}]`)) {
        if (element.closest('code, time') === null) found.push(element.getAttribute(name) ?? '')
      }
    }
    return found
  })
  return texts.filter((text) => text.match(/[a-z]{3,}/gi)?.some((word) => !NAMES.has(word)))
}

describe.skipIf(!hasBrowser)('the language of the console', () => {
  let fixture: ConsoleFixture
  let shop: ShopPages
  beforeAll(async () => {
    fixture = await startConsole()
    shop = await createShop(fixture)
  })
  afterAll(() => fixture.close())

  it.each(['cards', 'sales', 'tokens', 'developers', 'settings'] as const)(
    'no word is English on the pages of %s in a language whose letters all have accents',
    async (part) => {
      const tab = await fixture.openAs(Role.OWNER, { locale: 'es-ES' })
      const body = createAccents()
      await tab.page.route('**/languages/es.js', (route) =>
        route.fulfill({ contentType: 'text/javascript', body }),
      )
      const found: Record<string, readonly string[]> = {}
      for (const path of [...shop[part], 'scanner'].filter((each) => !each.startsWith('explorer'))) {
        await tab.page.goto(fixture.at(path))
        await waitForPage(tab)
        const english = await listEnglish(tab.page)
        if (english.length > 0) found[path] = english
      }
      expect(found).toEqual({})
      expect(tab.problems).toEqual([])
    },
  )
})
