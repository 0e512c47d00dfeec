// Every page, for every role that may open it: by the keyboard alone, and at the widths and in the themes that people use.
import { Role } from '@mintmark/admin'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, storePicture, type Tab, toContextOptions, type View } from './browser.ts'
import { checkPage, waitForPage } from './check-page.ts'
import { type ConsoleFixture, startConsole } from './console-fixture.ts'
import { isFocusVisible, readFocus } from './focus.ts'
import { createShop, type ShopPages } from './shop-rows.ts'

/** `pages.test.ts` has the other two. */
const views: readonly Required<View>[] = [
  { width: 1280, scheme: 'light' },
  { width: 390, scheme: 'dark' },
]
const OPERATOR_PAGES = ['health', 'projects', 'people', 'orders', 'mints', 'audit']
/** What a person can operate, if it is shown and enabled. */
const OPERABLE = ['a[href]', 'button', 'input', 'select', 'textarea', 'summary', '[tabindex]']
  .map((selector) => `${selector}:not([tabindex="-1"], :disabled)`)
  .join()
/** More stops than any page has. A list of hundreds of operations is one. */
const MAX_STOPS = 150

describe.skipIf(!hasBrowser)('every page', () => {
  let fixture: ConsoleFixture
  let shop: ShopPages
  beforeAll(async () => {
    // The scanner waits for its camera.
    fixture = await startConsole({
      browserArguments: ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
    })
    shop = await createShop(fixture)
  })
  afterAll(() => fixture.close())

  /** Lists the addresses of the pages that a role may open. */
  function listPages(role: Role): readonly string[] {
    const { cards, sales, developers, settings } = shop
    const writes = /\/(new|edit)$/
    const scanner = ['scanner']
    if (role === Role.STAFF) return [...scanner, ...cards.filter((path) => !writes.test(path))]
    const managed = [...scanner, ...cards, ...sales, ...developers]
    if (role === Role.MANAGER) return managed
    return [...managed, ...settings].filter((path) => role === Role.OWNER || !writes.test(path))
  }

  const listUrls = (role: Role) => [
    ...listPages(role).map((path) => fixture.at(path)),
    `${fixture.url}/console/account`,
  ]
  const listOperatorUrls = () => OPERATOR_PAGES.map((path) => `${fixture.url}/console/operator/${path}`)

  async function open(tab: Tab, url: string): Promise<void> {
    await tab.page.goto(url)
    await waitForPage(tab)
  }

  it.each(Object.values(Role))('is reached and left by Tab alone for the role %s', async (role) => {
    const tab = await fixture.openAs(role)
    for (const url of listUrls(role)) {
      await open(tab, url)
      await checkTabOrder(tab.page)
    }
  })

  it('is reached and left by Tab alone for an operator', async () => {
    const tab = await fixture.openAsOperator()
    for (const url of listOperatorUrls()) {
      await open(tab, url)
      await checkTabOrder(tab.page)
    }
  })

  describe.each(views)('at $width pixels in the $scheme theme', (view) => {
    /** Opens each page and checks it. */
    async function check(tab: Tab, urls: readonly string[]): Promise<void> {
      await tab.page.context().route(/^https:/, (route) => route.abort())
      for (const url of urls) {
        await tab.page.goto(url)
        await checkPage(tab)
        // On a phone some links between the views of a page are outside of the window, but never that of the current view.
        const current = tab.page.locator('.tab-current')
        if ((await current.count()) > 0) await expect.poll(() => isWhole(current.first())).toBe(true)
        await storeWholePage(tab.page, view)
      }
    }

    it.each(['cards', 'sales', 'developers', 'settings'] as const)(
      'is accessible and fits, for %s',
      async (part) => {
        const urls = shop[part].map((path) => fixture.at(path))
        await check(await fixture.openAs(Role.OWNER, view), urls)
      },
    )

    it('is accessible and fits, for operators', async () => {
      await check(await fixture.openAsOperator(view), listOperatorUrls())
    })
  })

  /** Stores a picture of a page as a person sees it after scrolling. */
  async function storeWholePage(page: Page, { width, scheme }: Required<View>): Promise<void> {
    const { viewport } = toContextOptions({ width })
    const height = await page.evaluate(() => document.documentElement.scrollHeight)
    await page.setViewportSize({ width, height: Math.min(Math.max(height, viewport.height), 4000) })
    const { pathname, search } = new URL(page.url())
    const name = `${pathname}${search}`.replace(/^\/console\/(p\/\d+\/)?/, '').replaceAll(/\W+/g, '-')
    await storePicture(page, `every ${name.slice(0, 60)} ${width} ${scheme}`)
    await page.setViewportSize(viewport)
  }
})

/** Whether an element is in the window with its whole width. */
async function isWhole(element: Locator): Promise<boolean> {
  return await element.evaluate((each) => {
    const { left, right } = each.getBoundingClientRect()
    return left >= 0 && right <= innerWidth
  })
}

/**
 * Presses Tab until the focus has left the page or begins again, because a browser without a window has nothing else to focus. Checks that each
 * stop is visible and that nothing was left out.
 */
async function checkTabOrder(page: Page): Promise<void> {
  const url = page.url()
  await page.evaluate((selector) => {
    for (const element of document.querySelectorAll(selector)) {
      const isRadio = element instanceof HTMLInputElement && element.type === 'radio'
      const { width, height } = element.getBoundingClientRect()
      const isShown = element.checkVisibility({ visibilityProperty: true }) && width > 0 && height > 0
      // The arrow keys move within a group of radio buttons.
      if (isShown && !isRadio) element.setAttribute('data-unvisited', '')
    }
  }, OPERABLE)
  for (let stop = 0; stop < MAX_STOPS; stop += 1) {
    await page.keyboard.press('Tab')
    const focus = await readFocus(page)
    if (focus === 'body: ' || (await isFirstStop(page, stop))) {
      const left = await page
        .locator('[data-unvisited]')
        .evaluateAll((all) => all.map((each) => each.outerHTML))
      expect(left, url).toEqual([])
      expect(stop, url).toBeGreaterThan(3)
      return
    }
    expect(await isFocusVisible(page), `${focus} of ${url}`).toBe(true)
    await page.evaluate(() => {
      // The focus that reaches a list moves to one of its options. The arrow keys move among them.
      for (const visited of [document.activeElement, document.activeElement?.closest('[role=listbox]')])
        visited?.removeAttribute('data-unvisited')
    })
  }
  throw new Error(`The focus does not leave ${url}`)
}

/** Whether the element with the focus had it at the first stop, at a later one. */
async function isFirstStop(page: Page, stop: number): Promise<boolean> {
  return await page.evaluate((stop) => {
    const focused = document.activeElement
    if (stop === 0) focused?.setAttribute('data-first-stop', '')
    return stop > 0 && focused?.hasAttribute('data-first-stop') === true
  }, stop)
}
