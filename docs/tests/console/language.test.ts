// The console in the language of the person: which one it is, that it stays, and that no word is left out.
import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { Role } from '@mintmark/admin'
import { eventTypes } from '@mintmark/events'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, storePicture } from './browser.ts'
import { checkPage, waitForPage } from './check-page.ts'
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

const MONTHS = [...Array(12).keys()].map((month) =>
  new Date(2026, month).toLocaleDateString('es', { month: 'short' }),
)
const SAME = 'Mintmark NFT NFTs ERC API JSON CSV HTTP USDC ETH UTC Letter Base Sepolia'
/** Words without accents: names, Spanish months, and what the shop of the tests contains. */
const NAMES = new Set(
  `${readFile('./shop-rows.ts')} ${SAME} ${MONTHS.join(' ')} demo test Person OWNER`.match(/[a-z]{3,}/gi),
)
/** Addresses, keys, codes, names of events and scopes, and columns of the database with their values. */
const CODE = /^[a-z_.]+: .*|\w+…\w+|(\b0x|\bkey:|[mp]k_)\S+|[\w-]{20,}|\w+\.[\w*]+|\w+:(read|write)/g
/** The documentation of events, which is English, and the collection of a project that has named none. */
const ENGLISH = new Set<string>(Object.values(eventTypes).map(({ description }) => description)).add('Cards')

/** Lists the texts of a page that have words without accents. */
async function listEnglish(page: Page): Promise<readonly string[]> {
  const texts = await page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const found: string[] = [document.title]
    while (walker.nextNode() !== null) {
      const { parentElement, textContent } = walker.currentNode
      if (parentElement?.closest('noscript, code, pre, time') === null) found.push(textContent ?? '')
    }
    for (const name of ['aria-label', 'title', 'placeholder', 'alt']) {
      for (const element of document.querySelectorAll(`[${name}]:not(code, time)`)) {
        found.push(element.getAttribute(name) ?? '')
      }
    }
    return found
  })
  const isEnglish = (text: string) => text.match(/[a-z]{3,}/gi)?.some((word) => !NAMES.has(word)) ?? false
  return texts.filter((text) => {
    const words = text.replaceAll(CODE, '').replace('()', '').trim()
    return !ENGLISH.has(words) && isEnglish(words)
  })
}

/** Whether the page has a worker that has stored who is signed in. */
const isStored = async () =>
  navigator.serviceWorker.controller !== null &&
  (await caches.match('/admin/v1/session', { ignoreVary: true })) !== undefined

const PARTS = ['cards', 'sales', 'tokens', 'developers', 'settings'] as const

describe.skipIf(!hasBrowser)('the language of the console', () => {
  let fixture: ConsoleFixture
  let shop: ShopPages
  beforeAll(async () => {
    fixture = await startConsole()
    shop = await createShop(fixture)
  })
  afterAll(() => fixture.close())

  /** Lists the pages of a part, without the API explorer, which is English. */
  const listPaths = (part: keyof ShopPages) =>
    [...shop[part], 'scanner'].filter((path) => !path.startsWith('explorer'))

  it.each(PARTS)(
    'no word is English on the pages of %s in a language of letters with accents',
    async (part) => {
      const tab = await fixture.openAs(Role.OWNER, { locale: 'es-ES' })
      const body = createAccents()
      await tab.page.route('**/languages/es.js', (route) =>
        route.fulfill({ contentType: 'text/javascript', body }),
      )
      const found: Record<string, readonly string[]> = {}
      for (const path of listPaths(part)) {
        await tab.page.goto(fixture.at(path))
        await waitForPage(tab)
        const english = await listEnglish(tab.page)
        if (english.length > 0) found[path] = english
      }
      expect(found).toEqual({})
      expect(tab.problems).toEqual([])
    },
  )

  // German has the longest words.
  it.each(PARTS)('the pages of %s fit a phone in German', async (part) => {
    const tab = await fixture.openAs(Role.OWNER, { locale: 'de-AT', width: 390 })
    await tab.page.context().route(/^https:|\/console\/images\?/, (route) => route.abort())
    for (const path of listPaths(part)) {
      await tab.page.goto(fixture.at(path))
      await checkPage(tab)
      await storePicture(tab.page, `German ${path.replaceAll(/\W+/g, '-').slice(0, 60)} 390`)
    }
  })

  it('a manager reads German, chooses Spanish, and reads it after a reload and without a connection', async () => {
    const { page } = await fixture.openAs(Role.MANAGER, { locale: 'de-DE', hasWorkers: true })
    await page.goto(fixture.at('overview'))
    await page.getByRole('heading', { name: 'Startseite' }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('de')
    await page.goto(fixture.at('cards/commemorative/new'))
    await page.getByLabel('Betrag').fill('12,50')
    await page.getByLabel('Name', { exact: true }).fill('Zehn Jahre')
    await page.getByRole('button', { name: 'Erinnerungskarte erstellen' }).click()
    await page.getByRole('heading', { name: 'Zehn Jahre' }).waitFor()
    await page.getByText('12,5', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Konto von Person MANAGER' }).click()
    await page.getByRole('menuitem', { name: 'Español' }).click()
    await page.getByRole('link', { name: 'Inicio' }).waitFor()
    await page.goto(fixture.at('scanner'))
    await page.getByLabel('Código de la tarjeta').waitFor()
    await expect.poll(() => page.evaluate(isStored)).toBe(true)
    await fixture.stopServer()
    await page.reload()
    await page.getByLabel('Código de la tarjeta').waitFor()
    await fixture.restartServer()
  })

  it('a person chooses the language of the sign-in', async () => {
    const { page } = await fixture.open({ locale: 'fr-FR' })
    await page.goto(`${fixture.url}/console/sign-in`)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.getByText('Deutsch').click()
    await page.getByRole('heading', { name: 'Anmelden' }).waitFor()
  })
})
