// What the console requests before its scripts have loaded: what the page shows, once, and only what the
// person may see.

import { Role } from '@mintmark/admin'
import { orders } from '@mintmark/orders'
import { expect, type Page } from '@playwright/test'
import { createListing } from '../../gateway-server/src/testing/create-listing.ts'
import { newAddress } from '../../gateway-server/src/testing/samples/sample.ts'
import { visit } from './check-page.ts'
import type { ConsoleFixture } from './console-fixture.ts'
import { consoleTest } from './console-test.ts'

/** The compiler of the tests reads no JSX, so that the module is not named in an import. */
const PAGES = new URL('../app/pages.ts', import.meta.url).href

interface ProjectPages {
  readonly [path: string]: { readonly firstReads?: readonly string[] }
}

/**
 * Records the paths of the reads of a project that a page requests. Its events never arrive, because they
 * refresh what was read.
 */
async function recordReads(page: Page): Promise<readonly string[]> {
  const paths: string[] = []
  await page.route('**/api/v1/events*', (route) => route.abort())
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (/^\/(api|admin)\//.test(pathname)) paths.push(pathname)
  })
  return paths
}

const test = consoleTest().extend<object, { recipient: string }>({
  recipient: [
    async ({ app: { client, gateway, projectId } }, use) => {
      const { marketType, id: listingId } = await createListing({ gateway, projectId, client })
      const recipient = newAddress()
      await orders.preOrder(client, { marketType, listingId, quantity: 1, recipient })
      await use(recipient)
    },
    { scope: 'worker' },
  ],
})

test.describe('the start of the console', () => {
  async function open(app: ConsoleFixture, page: Page, path: string): Promise<readonly string[]> {
    const paths = await recordReads(page)
    await visit(page, app.at(path))
    return paths
  }

  test('requests what each page reads first once', async ({ app }) => {
    const { projectPages }: { readonly projectPages: ProjectPages } = await import(PAGES)
    const withReads = Object.entries(projectPages).filter(([, { firstReads = [] }]) => firstReads.length > 0)
    expect(withReads.length).toBeGreaterThan(3)
    for (const [path, { firstReads = [] }] of withReads) {
      const paths = await open(app, await app.openAs(Role.OWNER), path)
      const expected = firstReads.map((read) => new URL(read, app.url).pathname)
      const requested = paths.filter((each) => expected.includes(each))
      expect(requested.toSorted(), path).toEqual(expected.toSorted())
      expect(
        paths.filter((each) => each === '/admin/v1/session'),
        path,
      ).toHaveLength(1)
    }
  })

  test('requests the list that the address filters, and not the whole one before', async ({ app }) => {
    const page = await app.openAs(Role.OWNER)
    const urls: string[] = []
    page.on('request', (request) => void urls.push(request.url()))
    await page.goto(app.at('orders?status=1'))
    await expect(page.getByRole('heading', { level: 1, name: 'Orders' })).toBeVisible()
    await expect.poll(() => urls.some((url) => url.includes('orderStatus=1'))).toBe(true)
    expect(urls.filter((url) => url.endsWith('/order/list?pageNumber=1&pageSize=20'))).toEqual([])
  })

  test('requests a read again that was refused, because somebody may have signed in since', async ({
    app,
    recipient,
  }) => {
    const page = await app.openAs(Role.OWNER)
    let calls = 0
    await page.route('**/api/v1/order/list*', async (route) => {
      calls += 1
      if (calls === 1) await route.fulfill({ status: 401, json: {} })
      else await route.continue()
    })
    await page.goto(app.at('orders'))
    await expect(page.getByTitle(recipient, { exact: true })).toBeVisible()
    expect(calls).toBeGreaterThan(1)
  })

  test('requests nothing of a project for a person whose role does not include the page, or who has no role', async ({
    app,
  }) => {
    const staff = await app.openAs(Role.STAFF)
    expect((await open(app, staff, 'orders')).filter((path) => path.startsWith('/api/'))).toEqual([])
    const stranger = await app.openAs(Role.OWNER)
    const paths = await recordReads(stranger)
    await stranger.goto(`${app.url}/console/p/999999/orders`)
    await expect(stranger.getByText('This project is not one of yours')).toBeVisible()
    expect(paths.filter((path) => path.includes('/order/'))).toEqual([])
  })

  test('requests nothing of a project while nobody is signed in', async ({ app }) => {
    const page = await app.open()
    const paths = await recordReads(page)
    await page.goto(app.at('orders'))
    await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible()
    expect(new Set(paths)).toEqual(new Set(['/admin/v1/session']))
  })
})
