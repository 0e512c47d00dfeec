import { join } from 'node:path'
import type { BrowserContext, Page } from '@playwright/test'

/** A width of the tests, and which theme the system prefers. */
export interface View {
  readonly width?: 390 | 1280
  readonly scheme?: 'light' | 'dark'
  /** The language and the region of the browser. Default: `en-US`. */
  readonly locale?: string
  /** Whether pages may install workers. Their requests are not those of the page. Default: no. */
  readonly hasWorkers?: boolean
}

/** A view, and the page that it opens, below the project of a person or below the pages of operators. */
export interface PageOptions extends View {
  readonly path?: string
}

/** The cookies and the storage of a browser. */
export type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>

/** Returns the settings of a window with a width and a theme: of a phone or of a desk. */
export function toContextOptions({
  width = 1280,
  scheme = 'light',
  hasWorkers = false,
  locale = 'en-US',
}: View) {
  const isPhone = width === 390
  return {
    viewport: isPhone ? { width, height: 844 } : { width, height: 800 },
    colorScheme: scheme,
    // Without a language of the system, Chromium has one that `Intl` refuses.
    locale,
    serviceWorkers: hasWorkers ? ('allow' as const) : ('block' as const),
    hasTouch: isPhone,
    isMobile: isPhone,
  }
}

/** The folder of the screenshots, if they are wanted. */
export const pictures = process.env.CONSOLE_SCREENSHOTS

/** Stores a screenshot of a page in the folder `CONSOLE_SCREENSHOTS`. Does nothing if that is not set. */
export async function storePicture(page: Page, name: string): Promise<void> {
  if (pictures === undefined) return
  await page.screenshot({ path: join(pictures, `${name.replaceAll(/[^\w ]+/g, '-')}.png`) })
}
