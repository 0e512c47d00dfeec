// Work without a pointer: pages, forms and dialogs by the keyboard, with a focus that is visible and never
// lost.

import { apiKeys, Role } from '@mintmark/admin'
import { promoCodeCards } from '@mintmark/cards'
import { expect, type Page } from '@playwright/test'
import type { ConsoleFixture } from './console-fixture.ts'
import { CAMERA, consoleTest } from './console-test.ts'
import { isFocusVisible, readFocus } from './focus.ts'

/** More stops than a page with its navigation has before its forms. */
const MAX_STEPS = 90

const test = consoleTest({
  browserArguments: CAMERA,
})

test.describe('the keyboard', () => {
  const open = (app: ConsoleFixture, path: string, role: Role = Role.OWNER) => app.openAs(role, { path })

  test('moves the focus to the heading of each page, but not when the page is loaded', async ({ app }) => {
    const page = await open(app, 'orders')
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

  test('creates a key in a dialog that keeps the focus, and gets it back', async ({ app }) => {
    const page = await open(app, 'keys')
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
    await expect(page.getByRole('dialog', { name: 'Secret of Keyboard key' })).toBeVisible()
    await expect.poll(() => readFocus(page)).toBe('button: Done')
    await page.keyboard.press('Enter')
    await expect.poll(() => readFocus(page)).toBe('button: Create key')
  })

  test('creates a card', async ({ app }) => {
    const page = await open(app, 'overview', Role.MANAGER)
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
    const { list } = await promoCodeCards.search(app.client, { keyword: 'Free flat white' })
    expect(list).toMatchObject([{ totalIssued: 10 }])
    expect(list[0]?.startTime).toMatch(/^202[56]-/)
    expect(list[0]?.endTime).toMatch(/^2099-12-3|^2100-01-01/)
  })

  test('keeps a place in the page when what had the focus is gone', async ({ app }) => {
    await apiKeys.create(app.client, { name: 'Short-lived' })
    const page = await open(app, 'keys')
    await pressUntil(page, 'Tab', 'button: Actions for Short-lived')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('menuitem', { name: 'Revoke' })).toBeVisible()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog', { name: 'Revoke Short-lived?' })).toBeVisible()
    await expect.poll(() => readFocus(page)).toBe('button: Cancel')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect.poll(() => readFocus(page)).toBe('h1: API keys')
  })

  test('leads to the wrong field of a webhook', async ({ app }) => {
    const page = await open(app, 'webhooks')
    await pressUntil(page, 'Tab', 'button: Create webhook')
    await page.keyboard.press('Enter')
    await expect.poll(() => readFocus(page)).toBe('input: url')
    await pressUntil(page, 'Tab', 'button: Create webhook')
    await page.keyboard.press('Enter')
    await expect.poll(() => readFocus(page)).toBe('input: url')
    await expect(page.getByRole('dialog').getByLabel('Address')).toHaveAttribute('aria-invalid', 'true')
  })

  test('leads to the first wrong choice of a webhook', async ({ app }) => {
    const page = await open(app, 'webhooks')
    await page.getByRole('button', { name: 'Create webhook' }).click()
    await page.getByLabel('Address').fill('https://shop.example/events')
    await page.getByRole('radio').last().check()
    await page.getByRole('dialog').getByRole('button', { name: 'Create webhook' }).press('Enter')
    await expect(page.getByRole('dialog').locator('.field-error')).toBeVisible()
    await expect.poll(() => readFocus(page)).toBe('input: scope')
  })

  test('leads to the wrong password of an invitation and of an account', async ({ app }) => {
    const page = await app.open()
    const token = await app.invite('new@shop.example', Role.STAFF)
    await page.goto(`${app.url}/console/invitation/${token}`)
    await page.getByLabel('Your name').fill('Kim')
    await page.getByLabel('Password', { exact: true }).fill('short')
    await page.getByLabel('Repeat the password').fill('short')
    await page.getByRole('button', { name: 'Join the project' }).press('Enter')
    await expect.poll(() => readFocus(page)).toBe('input: password')

    const account = await app.openAs(Role.STAFF)
    await account.goto(`${app.url}/console/account`)
    await account.getByLabel('Current password').fill('anything')
    await account.getByLabel('New password', { exact: true }).fill('a long new password')
    await account.getByLabel('Repeat the new password').fill('another new password')
    await account.getByRole('button', { name: 'Change password' }).press('Enter')
    await expect.poll(() => readFocus(account)).toBe('input: repeated')
  })

  test('leads to the code that the scanner misses', async ({ app }) => {
    const page = await open(app, 'scanner', Role.STAFF)
    await page.getByRole('button', { name: 'Check the code' }).press('Enter')
    await expect(page.getByText('Enter the code of a card')).toBeVisible()
    await expect.poll(() => readFocus(page)).toBe('input: code')
  })

  test('unfolds a section of the explorer and opens an operation', async ({ app }) => {
    const page = await open(app, 'explorer')
    const orders = page.getByRole('group').filter({ hasText: 'Orders' })
    await pressUntil(page, 'Tab', `summary: ${await orders.locator('summary').textContent()}`)
    await expect(orders.getByRole('link')).toHaveCount(0)
    await page.keyboard.press('Enter')
    await expect(orders.getByRole('link').first()).toBeVisible()
    await pressUntil(page, 'Tab', 'a: orders.list')
    expect(await isFocusVisible(page)).toBe(true)
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.searchParams.get('operation') === 'orders.list')
    await expect(page.getByRole('heading', { level: 2, name: 'orders.list', exact: true })).toBeVisible()
    expect(await readFocus(page)).toBe('a: orders.list')
    await page.goBack()
    await expect(page.getByText('Choose an operation')).toBeVisible()
  })

  for (const [reducedMotion, isMoving] of [
    ['no-preference', true],
    ['reduce', false],
  ] as const) {
    test(`shows motion by the preference ${reducedMotion}`, async ({ app }) => {
      const page = await open(app, 'orders')
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
      await expect(page.locator('.skeleton-line').first()).toBeVisible()
      const animations = await page.evaluate(() => document.getAnimations().length)
      expect(animations > 0).toBe(isMoving)
      held.resolve()
      await expect(page.getByRole('heading', { level: 1, name: 'People' })).toBeVisible()
    })
  }
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
