import type { Page } from '@playwright/test'

/** Describes the element with the focus: its kind, and its name or text. */
export async function readFocus(page: Page): Promise<string> {
  return await page.evaluate(() => {
    const element = document.activeElement
    if (element === null || element === document.body) return 'body: '
    const name = element.getAttribute('name') ?? element.getAttribute('aria-label') ?? element.textContent
    return `${element.localName}: ${element.localName === 'main' ? '' : name?.trim()}`
  })
}

/**
 * Whether a person sees what has the focus: it is in the window, and has a ring. The page and its heading,
 * which the keyboard does not operate, have none.
 */
export async function isFocusVisible(page: Page): Promise<boolean> {
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
