// The console in the language of the person: which one it is, that it stays, and that no word is left out.
import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { Role } from '@mintmark/admin'
import { eventTypes } from '@mintmark/events'
import { expect, type Page } from '@playwright/test'
import { storePicture } from './browser.ts'
import { checkPage, listProblems, visit } from './check-page.ts'
import { consoleTest } from './console-test.ts'
import { createShop, type ShopPages } from './shop-rows.ts'

const readFile = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

/** The texts of the console in Spanish, by the English ones. */
function readSpanish(): object {
  const page: { mintmarkTexts?: object } = {}
  runInNewContext(readFile('../app/public/languages/es.js'), page)
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

const test = consoleTest().extend<object, { shop: ShopPages }>({
  shop: [async ({ app }, use) => use(await createShop(app)), { scope: 'worker' }],
})

/** Lists the pages of a part, without the API explorer, which is English. */
const listPaths = (shop: ShopPages, part: keyof ShopPages) =>
  [...shop[part], 'scanner'].filter((path) => !path.startsWith('explorer'))

test.describe('the language of the console', () => {
  for (const part of PARTS) {
    test(`leaves no word English on the pages of ${part}, if its letters have accents`, async ({
      app,
      shop,
    }) => {
      const page = await app.openAs(Role.OWNER, { locale: 'es-ES' })
      const body = createAccents()
      await page.route('**/languages/es.js', (route) =>
        route.fulfill({ contentType: 'text/javascript', body }),
      )
      const found: Record<string, readonly string[]> = {}
      for (const path of listPaths(shop, part)) {
        await visit(page, app.at(path))
        const english = await listEnglish(page)
        if (english.length > 0) found[path] = english
      }
      expect(found).toEqual({})
      expect(await listProblems(page)).toEqual([])
    })

    // German has the longest words.
    test(`fits a phone on the pages of ${part} in German`, async ({ app, shop }) => {
      const page = await app.openAs(Role.OWNER, { locale: 'de-AT', width: 390 })
      await page.context().route(/^https:|\/console\/images\?/, (route) => route.abort())
      for (const path of listPaths(shop, part)) {
        await page.goto(app.at(path))
        await checkPage(page)
        await storePicture(page, `German ${path.replaceAll(/\W+/g, '-').slice(0, 60)} 390`)
      }
    })
  }

  test('is German for a manager who chooses Spanish, and reads it after a reload and without a connection', async ({
    app,
  }) => {
    const page = await app.openAs(Role.MANAGER, { locale: 'de-DE', hasWorkers: true, path: 'overview' })
    await expect(page.getByRole('heading', { name: 'Startseite' })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', 'de')
    await visit(page, app.at('cards/commemorative/new'))
    await page.getByLabel('Betrag').fill('12,50')
    await page.getByLabel('Name', { exact: true }).fill('Zehn Jahre')
    await page.getByRole('button', { name: 'Erinnerungskarte erstellen' }).click()
    await expect(page.getByRole('heading', { name: 'Zehn Jahre' })).toBeVisible()
    await expect(page.getByText('12,5', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Konto von Person MANAGER' }).click()
    await page.getByRole('menuitem', { name: 'Español' }).click()
    await expect(page.getByRole('link', { name: 'Inicio' })).toBeVisible()
    await page.goto(app.at('scanner'))
    await expect(page.getByLabel('Código de la tarjeta')).toBeVisible()
    await expect.poll(() => page.evaluate(isStored)).toBe(true)
    await app.stopServer()
    await page.reload()
    await expect(page.getByLabel('Código de la tarjeta')).toBeVisible()
    await app.restartServer()
  })

  test('can be chosen on the page of the sign-in', async ({ app }) => {
    const page = await app.open({ locale: 'fr-FR' })
    await page.goto(`${app.url}/console/sign-in`)
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    await page.getByText('Deutsch').click()
    await expect(page.getByRole('heading', { name: 'Anmelden' })).toBeVisible()
  })
})
