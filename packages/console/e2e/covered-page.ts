import { apiKeys, people, type Role } from '@mintmark/admin'
import { expect, type Page } from '@playwright/test'
import type { View } from './browser.ts'
import { visit } from './check-page.ts'
import { type ConsoleFixture, PASSWORD } from './console-fixture.ts'

const toEmail = (name: string) => `${name}@shop.example`

/** Opens a page as a new person, with a session of its own. */
export async function openAs(
  app: ConsoleFixture,
  name: string,
  role: Role,
  path: string,
  view: View = {},
): Promise<Page> {
  const page = await app.open(view)
  await app.createPerson(page, { email: toEmail(name), name, role })
  await visit(page, app.at(path))
  return page
}

/** Creates a person who is signed in nowhere. */
export async function addPerson(app: ConsoleFixture, name: string, role: Role): Promise<void> {
  const page = await openAs(app, name, role, 'overview')
  await page.context().close()
}

/** Ends the session of a tab at the server, as another device of the person or an administrator does. */
export async function endSession(app: ConsoleFixture, page: Page, name: string): Promise<void> {
  await app.gateway.owner.pool.query(
    'delete from gateway.people_sessions s using gateway.people p where p.id = s.person_id and p.email = $1',
    [toEmail(name)],
  )
  // Gateways remember a session for a second.
  await expect.poll(() => app.readSessionStatus(page)).toBe(401)
}

/** Finds the sign-in above the page of a session that has ended. */
export const getCover = (page: Page) => page.getByRole('dialog', { name: 'Your session has ended' })

/** Lets the page read something, as it does when a connection is back, so that it finds the session's end. */
export async function readSomething(page: Page): Promise<void> {
  await page.context().setOffline(true)
  await page.waitForFunction(() => !navigator.onLine)
  await page.context().setOffline(false)
}

/** Signs in, on the sign-in page or above another page. */
export async function enterPassword(page: Page, name: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('Email address').fill(toEmail(name))
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Signs in above the page of a session that has ended. */
export async function signIn(page: Page, name: string): Promise<void> {
  await enterPassword(page, name)
  await expect(getCover(page)).toHaveCount(0)
}

/** Signs in on the sign-in page, in another tab of the same window. */
export async function signInElsewhere(app: ConsoleFixture, page: Page, name: string): Promise<void> {
  const other = await page.context().newPage()
  await other.goto(`${app.url}/console/sign-in`)
  await enterPassword(other, name)
  await expect(other.getByRole('heading', { name: 'Home' })).toBeVisible()
}

/** Finds a person of the project. */
export async function findPerson(app: ConsoleFixture, name: string) {
  const found = (await people.list(app.client, {})).find(({ email }) => email === toEmail(name))
  if (found === undefined) throw new Error(`${name} is not in the project`)
  return found
}

/** What a person finds on a page by selecting all of it and with a screen reader. */
export async function readVisible(page: Page): Promise<string> {
  const selected = await page.evaluate(() => {
    getSelection()?.selectAllChildren(document.body)
    return String(getSelection())
  })
  return `${await page.title()} ${selected} ${await page.locator('body').ariaSnapshot()}`
}

/** Every text of a document, whether it is visible or not, with what is entered. */
export async function readDocument(page: Page): Promise<string> {
  return await page.evaluate(() => {
    const fields = [...document.querySelectorAll<HTMLInputElement>('input, textarea')]
    return `${document.body.textContent} ${fields.map(({ value }) => value).join(' ')}`
  })
}

/** Counts the keys of the project with a name. */
export async function countKeys(app: ConsoleFixture, name: string): Promise<number> {
  const keys = await apiKeys.list(app.client, {})
  return keys.filter((key) => key.name === name).length
}

/** Opens the dialog that creates a key, and names the key. */
export async function enterKey(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill(name)
}

/** Presses the button of the dialog that creates a key. */
export const pressCreate = (page: Page) =>
  page.getByRole('dialog', { name: 'Create key' }).getByRole('button', { name: 'Create key' }).click()

/**
 * Holds the response to the creation of a key, which the server creates at once. Returns the function that
 * releases it.
 */
export async function holdCreation(page: Page): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/admin/v1/apiKeys', async (route) => {
    if (route.request().method() !== 'POST') return await route.continue()
    const response = await route.fetch()
    await released
    await route.fulfill({ response })
  })
  return release
}
