// What other websites, other people and texts of tenants can do to a person who uses the console: nothing.

import { apiKeys, Role } from '@mintmark/admin'
import { promoCodeCards } from '@mintmark/cards'
import { contracts, nfts } from '@mintmark/contracts'
import { serveLocally } from '@mintmark/devkit'
import { walletInfo } from '@mintmark/wallet'
import { type Cookie, expect, type Page } from '@playwright/test'
import { newAddress } from '../../gateway-server/src/testing/samples/sample.ts'
import { visit } from './check-page.ts'
import { checkViews } from './check-views.ts'
import { type ConsoleFixture, PASSWORD } from './console-fixture.ts'
import { consoleTest, perFile } from './console-test.ts'
import { openAs } from './covered-page.ts'

const SESSION_COOKIE = 'mintmark.session_token'
const CHAIN_ID = '84532'

/** The page that the other website serves. */
let hostilePage = ''

const test = consoleTest().extend<object, { others: readonly string[] }>({
  // The browser resolves both names to this machine: one shares the site of the gateway, the other does not.
  others: perFile(async (stops) => {
    const address = await serveLocally((_request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(`<!doctype html><title>Other website</title>${hostilePage}`)
    }, stops)
    return [address.replace('127.0.0.1', 'localhost'), address]
  }),
})

test.describe('a person who uses the console', () => {
  /** Lets the other website serve a page, and opens it in a tab in which a person is signed in. */
  async function visitOther(page: Page, other: string, content: string): Promise<void> {
    hostilePage = content
    await page.goto(other)
  }

  const countKeys = async (app: ConsoleFixture) => (await apiKeys.list(app.client, {})).length

  test('cannot be made to click in a frame of another website', async ({ app, others }) => {
    const page = await app.openAs(Role.OWNER)
    for (const other of others) {
      await visitOther(page, other, `<iframe src="${app.at('keys')}"></iframe>`)
      const frame = await (await page.waitForSelector('iframe')).contentFrame()
      await expect.poll(() => frame?.url()).toBe('chrome-error://chromewebdata/')
      await expect(page.frameLocator('iframe').getByText('API keys')).toHaveCount(0)
    }
  })

  test('sends nothing for another website: neither forms, nor calls, nor scripts', async ({
    app,
    others,
  }) => {
    const page = await app.openAs(Role.OWNER)
    const before = await countKeys(app)
    const target = `${app.url}/admin/v1/apiKeys`
    for (const other of others) {
      for (const path of ['/admin/v1/apiKeys', '/console/auth/sign-out', '/api/v1/contract/add']) {
        const field = `<input name='{"name":"stolen","x":"' value='"}'>`
        const form = `<form method="post" enctype="text/plain" action="${app.url}${path}">${field}</form>`
        await visitOther(page, other, form)
        const answered = page.waitForResponse((response) => response.request().method() === 'POST')
        await page.locator('form').evaluate((element) => (element as HTMLFormElement).submit())
        expect((await answered).status(), `${other} ${path}`).toBeGreaterThanOrEqual(400)
        await page.waitForURL(app.url + path)
      }
      await visitOther(page, other, '')
      const outcomes = await page.evaluate(tryToRead, { target, project: String(app.projectId) })
      expect(outcomes, other).toEqual({
        simple: 'failed',
        withHeader: 'failed',
        opaque: '',
        write: '',
        script: 'failed',
        globals: [],
      })
    }
    expect(await countKeys(app)).toBe(before)
    expect(await app.readSessionStatus(page)).toBe(200)
  })

  test('gets a new session at the sign-in, whatever cookie somebody planted before', async ({ app }) => {
    const attacker = await openAs(app, 'attacker', Role.OWNER, 'overview')
    await openAs(app, 'victim', Role.OWNER, 'overview')
    const [planted] = await readSessionCookies(attacker)
    if (planted === undefined) throw new Error('The attacker has no session')
    const page = await app.open()
    await page.goto(`${app.url}/console/sign-in`)
    await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible()
    await page.context().addCookies([planted])
    await page.getByLabel('Email address').fill('victim@shop.example')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page.getByRole('button', { name: /victim/ })).toBeVisible()
    const cookies = await readSessionCookies(page)
    expect(cookies).toHaveLength(1)
    expect(cookies[0]?.value).not.toBe(planted.value)
    await attacker.goto(app.at('overview'))
    await expect(attacker.getByRole('button', { name: /attacker/ })).toBeVisible()
  })

  test('has a session that no script and no other website can use', async ({ app }) => {
    const page = await app.openAs(Role.OWNER, { path: 'overview' })
    const [cookie] = await readSessionCookies(page)
    expect(cookie).toMatchObject({ httpOnly: true, path: '/' })
    expect(['Lax', 'Strict']).toContain(cookie?.sameSite)
    expect(await page.evaluate(() => document.cookie)).toBe('')
    expect(await page.evaluate(() => cookieStore.getAll())).toEqual([])
  })

  test('runs no script that somebody puts into a page', async ({ app, others }) => {
    const page = await app.openAs(Role.OWNER, { path: 'overview' })
    await page.evaluate(() => {
      Object.assign(globalThis, { refused: [] })
      addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
        ;(globalThis as unknown as { refused: string[] }).refused.push(effectiveDirective)
      })
    })
    await page.evaluate(injectScripts, others[0] ?? '')
    const read = () => page.evaluate(() => (globalThis as unknown as { refused: string[] }).refused)
    await expect
      .poll(async () => new Set(await read()))
      .toEqual(
        new Set([
          'script-src-elem',
          'script-src-attr',
          'base-uri',
          'form-action',
          'frame-src',
          'img-src',
          'connect-src',
        ]),
      )
    expect(await page.evaluate(() => 'evilRuns' in globalThis)).toBe(false)
    expect(new URL(page.url()).origin).toBe(app.url)
  })

  for (const address of [
    'javascript:globalThis.evilRuns=1',
    ' JaVaScRiPt:globalThis.evilRuns=1',
    'data:text/html,<script>globalThis.evilRuns=1</script>',
    'vbscript:evilRuns',
    'https://shop.example@evil.example/',
  ]) {
    test(`gets no link to ${address}`, async ({ app }) => {
      const { client } = app
      const [nftAddress, wallet] = [newAddress(), newAddress()]
      await contracts.add(client, { nftAddress, chainId: CHAIN_ID, nftType: 'ERC721', name: 'Links' })
      await nfts.add(client, { nftAddress, nftId: '1', name: 'Link', owner: wallet })
      await walletInfo.add(client, { address: wallet, name: 'Link' })
      // The server refuses most of these addresses. Rows that are older than the rule may have them.
      const { pool } = app.gateway.owner
      await pool.query(
        `update gateway.nfts set img_url = $1, token_uri = $1, media_file_url = $1 where contract_id =
        (select id from gateway.contracts where nft_address = $2)`,
        [address, nftAddress],
      )
      await pool.query(
        'update gateway.wallet_info set background = $1, profile_photo = $1 where address = $2',
        [address, wallet],
      )
      const page = await app.openAs(Role.MANAGER)
      for (const path of [`nfts/${nftAddress}/1`, `wallets/${wallet}`, 'nfts', `contracts/${nftAddress}`]) {
        await visit(page, app.at(path))
        const addresses = await page.evaluate((url) => {
          const links = [...document.querySelectorAll<HTMLAnchorElement>('a[href]')].map(({ href }) => href)
          const sources = [...document.querySelectorAll<HTMLImageElement>('img')].map(({ src }) => src)
          return [...links, ...sources].filter((each) => !each.startsWith(url))
        }, app.url)
        // The only other website that the console itself links to is the block explorer.
        const foreign = addresses.filter(
          (each) => !each.startsWith('https://sepolia.basescan.org/address/0x'),
        )
        expect(foreign, path).toEqual([])
      }
      await page.goto(app.at(`nfts/${nftAddress}/1`))
      await expect(page.getByText(address.trim(), { exact: true }).first()).toBeVisible()
      await checkViews(page, `link ${address.trim().slice(0, 12)}`)
    })
  }

  test('is out after the sign-out: the old cookie, the back button and other tabs show nothing', async ({
    app,
  }) => {
    const secret = await promoCodeCards.create(app.client, {
      name: 'Only for members',
      nftAddress: newAddress(),
      totalIssued: 1,
      startTime: '2026-01-01T00:00:00Z',
      endTime: '2099-12-31T00:00:00Z',
    })
    const page = await openAs(app, 'leaver', Role.OWNER, 'overview')
    await page.goto(app.at(`cards/promo-code/${secret.id}`))
    await expect(page.getByRole('heading', { level: 1, name: 'Only for members' })).toBeVisible()
    const stolen = await readSessionCookies(page)
    await page.getByRole('button', { name: /leaver/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible()
    await checkViews(page, 'signed-out')
    await page.goBack()
    await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible()
    await page.goto(app.at(`cards/promo-code/${secret.id}`))
    await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible()
    await expect(page.getByText('Only for members')).toHaveCount(0)
    const thief = await app.open()
    await thief.context().addCookies(stolen)
    // Gateways remember a session for a second.
    await expect.poll(() => app.readSessionStatus(thief)).toBe(401)
    await thief.goto(app.at(`cards/promo-code/${secret.id}`))
    await expect(thief.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible()
  })

  test('leaves no secret in the storage of the browser or in addresses', async ({ app }) => {
    const page = await openAs(app, 'careful', Role.OWNER, 'overview')
    const addresses = new Set<string>()
    page.on('request', (request) => addresses.add(request.url()))
    await page.goto(app.at('keys'))
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Till')
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
    const dialog = page.getByRole('dialog', { name: 'Secret of Till' })
    await expect(dialog).toBeVisible()
    const [apiKey = '', secret = ''] = await dialog.getByRole('code').allTextContents()
    expect(apiKey).not.toBe('')
    expect(secret.length).toBeGreaterThan(20)
    await page.getByRole('button', { name: 'Done' }).click()
    await expect(page.getByText(secret)).toHaveCount(0)
    for (const path of ['scanner', 'cards/promo-code/import', 'webhooks', 'explorer', '../../account']) {
      await visit(page, new URL(path, app.at('')).href)
      addresses.add(page.url())
    }
    const [cookie] = await readSessionCookies(page)
    const [token = ''] = decodeURIComponent(cookie?.value ?? '').split('.')
    expect(token).not.toBe('')
    const stored = await page.evaluate(readStorage)
    const everything = `${stored} ${[...addresses].join(' ')}`
    for (const kept of [secret, token, PASSWORD, 'careful@shop.example']) {
      expect(everything.includes(kept), kept).toBe(false)
    }
  })
})

async function readSessionCookies(page: Page): Promise<readonly Cookie[]> {
  return (await page.context().cookies()).filter(({ name }) => name === SESSION_COOKIE)
}

/** Runs in a page of another website: tries to read and to write with the cookies of the person. */
async function tryToRead({ target, project }: { readonly target: string; readonly project: string }) {
  const read = (init: RequestInit) =>
    fetch(target, { credentials: 'include', ...init }).then(
      (response) => response.text(),
      () => 'failed',
    )
  const body = JSON.stringify({ name: 'stolen' })
  const before = Object.keys(globalThis)
  const script = await new Promise<string>((resolve) => {
    const element = document.createElement('script')
    element.onload = () => resolve('loaded')
    element.onerror = () => resolve('failed')
    element.src = target
    document.head.append(element)
  })
  return {
    simple: await read({}),
    withHeader: await read({ headers: { 'x-mintmark-session': project } }),
    opaque: await read({ mode: 'no-cors' }),
    write: await read({ mode: 'no-cors', method: 'POST', body }),
    script,
    globals: Object.keys(globalThis).filter((name) => !before.includes(name)),
  }
}

/** Runs in the console: puts scripts into the page in every way that a text could. */
function injectScripts(other: string): void {
  const add = (html: string) => {
    const element = document.createElement('div')
    element.innerHTML = html
    document.body.append(element)
    return element
  }
  const script = document.createElement('script')
  script.textContent = 'globalThis.evilRuns = 1'
  document.head.append(script)
  const foreign = document.createElement('script')
  foreign.src = `${other}/evil.js`
  document.head.append(foreign)
  add('<img src="/console/none.png" onerror="globalThis.evilRuns = 1">')
  add('<img src="https://evil.example/pixel.png">')
  add('<button onclick="globalThis.evilRuns = 1"></button>').querySelector('button')?.click()
  add('<a href="javascript:globalThis.evilRuns = 1">x</a>').querySelector('a')?.click()
  add(`<base href="${other}/">`)
  add(`<iframe src="${other}/"></iframe>`)
  add(`<form method="post" action="${other}/"></form>`).querySelector('form')?.submit()
  void fetch(other).catch(() => {})
}

/** Runs in the console: returns all that the browser stores for it, as JSON. */
async function readStorage(): Promise<string> {
  const request = <Result>(opened: IDBRequest<Result>) =>
    new Promise<Result>((resolve, reject) => {
      opened.onsuccess = () => resolve(opened.result)
      opened.onerror = () => reject(opened.error)
    })
  const rows: unknown[] = []
  for (const { name = '' } of await indexedDB.databases()) {
    const database = await request(indexedDB.open(name))
    for (const store of database.objectStoreNames) {
      rows.push(await request(database.transaction(store).objectStore(store).getAll()))
    }
    database.close()
  }
  const cached: string[] = []
  for (const name of await caches.keys()) {
    for (const { url } of await (await caches.open(name)).keys()) cached.push(url)
  }
  return JSON.stringify({ local: { ...localStorage }, session: { ...sessionStorage }, rows, cached })
}
