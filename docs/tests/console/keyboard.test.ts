// Work without a pointer: pages, forms and dialogs by the keyboard, with a focus that is visible and never lost.
import { apiKeys, Role } from '@mintmark/admin'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, type Tab } from './browser.ts'
import { waitForPage } from './check-page.ts'
import { type ConsoleFixture, startConsole } from './console-fixture.ts'

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

/** Describes the element with the focus: its kind, and its name or text. */
async function readFocus(page: Page): Promise<string> {
  return await page.evaluate(() => {
    const element = document.activeElement
    if (element === null || element === document.body) return 'body: '
    const name = element.getAttribute('name') ?? element.getAttribute('aria-label') ?? element.textContent
    return `${element.localName}: ${element.localName === 'main' ? '' : name?.trim()}`
  })
}

/** Whether a person sees what has the focus: it is in the window, and has a ring. The page and its heading, which the keyboard does not operate, have none. */
async function isFocusVisible(page: Page): Promise<boolean> {
  return await page.evaluate(() => {
    const element = document.activeElement
    if (element === null) return false
    if (element.matches('main, h1')) return true
    const { top, bottom, left, right, width, height } = element.getBoundingClientRect()
    const isInside = bottom > 0 && top < innerHeight && right > 0 && left < innerWidth
    const hasRing = (each: Element) => {
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(each)
      return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow.includes('0px 0px 0px')
    }
    const shown = [element, element.parentElement, element.nextElementSibling].filter((each) => each !== null)
    return isInside && width > 0 && height > 0 && shown.some(hasRing)
  })
}
