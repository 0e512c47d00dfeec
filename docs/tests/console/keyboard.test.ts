// Work without a pointer: pages, forms and dialogs by the keyboard, with a focus that is visible and never
// lost.
import { apiKeys, Role } from '@mintmark/admin'
import { promoCodeCards } from '@mintmark/cards'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, type Tab } from './browser.ts'
import { waitForPage } from './check-page.ts'
import { type ConsoleFixture, startConsole } from './console-fixture.ts'
import { isFocusVisible, readFocus } from './focus.ts'

/** More stops than a page with its navigation has before its forms. */
const MAX_STEPS = 90

describe.skipIf(!hasBrowser)('the keyboard', () => {
  let fixture: ConsoleFixture
  beforeAll(async () => {
    // The scanner waits for its camera.
    fixture = await startConsole({
      browserArguments: ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
    })
  })
  afterAll(() => fixture.close())

  async function open(path: string, role: Role = Role.OWNER): Promise<Tab> {
    const tab = await fixture.openAs(role)
    await tab.page.goto(fixture.at(path))
    await waitForPage(tab)
    return tab
  }

  it('moves the focus to the heading of each page, but not when the page is loaded', async () => {
    const { page } = await open('orders')
    expect(await readFocus(page)).toBe('body: ')
    for (const [key, title] of [
      ['c', 'Promo code cards'],
      ['k', 'API keys'],
      ['r', 'Orders'],
    ] as const) {
      await page.keyboard.press('g')
      await page.keyboard.press(key)
      await expect.poll(() => readFocus(page)).toBe(`h1: ${title}`)
    }
    await page.keyboard.press('g')
    await page.keyboard.press('c')
    await expect.poll(() => readFocus(page)).toBe('h1: Promo code cards')
    // The same component shows another kind of cards.
    await pressUntil(page, 'Tab', 'a: Event')
    await page.keyboard.press('Enter')
    await expect.poll(() => readFocus(page)).toBe('h1: Event cards')
    await page.goBack()
    await expect.poll(() => readFocus(page)).toBe('h1: Promo code cards')
  })

  it('creates a key in a dialog that keeps the focus, and gets it back', async () => {
    const { page } = await open('keys')
    await pressUntil(page, 'Tab', 'button: Create key')
    await page.keyboard.press('Enter')
    await expect.poll(() => readFocus(page)).toBe('input: name')
    for (let step = 0; step < 40; step += 1) {
      await page.keyboard.press('Tab')
      const isInside = await page.evaluate(
        () => document.activeElement === document.body || document.activeElement?.closest('dialog') !== null,
      )
      expect(isInside).toBe(true)
    }
    await page.keyboard.press('Escape')
    await expect.poll(() => readFocus(page)).toBe('button: Create key')
    await page.keyboard.press('Enter')
    await expect.poll(() => readFocus(page)).toBe('input: name')
    await page.keyboard.type('Keyboard key')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Secret of Keyboard key' }).waitFor()
    await expect.poll(() => readFocus(page)).toBe('button: Done')
    await page.keyboard.press('Enter')
    await expect.poll(() => readFocus(page)).toBe('button: Create key')
  })

  it('creates a card', async () => {
    const { page } = await open('overview', Role.MANAGER)
    await page.keyboard.press('g')
    await page.keyboard.press('c')
    await expect.poll(() => readFocus(page)).toBe('h1: Promo code cards')
    await pressUntil(page, 'Tab', 'a: Create card')
    await page.keyboard.press('Enter')
    await expect.poll(() => readFocus(page)).toBe('h1: Create promo code card')
    for (const [field, [first, second]] of [
      ['name', ['Free flat white']],
      ['totalIssued', ['10']],
      // A year may have more digits, so Tab ends it.
      ['startTime', ['01012026', '1200AM']],
      ['endTime', ['12312099', '1200AM']],
    ] as const) {
      await pressUntil(page, 'Tab', `input: ${field}`)
      // A number has a value before.
      if (field === 'totalIssued') await page.keyboard.press('ControlOrMeta+A')
      await page.keyboard.type(first)
      if (second === undefined) continue
      await page.keyboard.press('Tab')
      await page.keyboard.type(second)
    }
    await pressUntil(page, 'Tab', 'button: Create promo code card')
    await page.keyboard.press('Enter')
    await expect.poll(() => readFocus(page)).toBe('h1: Free flat white')
    const { list } = await promoCodeCards.search(fixture.client, { keyword: 'Free flat white' })
    expect(list).toMatchObject([{ totalIssued: 10 }])
    expect(list[0]?.startTime).toMatch(/^202[56]-/)
    expect(list[0]?.endTime).toMatch(/^2099-12-3|^2100-01-01/)
  })

  it('keeps a place in the page when what had the focus is gone', async () => {
    await apiKeys.create(fixture.client, { name: 'Short-lived' })
    const { page } = await open('keys')
    await pressUntil(page, 'Tab', 'button: Actions for Short-lived')
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Revoke' }).waitFor()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Revoke Short-lived?' }).waitFor()
    await expect.poll(() => readFocus(page)).toBe('button: Cancel')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect.poll(() => readFocus(page)).toBe('h1: API keys')
  })

  it('leads to the wrong field of a webhook', async () => {
    const { page } = await open('webhooks')
    await pressUntil(page, 'Tab', 'button: Create webhook')
    await page.keyboard.press('Enter')
    await expect.poll(() => readFocus(page)).toBe('input: url')
    await pressUntil(page, 'Tab', 'button: Create webhook')
    await page.keyboard.press('Enter')
    await expect.poll(() => readFocus(page)).toBe('input: url')
    expect(await page.getByRole('dialog').getByLabel('Address').getAttribute('aria-invalid')).toBe('true')
  })

  it('leads to the first wrong choice of a webhook', async () => {
    const { page } = await open('webhooks')
    await page.getByRole('button', { name: 'Create webhook' }).click()
    await page.getByLabel('Address').fill('https://shop.example/events')
    await page.getByRole('radio').last().check()
    await page.getByRole('dialog').getByRole('button', { name: 'Create webhook' }).press('Enter')
    await page.getByRole('dialog').locator('.field-error').waitFor()
    await expect.poll(() => readFocus(page)).toBe('input: scope')
  })

  it('leads to the wrong password of an invitation and of an account', async () => {
    const { page } = await fixture.open()
    const token = await fixture.invite('new@shop.example', Role.STAFF)
    await page.goto(`${fixture.url}/console/invitation/${token}`)
    await page.getByLabel('Your name').fill('Kim')
    await page.getByLabel('Password', { exact: true }).fill('short')
    await page.getByLabel('Repeat the password').fill('short')
    await page.getByRole('button', { name: 'Join the project' }).press('Enter')
    await expect.poll(() => readFocus(page)).toBe('input: password')

    const { page: account } = await fixture.openAs(Role.STAFF)
    await account.goto(`${fixture.url}/console/account`)
    await account.getByLabel('Current password').fill('anything')
    await account.getByLabel('New password', { exact: true }).fill('a long new password')
    await account.getByLabel('Repeat the new password').fill('another new password')
    await account.getByRole('button', { name: 'Change password' }).press('Enter')
    await expect.poll(() => readFocus(account)).toBe('input: repeated')
  })

  it('leads to the code that the scanner misses', async () => {
    const { page } = await open('scanner', Role.STAFF)
    await page.getByRole('button', { name: 'Check the code' }).press('Enter')
    await page.getByText('Enter the code of a card').waitFor()
    await expect.poll(() => readFocus(page)).toBe('input: code')
  })

  it('unfolds a section of the explorer and opens an operation', async () => {
    const { page } = await open('explorer')
    const orders = page.getByRole('group').filter({ hasText: 'Orders' })
    await pressUntil(page, 'Tab', `summary: ${await orders.locator('summary').textContent()}`)
    expect(await orders.getByRole('link').count()).toBe(0)
    await page.keyboard.press('Enter')
    await orders.getByRole('link').first().waitFor()
    await pressUntil(page, 'Tab', 'a: orders.list')
    expect(await isFocusVisible(page)).toBe(true)
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.searchParams.get('operation') === 'orders.list')
    await page.getByRole('heading', { level: 2, name: 'orders.list', exact: true }).waitFor()
    expect(await readFocus(page)).toBe('a: orders.list')
    await page.goBack()
    await page.getByText('Choose an operation').waitFor()
  })

  it.each([
    ['no-preference', true],
    ['reduce', false],
  ] as const)('shows motion by the preference %s', async (reducedMotion, isMoving) => {
    const { page } = await open('orders')
    await page.emulateMedia({ reducedMotion })
    const moving = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('*')].some((element) => {
          const { animationName, transitionDuration } = getComputedStyle(element)
          return animationName !== 'none' || transitionDuration.split(', ').some((each) => each !== '0s')
        }),
      )
    expect(await moving()).toBe(isMoving)
    // The page waits for its data, and shows where they will be.
    const held = Promise.withResolvers<void>()
    await page.route('**/admin/v1/**', async (route) => {
      await held.promise
      await route.continue()
    })
    await page.keyboard.press('g')
    await page.keyboard.press('p')
    await page.locator('.skeleton-line').first().waitFor()
    const animations = await page.evaluate(() => document.getAnimations().length)
    expect(animations > 0).toBe(isMoving)
    held.resolve()
    await page.getByRole('heading', { level: 1, name: 'People' }).waitFor()
  })
})

/** Presses a key until something has the focus, and checks at each stop that the focus is visible. */
async function pressUntil(page: Page, key: 'Tab' | 'Shift+Tab', target: string): Promise<void> {
  const visited: string[] = []
  for (let step = 0; step < MAX_STEPS; step += 1) {
    await page.keyboard.press(key)
    const focus = await readFocus(page)
    if (focus !== 'body: ') expect(await isFocusVisible(page), focus).toBe(true)
    if (focus === target) return
    visited.push(focus)
  }
  throw new Error(`${target} is not reached by ${key}: ${visited.join(', ')}`)
}
