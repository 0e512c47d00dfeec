import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Page } from '@playwright/test'
import type { AxeResults } from 'axe-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The sign-in covers the page of a session that has ended, whose heading is invisible then. */
const HEADING = 'h1:visible'

/** Waits until a page has its title and has read what it shows. */
export async function waitForPage(page: Page): Promise<void> {
  await expect(page.locator(HEADING).first()).toBeVisible()
  await expect(page.locator('.skeleton, .spinner')).toHaveCount(0)
}

/** Opens a page, and waits until it has read what it shows. */
export async function visit(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await waitForPage(page)
}

/**
 * Checks what every page must have: one `<h1>` that is the beginning of the document's title, no violation
 * that axe finds, no horizontal scrolling, each button that copies beside its text, and nothing that the
 * browser reports as wrong, such as a style that the policy refuses.
 */
export async function checkPage(page: Page): Promise<void> {
  await waitForPage(page)
  // A page that got another width shows its tables in another form a frame later.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  const headings = await page.locator(HEADING).allTextContents()
  expect(headings).toHaveLength(1)
  const title = await page.title()
  expect(title.startsWith(`${headings[0]} · `) && title.endsWith('Mintmark')).toBe(true)
  // The protocol of the browser evaluates it, so that the policy of the page does not apply.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe)
  const { violations } = await page.evaluate(() => {
    const { axe: injected } = globalThis as unknown as { axe: { run(): Promise<AxeResults> } }
    return injected.run()
  })
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  expect(found, page.url()).toEqual([])
  expect(await listWideElements(page), page.url()).toEqual([])
  expect(await listLoneCopyButtons(page), page.url()).toEqual([])
  expect(await listProblems(page), page.url()).toEqual([])
}

/**
 * Lists uncaught errors, and errors in the console of the browser. A failed request is no problem by itself: the
 * page has to explain it.
 */
export async function listProblems(page: Page): Promise<readonly string[]> {
  const errors = (await page.consoleMessages({ filter: 'all' })).filter((each) => each.type() === 'error')
  const texts = errors
    .map((each) => each.text())
    .filter((text) => !text.startsWith('Failed to load resource'))
  return [...(await page.pageErrors({ filter: 'all' })).map(String), ...texts]
}

/** Lists the elements that make a page scroll sideways, from the outer to the inner. */
async function listWideElements(page: Page): Promise<readonly string[]> {
  return await page.evaluate(() => {
    if (document.documentElement.scrollWidth <= innerWidth) return []
    return [...document.querySelectorAll('main *')]
      .filter((element) => element.getBoundingClientRect().right > innerWidth)
      .map((element) => `${element.tagName}.${element.className}`)
  })
}

/** Lists the names of the buttons that are not beside the text that they copy, but in a line below it. */
async function listLoneCopyButtons(page: Page): Promise<readonly (string | null)[]> {
  return await page.evaluate(() =>
    [...document.querySelectorAll(':is(code, a) + button.copy-button')]
      .filter((button) => {
        const text = button.previousElementSibling?.getBoundingClientRect()
        const { top, bottom, height } = button.getBoundingClientRect()
        const middle = (top + bottom) / 2
        return text !== undefined && height > 0 && (middle < text.top || middle > text.bottom)
      })
      .map((button) => button.getAttribute('aria-label')),
  )
}
