// Every page of the console, at the widths and in the themes that people use.
import { Role } from '@mintmark/admin'
import { orders } from '@mintmark/orders'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createListing } from '../../../packages/gateway-server/src/testing/create-listing.ts'
import { sequenceEvents } from '../../../packages/gateway-server/src/testing/event-streams.ts'
import { newAddress } from '../../../packages/gateway-server/src/testing/samples/sample.ts'
import { hasBrowser, storePicture, type View } from './browser.ts'
import { checkPage } from './check-page.ts'
import { type ConsoleFixture, startConsole } from './console-fixture.ts'

/** Each width and each theme once. `every-page.test.ts` checks both widths in both themes. */
const views: readonly View[] = [
  { width: 1280, scheme: 'light' },
  { width: 390, scheme: 'dark' },
]
const nameOf = ({ width, scheme }: View) => `${width} pixels, ${scheme}`
/**
 * The beginning of a document, a button and an element of an image: text of tenants must appear as it was
 * written.
 */
const EVIL = `"'><img src=x onerror=document.title='hacked'><script>alert(1)</script>`

describe.skipIf(!hasBrowser)('the pages of the console', () => {
  let fixture: ConsoleFixture
  let orderNo = ''
  beforeAll(async () => {
    fixture = await startConsole()
    const { client, gateway, projectId } = fixture
    const listing = await createListing({ gateway, projectId, client })
    const place = {
      marketType: listing.marketType,
      listingId: listing.id,
      quantity: 2,
      recipient: newAddress(),
    }
    const placed = await orders.preOrder(client, place)
    orderNo = placed.orderNo
    await orders.cancel(client, { orderNo: (await orders.preOrder(client, place)).orderNo })
    // The totals contain what the feed of events has.
    await sequenceEvents(gateway)
    await fixture.invite('new@shop.example', Role.STAFF)
  })
  afterAll(() => fixture.close())

  const paths = () => ['overview', 'orders', `orders/${orderNo}`, 'keys', 'people', '../../account']

  describe.each(views)('at $width pixels in the $scheme theme', (view) => {
    it('the pages of the console have one title each, are accessible, and fit', async () => {
      const tab = await fixture.openAs(Role.OWNER, view)
      const titles: string[] = []
      for (const path of paths()) {
        await tab.page.goto(new URL(path, fixture.at('')).href)
        await checkPage(tab)
        titles.push(await tab.page.title())
        await storePicture(tab.page, `${path.replaceAll(/[^\w]+/g, '-').slice(0, 24)} ${nameOf(view)}`)
      }
      expect(new Set(titles).size).toBe(titles.length)
    })

    it('include the sign-in and the invitation', async () => {
      const tab = await fixture.open(view)
      await tab.page.goto(`${fixture.url}/console/sign-in`)
      await checkPage(tab)
      await storePicture(tab.page, `sign-in ${nameOf(view)}`)
      const token = await fixture.invite(`${view.width}.${view.scheme}@shop.example`, Role.MANAGER)
      await tab.page.goto(`${fixture.url}/console/invitation/${token}`)
      await tab.page.getByLabel('Your name').waitFor()
      await checkPage(tab)
      await storePicture(tab.page, `invitation ${nameOf(view)}`)
    })

    it('open dialogs that are accessible and fit', async () => {
      const tab = await fixture.openAs(Role.OWNER, view)
      const { page } = tab
      await page.goto(fixture.at('keys'))
      await page.getByRole('button', { name: 'Create key' }).click()
      await page.getByRole('dialog', { name: 'Create key' }).waitFor()
      await checkPage(tab)
      // The place of the scrollbar is as dark as what is beside the dialog, which fills the window of a
      // phone. Colors are rounded.
      if (view.width === 1280) {
        const difference = (await readBrightness(page, 3)) - (await readBrightness(page, 30))
        expect(Math.abs(difference)).toBeLessThan(3)
      }
      await storePicture(page, `create key ${nameOf(view)}`)
      await page.goto(fixture.at('people'))
      await page.getByRole('button', { name: 'Invite' }).click()
      await page.getByRole('dialog', { name: 'Invite' }).waitFor()
      await checkPage(tab)
      await storePicture(page, `invite ${nameOf(view)}`)
    })
  })

  it('show charts with their newest values, and a table if the script of charts cannot be loaded', async () => {
    const tab = await fixture.openAs(Role.OWNER)
    const { page } = tab
    const scripts = /\/line-chart-[^/]*\.js$/
    await page.route(scripts, (route) => route.abort())
    await page.goto(fixture.at('overview'))
    await page.getByText('The chart could not be loaded').first().waitFor()
    const figures = page.getByRole('table', { name: 'Orders', exact: true })
    expect(await figures.locator('tbody').getByRole('row').count()).toBe(30)
    await checkPage(tab)
    await storePicture(page, 'charts without their script')
    await page.unroute(scripts)
    await page.getByRole('button', { name: 'Try again' }).first().click()
    await page.getByRole('img', { name: 'Orders' }).locator('canvas').waitFor()
    const legend = page.getByRole('img', { name: 'Orders' }).locator('.u-legend')
    await expect.poll(() => legend.textContent()).toMatch(/^Period\w+ \d+Placed/)
    expect(await legend.textContent()).not.toContain('—')
    await page.mouse.move(700, 500)
    await page.mouse.move(0, 0)
    expect(await legend.textContent()).not.toContain('—')
    await storePicture(page, 'charts after another attempt')
  })

  it('show every text of a tenant as it was written', async () => {
    const tab = await fixture.openAs(Role.OWNER)
    await tab.page.goto(fixture.at('keys'))
    await tab.page.getByRole('button', { name: 'Create key' }).click()
    await tab.page.getByLabel('Name').fill(EVIL)
    await tab.page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
    await tab.page.getByRole('button', { name: 'Done' }).click()
    await tab.page.getByText(EVIL).first().waitFor()
    expect(await tab.page.title()).not.toContain('hacked')
    expect(await tab.page.locator('main img').count()).toBe(0)
    expect(tab.problems).toEqual([])
  })

  it('store nothing in the browser but the theme', async () => {
    const { page } = await fixture.openAs(Role.OWNER)
    await page.goto(fixture.at('overview'))
    await page.getByText('Dark', { exact: true }).click()
    const stored = await page.evaluate(() => ({ ...localStorage, ...sessionStorage }))
    // The router remembers how far each page was scrolled.
    const { 'tsr-scroll-restoration-v1_3': _scroll, ...others } = stored
    expect(others).toEqual({ 'mintmark.theme': 'dark' })
    expect(await page.evaluate(() => document.cookie)).toBe('')
    await page.reload()
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
  })
})

/**
 * Reads the brightness of red in a pixel near the bottom of the window, at a distance in pixels from the
 * right.
 */
async function readBrightness(page: Page, distance: number): Promise<number> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  const png = await page.screenshot({ clip: { x: width - distance, y: height - 10, width: 1, height: 1 } })
  return await page.evaluate(async (picture) => {
    const image = new Image()
    image.src = `data:image/png;base64,${picture}`
    await image.decode()
    const context = document.createElement('canvas').getContext('2d')
    context?.drawImage(image, 0, 0)
    return context?.getImageData(0, 0, 1, 1).data[0] ?? Number.NaN
  }, png.toString('base64'))
}
