// Every form of the console, on pages and in dialogs: what is typed into it is not lost without a question.

import { Role } from '@mintmark/admin'
import { expect, type Locator, type Page } from '@playwright/test'
import { visit } from './check-page.ts'
import { consoleTest } from './console-test.ts'
import { createShop, type ShopPages } from './shop-rows.ts'

/** Forms whose input may be lost: searches, questions and the sign-in. */
const FORM = 'form:not(search form, [data-transient])'
const FIELD = ':is(input, textarea, select):visible:enabled:not([readonly], [type=file], [data-transient] *)'
const OPERATOR_PAGES = ['projects', 'people', 'orders', 'mints']
const PARTS = ['cards', 'sales', 'tokens', 'developers', 'settings'] as const satisfies (keyof ShopPages)[]
/** Opens no dialog: it saves a file, copies a text, or changes what the page shows. */
const NO_DIALOG = /^(Copy|Refresh|Retry|Start the camera|Choose a (picture|file)|Check|Export|Print|Template)/

const getQuestion = (page: Page) => page.getByRole('dialog', { name: 'Discard what you typed?' })

const test = consoleTest().extend<object, { shop: ShopPages }>({
  shop: [async ({ app }, use) => use(await createShop(app)), { scope: 'worker' }],
})

test.describe('every form', () => {
  for (const part of PARTS) {
    test(`asks before it loses what was typed, on the pages of ${part}`, async ({ app, shop }) => {
      const page = await app.openAs(Role.OWNER)
      const found: string[] = []
      for (const path of shop[part]) found.push(...(await checkForms(page, app.at(path))))
      expect(found, part).not.toEqual([])
    })
  }

  test('asks before it loses what was typed, on the pages of operators, of the scanner and of the account', async ({
    app,
  }) => {
    const page = await app.openAsOperator()
    const urls = OPERATOR_PAGES.map((path) => `${app.url}/console/operator/${path}`)
    const found: string[] = []
    for (const url of [...urls, app.at('scanner'), `${app.url}/console/account`]) {
      found.push(...(await checkForms(page, url)))
    }
    expect(found).not.toEqual([])
  })

  /** Checks the forms of a page and of the dialogs that it opens. Returns where it has found some. */
  async function checkForms(page: Page, url: string): Promise<readonly string[]> {
    await openPage(page, url)
    const found = await checkPageForms(page, url)
    for (const label of await listButtons(page)) {
      await openPage(page, url)
      const button = page.locator('main').getByRole('button', { name: label, exact: true }).first()
      if (!(await button.isVisible())) continue
      await button.click()
      const entries = await listMenu(page)
      if (entries.length === 0) found.push(...(await checkDialog(page, label)))
      for (const entry of entries) {
        await openPage(page, url)
        await button.click()
        await page.getByRole('menuitem', { name: entry, exact: true }).click()
        found.push(...(await checkDialog(page, entry)))
      }
    }
    return found
  }

  /** Types into each form of a page, and follows a link. */
  async function checkPageForms(page: Page, url: string): Promise<string[]> {
    const forms = page.locator(`main ${FORM}:has(${FIELD})`)
    const count = await forms.count()
    for (let index = 0; index < count; index += 1) {
      await changeField(forms.nth(index))
      await page.getByRole('link', { name: 'Cards', exact: true }).first().click()
      await getQuestion(page).getByRole('button', { name: 'Discard' }).click()
      await page.waitForURL((address) => address.href !== url)
      await openPage(page, url)
    }
    return Array.from({ length: count }, () => url)
  }
})

async function openPage(page: Page, url: string): Promise<void> {
  await page.goto('about:blank')
  await visit(page, url)
}

/** Lists the names of the buttons that may open a dialog, one of those that begin with the same words. */
async function listButtons(page: Page): Promise<readonly string[]> {
  const labels = await page
    .locator('main button[type=button]:visible:enabled:not(.copy-button)')
    .evaluateAll((buttons) =>
      buttons.map((button) => button.getAttribute('aria-label') ?? button.textContent ?? ''),
    )
  const byWords = new Map(labels.map((label) => [label.split(' ').slice(0, 2).join(' '), label.trim()]))
  return [...byWords.values()].filter((label) => label !== '' && !NO_DIALOG.test(label))
}

async function listMenu(page: Page): Promise<readonly string[]> {
  await page
    .waitForFunction(() => document.querySelector('dialog[open], [role=menu]') !== null, null, {
      timeout: 1000,
    })
    .catch(() => undefined)
  return (await page.getByRole('menuitem').allTextContents()).map((text) => text.trim())
}

/** Types into the form of the dialog that is open, and presses Escape. */
async function checkDialog(page: Page, name: string): Promise<readonly string[]> {
  const form = page.locator(`dialog[open] ${FORM}:has(${FIELD})`)
  await expect(page.locator('dialog[open] .skeleton')).toHaveCount(0)
  if ((await form.count()) === 0) return []
  await changeField(form.first())
  await page.keyboard.press('Escape')
  await expect.poll(() => getQuestion(page).count(), { message: `after Escape in: ${name}` }).toBe(1)
  await getQuestion(page).getByRole('button', { name: 'Discard' }).click()
  await expect(form).toHaveCount(0)
  return [name]
}

/** Changes the first field of a form as a person does. */
async function changeField(form: Locator): Promise<void> {
  const field = form.locator(FIELD).first()
  const kind = await field.evaluate((element) =>
    element instanceof HTMLInputElement ? element.type : element.tagName,
  )
  if (kind === 'radio') await form.locator('input[type=radio]:visible:not(:checked)').first().click()
  else if (kind === 'checkbox') await field.click()
  else if (kind === 'datetime-local') await field.fill('2031-01-01T10:00')
  else if (kind === 'SELECT') await field.selectOption((await findOtherOption(field)) ?? [])
  else await field.fill('Typed')
}

/** Returns the value of an option that is not selected. */
async function findOtherOption(field: Locator): Promise<string | undefined> {
  const other = field.locator('option:not(:checked)').first()
  return (await other.getAttribute('value')) ?? undefined
}
