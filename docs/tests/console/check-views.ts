import { storePicture, type Tab, toContextOptions } from './browser.ts'
import { checkPage } from './check-page.ts'

/** The last one is that of a desk, which a tab keeps. */
const WIDTHS = [390, 1280] as const
const THEMES = ['dark', 'light'] as const

/**
 * Checks what a tab shows as every page must be, at the widths of a phone and of a desk and in both themes,
 * and stores a picture of each. The tab stays that of a desk.
 */
export async function checkViews(tab: Tab, name: string): Promise<void> {
  for (const width of WIDTHS) {
    await tab.page.setViewportSize(toContextOptions({ width }).viewport)
    await checkThemes(tab, `${name} ${width}`)
  }
}

/** Checks what a tab shows as every page must be, in both themes, and stores a picture of each. */
export async function checkThemes(tab: Tab, name: string): Promise<void> {
  const { page } = tab
  for (const theme of THEMES) {
    // Without motion, all colors change at once.
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    await checkPage(tab)
    await storePicture(page, `${name} ${theme}`)
  }
}
