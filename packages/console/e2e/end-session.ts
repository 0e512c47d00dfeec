import { expect, type Page } from '@playwright/test'
import type pg from 'pg'
import { waitForPage } from './check-page.ts'
import { checkViews } from './check-views.ts'

/** Locks what another session waits for, in a transaction. */
export const LOCK = 'select pg_advisory_xact_lock(4711)'

interface Sessions {
  /** A session of the program `import-script`, which has the lock. */
  readonly holder: pg.ClientBase
  /** A session of the server, which waits for it. */
  readonly waiting: pg.ClientBase
}

/**
 * Ends a session that blocks another one, on a page of health, as an operator does.
 *
 * @param name The beginning of the names of the pictures.
 */
export async function endBlockingSession(
  page: Page,
  { holder, waiting }: Sessions,
  name: string,
): Promise<void> {
  const locked = waiting.query(LOCK)
  const sessions = await waitForSessions(page)
  await expect(sessions.getByText(/^import-script \d+: idle in transaction/)).toBeVisible()
  // Statements of other programs may contain secrets, so that only that of the server is shown.
  await expect(sessions.getByText(LOCK)).toHaveCount(1)
  await sessions.scrollIntoViewIfNeeded()
  await checkViews(page, `${name} sessions`)
  await sessions.getByRole('button', { name: /^End session import-script \d+$/ }).click()
  const dialog = page.getByRole('dialog', { name: /^End the session import-script \d+\?$/ })
  await checkViews(page, `${name} question about a session`)
  await dialog.getByRole('button', { name: 'End session' }).click()
  await expect(page.getByText(/^import-script \d+ was ended$/)).toBeVisible()
  await locked
  await expect(sessions).toHaveCount(0)
  await expect(holder.query('select 1')).rejects.toThrow()
}

/** Refreshes the page until it shows the sessions that wait. */
async function waitForSessions(page: Page): Promise<ReturnType<Page['getByRole']>> {
  const sessions = page.getByRole('table', { name: 'Sessions that wait' })
  await expect
    .poll(async () => {
      await page.getByRole('button', { name: 'Refresh' }).click()
      await waitForPage(page)
      return await sessions.count()
    })
    .toBe(1)
  return sessions
}
