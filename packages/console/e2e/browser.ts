import { join } from 'node:path'
import type { BrowserContext, Page } from '@playwright/test'

/** A width of the tests, and which theme the system prefers. */
export interface View {
  readonly width?: 390 | 1280
  readonly scheme?: 'light' | 'dark'
  /** Whether pages may install workers. Their requests are not those of the page. Default: no. */
  readonly hasWorkers?: boolean
}

/** A tab of the console, with everything that a browser reports as wrong. */
export interface Tab {
  readonly page: Page
  /** Uncaught errors, and errors in the console of the browser except failed requests. */
  readonly problems: string[]
}

/** The cookies and the storage of a browser. */
export type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>

/** Returns the settings of a window with a width and a theme: of a phone or of a desk. */
export function toContextOptions({ width = 1280, scheme = 'light', hasWorkers = false }: View) {
  const isPhone = width === 390
  return {
    viewport: isPhone ? { width, height: 844 } : { width, height: 800 },
    colorScheme: scheme,
    // Without a language of the system, Chromium has one that `Intl` refuses.
    locale: 'en-US',
    serviceWorkers: hasWorkers ? ('allow' as const) : ('block' as const),
    hasTouch: isPhone,
    isMobile: isPhone,
  }
}

/** Opens a tab of a window. */
export async function openTab(context: BrowserContext): Promise<Tab> {
  const page = await context.newPage()
  return { page, problems: recordProblems(page) }
}

/**
 * Records what a page reports as wrong. A failed request is no problem by itself: the page has to explain it.
 */
function recordProblems(page: Page): string[] {
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      problems.push(message.text())
    }
  })
  return problems
}

/** The folder of the screenshots, if they are wanted. */
export const pictures = process.env.CONSOLE_SCREENSHOTS

/** Stores a screenshot of a page in the folder `CONSOLE_SCREENSHOTS`. Does nothing if that is not set. */
export async function storePicture(page: Page, name: string): Promise<void> {
  if (pictures === undefined) return
  await page.screenshot({ path: join(pictures, `${name.replaceAll(/[^\w ]+/g, '-')}.png`) })
}
