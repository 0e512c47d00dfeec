import type { BrowserContext, Page } from '@playwright/test'
import { pictures, storePicture, toContextOptions } from './browser.ts'

/** A further language of the pictures, such as `de-DE`. */
const language = process.env.CONSOLE_LANGUAGE

/**
 * Stores how each tab looks at the end of a task, in both widths and themes. The page is opened again in the
 * language `CONSOLE_LANGUAGE`. Does nothing without a folder for pictures.
 */
export async function storeTaskPictures(contexts: readonly BrowserContext[], task: string): Promise<void> {
  if (pictures === undefined) return
  const pages = contexts.flatMap((context) => context.pages())
  for (const [index, page] of pages.filter((each) => each.url().startsWith('http')).entries()) {
    const name = `${task} ${index + 1}`
    await storeViews(page, name)
    if (language === undefined) continue
    const storageState = await page.context().storageState()
    const options = { ...toContextOptions({}), locale: language, storageState }
    const context = await page.context().browser()?.newContext(options)
    const translated = await context?.newPage()
    await translated?.goto(page.url(), { waitUntil: 'networkidle' })
    if (translated !== undefined) await storeViews(translated, `${name} ${language}`)
    await context?.close()
  }
}

async function storeViews(page: Page, name: string): Promise<void> {
  for (const width of [390, 1280] as const) {
    await page.setViewportSize(toContextOptions({ width }).viewport)
    for (const scheme of ['light', 'dark'] as const) {
      // Without motion, all colors change at once.
      await page.emulateMedia({ colorScheme: scheme, media: 'screen', reducedMotion: 'reduce' })
      await storePicture(page, `${name} ${width} ${scheme}`)
    }
  }
}
