import { findCardCode } from '@mintmark/cards'
import type { Page } from '@playwright/test'

/** Finds the field of the scanner for codes that are typed. */
export const codeField = (page: Page) => page.getByLabel('Code of the card')

/** Scans a card by its code, as a scanner that types does. */
export async function scan(page: Page, code: string): Promise<void> {
  await codeField(page).fill(code)
  await codeField(page).press('Enter')
}

/** Returns the code of a card of a project whose cards have one. */
export function codeOf(card: { readonly qrCodeUrl: string } | undefined): string {
  const code = card === undefined ? undefined : findCardCode(card)
  if (code === undefined) throw new Error('The card has no code')
  return code
}

/**
 * Lets results stay, which close by themselves after five seconds or more: a loaded machine takes longer to
 * check them. Call it before a page opens.
 */
export async function keepResults(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const start = globalThis.setTimeout
    const keep = (work: () => void, delay = 0) => start(work, delay >= 5000 ? 2 ** 31 - 1 : delay)
    Object.assign(globalThis, { setTimeout: keep })
  })
}
