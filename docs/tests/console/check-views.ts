import { storePicture, type Tab, toContextOptions, type View } from './browser.ts'
import { checkPage } from './check-page.ts'

/** A desk by day, and a phone by night. What works in both works in between. */
const views: readonly Required<View>[] = [
  { width: 390, scheme: 'dark' },
  { width: 1280, scheme: 'light' },
]

/** Checks what a tab shows as every page must be, as a phone and a desk show it, and stores a picture of each. The tab stays that of a desk. */
export async function checkViews(tab: Tab, name: string): Promise<void> {
  const { page } = tab
  for (const view of views) {
    await page.setViewportSize(toContextOptions(view).viewport)
    // Without motion, all colors change at once.
    await page.emulateMedia({ colorScheme: view.scheme, reducedMotion: 'reduce' })
    await checkPage(tab)
    await storePicture(page, `${name} ${view.width} ${view.scheme}`)
  }
}
