// Every page: for every role that may open it, by the keyboard alone, and at the widths and in the themes that
// people use.

import { Role } from '@mintmark/admin'
import { expect, type Locator, type Page } from '@playwright/test'
import { storePicture, toContextOptions, type View } from './browser.ts'
import { checkPage, listProblems, visit } from './check-page.ts'
import type { ConsoleFixture } from './console-fixture.ts'
import { CAMERA, consoleTest } from './console-test.ts'
import { findUnvisitedRoutes } from './routes.ts'
import { createShop, type ShopPages } from './shop-rows.ts'
import { checkTabOrder } from './tab-order.ts'

const views: readonly Required<Pick<View, 'width'>>[] = [{ width: 1280 }, { width: 390 }]
const THEMES = ['light', 'dark'] as const
const OPERATOR_PAGES = ['health', 'projects', 'people', 'orders', 'mints', 'audit']
type Part = keyof ShopPages

/** The parts of a shop that each role may open. */
const PARTS: Readonly<Record<Role, readonly Part[]>> = {
  OWNER: ['cards', 'sales', 'tokens', 'developers', 'settings'],
  MANAGER: ['cards', 'sales', 'tokens', 'developers'],
  STAFF: ['cards'],
  AUDITOR: ['cards', 'sales', 'tokens', 'developers', 'settings'],
}
/** What is checked for an owner is more than that it opens. */
const rolesOfParts = Object.values(Role).flatMap((role) =>
  role === Role.OWNER ? [] : PARTS[role].map((part) => [part, role] as const),
)

// The scanner waits for its camera.
const test = consoleTest({ browserArguments: CAMERA }).extend<object, { shop: ShopPages }>({
  shop: [async ({ app }, use) => use(await createShop(app)), { scope: 'worker' }],
})

test.describe('every page', () => {
  /**
   * Lists the URLs of the pages in a part that a role may open. Every role may open the scanner and the
   * account.
   */
  function listUrls(app: ConsoleFixture, shop: ShopPages, part: Part, role: Role): readonly string[] {
    const mayWrite = role === Role.OWNER || role === Role.MANAGER
    const paths = shop[part].filter((path) => mayWrite || !/\/(new|edit|import|print)$/.test(path))
    const urls = paths.map((path) => app.at(path))
    return part === 'cards' ? [...urls, app.at('scanner'), `${app.url}/console/account`] : urls
  }
  const listOperatorUrls = (app: ConsoleFixture) =>
    OPERATOR_PAGES.map((path) => `${app.url}/console/operator/${path}`)

  test('is visited by these tests, except those of a facilitator and those before the sign-in', async ({
    app,
    shop,
  }) => {
    const urls = [
      ...PARTS.OWNER.flatMap((part) => listUrls(app, shop, part, Role.OWNER)),
      ...listOperatorUrls(app),
    ]
    const isElsewhere = (route: string) =>
      /^\/(sign-in|invitation|new-password|operator\/facilitator|facilitator-account)\b/.test(route)
    const missing = await findUnvisitedRoutes(urls)
    expect(missing.filter((route) => !isElsewhere(route))).toEqual([])
  })

  for (const [part, role] of rolesOfParts) {
    test(`of ${part} opens for the role ${role}`, async ({ app, shop }) => {
      const page = await app.openAs(role)
      for (const url of listUrls(app, shop, part, role)) await visit(page, url)
      expect(await listProblems(page)).toEqual([])
    })
  }

  // An owner sees every control. The other roles see some of them, in the same order.
  for (const part of PARTS.OWNER) {
    test(`is reached and left by Tab alone, for ${part}`, async ({ app, shop }) => {
      const page = await app.openAs(Role.OWNER)
      for (const url of listUrls(app, shop, part, Role.OWNER)) {
        await visit(page, url)
        await checkTabOrder(page)
      }
    })
  }

  test('is reached and left by Tab alone for an operator', async ({ app }) => {
    const page = await app.openAsOperator()
    for (const url of listOperatorUrls(app)) {
      await visit(page, url)
      await checkTabOrder(page)
    }
  })

  for (const view of views) {
    test.describe(`at ${view.width} pixels`, () => {
      /** Opens each page and checks it in both themes. */
      async function check(page: Page, urls: readonly string[]): Promise<void> {
        await page.context().route(/^https:|\/console\/images\?/, (route) => route.abort())
        for (const url of urls) {
          await visit(page, url)
          // On a phone some links between the views of a page are outside of the window, but never that of the
          // current view.
          const current = page.locator('.tab-current')
          if ((await current.count()) > 0) await expect.poll(() => isWhole(current.first())).toBe(true)
          for (const theme of THEMES) {
            // Without motion, all colors change at once.
            await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
            await checkPage(page)
            await storeWholePage(page, { ...view, scheme: theme })
          }
        }
      }

      for (const part of PARTS.OWNER) {
        test(`is accessible and fits, for ${part}`, async ({ app, shop }) => {
          const urls = shop[part].map((path) => app.at(path))
          await check(await app.openAs(Role.OWNER, view), urls)
        })
      }

      test('is accessible and fits, for operators', async ({ app }) => {
        await check(await app.openAsOperator(view), listOperatorUrls(app))
      })
    })
  }

  /** Stores a picture of a page as a person sees it after scrolling. */
  async function storeWholePage(
    page: Page,
    { width, scheme }: Required<Pick<View, 'width' | 'scheme'>>,
  ): Promise<void> {
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
