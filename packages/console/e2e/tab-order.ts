import { expect, type Page } from '@playwright/test'
import { isFocusVisible, readFocus } from './focus.ts'

/** What a person can operate, if it is shown and enabled. */
const OPERABLE = ['a[href]', 'button', 'input', 'select', 'textarea', 'summary', '[tabindex]']
  .map((selector) => `${selector}:not([tabindex="-1"], :disabled)`)
  .join()
/** More stops than any page has. */
const MAX_STOPS = 150

/**
 * Presses Tab until the focus has left the page or begins again, because a browser without a window has
 * nothing else to focus. Checks that each stop is visible and that nothing was left out.
 */
export async function checkTabOrder(page: Page): Promise<void> {
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
    await page.evaluate(() => document.activeElement?.removeAttribute('data-unvisited'))
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
