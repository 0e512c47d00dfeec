import type { Page } from '@playwright/test'
import { storePicture, toContextOptions } from './browser.ts'
import { checkPage } from './check-page.ts'

/**
 * Each width and each theme once: a theme changes no layout, and a width no color. `every-page.test.ts` checks
 * both widths in both themes.
 */
const VIEWS = [
  { width: 390, scheme: 'dark' },
  { width: 1280, scheme: 'light' },
] as const

/**
 * Checks what a tab shows as every page must be, at the width of a phone in the dark theme and at that of a desk
 * in the light one. The tab keeps its own width.
 */
export async function checkViews(page: Page, name: string): Promise<void> {
  const ownSize = page.viewportSize()
  for (const { width, scheme } of VIEWS) {
    await page.setViewportSize(toContextOptions({ width }).viewport)
    // Without motion, all colors change at once.
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    await page.waitForFunction((expected) => innerWidth === expected, width)
    await checkPage(page)
    await storePicture(page, `${name} ${width} ${scheme}`)
  }
  if (ownSize !== null) await page.setViewportSize(ownSize)
}
