import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Listening, listen } from '@mintmark/server-kit'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, createCardClient, type TestProgram } from '../../../testing/cards.ts'
import { TEST_URL, type TestGateway, testGateway } from '../../../testing/gateway.ts'

let gateway: TestGateway
let calls: ReturnType<typeof createCardClient>
beforeAll(async () => {
  gateway = await testGateway()
  calls = createCardClient(gateway)
})
afterAll(() => gateway.close())

const pathOf = (card: { qrCodeUrl: string }) => `/c/${gateway.key.projectId}/${codeOf(card)}`
const open = async (path: string, app = gateway.app) => {
  const response = await app.request(path)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

it.each([
  ['pause', 'Paused'],
  ['end', 'Ended'],
])('the page of a card shows after the %s of its campaign that it is not valid', async (action, label) => {
  const post = (path: string, body?: object) =>
    gateway.key.call({ method: 'POST', path: `/api/v1/card/campaigns${path}`, ...(body && { body }) })
  const card = {
    name: 'x',
    totalIssued: 1,
    startTime: '2026-01-01T00:00:00Z',
    endTime: '2099-01-01T00:00:00Z',
  }
  const { json } = await post('', { name: 'x', program: 'promoCodeCards', cards: 1, card })
  const campaignId = String(json.data.id)
  await post(`/${campaignId}/issue`, { count: 1 })
  const found = await calls.get('promoCodeCards', '/search', { campaignId })
  const [issued] = (found.json.data as { list: { qrCodeUrl: string }[] }).list
  if (issued === undefined) throw new Error('The campaign has no card')
  expect((await open(pathOf(issued))).text).toContain('>Active<')
  await post(`/${campaignId}/${action}`)
  expect((await open(pathOf(issued))).text).toContain(`>${label}<`)
})

const evil = `<script>alert(1)</script>"'><img src=x onerror=alert(2)>&amp;`
const past = new Date('2020-01-01T00:00:00Z')
const future = new Date('2090-05-01T10:30:00Z')

/** Cards in every state, as a creator would have made them. */
const states: readonly [
  state: string,
  program: TestProgram,
  more: object,
  row: object,
  texts: readonly string[],
][] = [
  [
    'active',
    'promoCodeCards',
    {
      name: 'Two for one at the harbour cinema',
      totalIssued: 10,
      applicableStores: ['Hafenkino Hamburg', 'Capitol Altona'],
      usageInstructions: 'Show this page at the box office.\nGood for every film but premieres.',
    },
    { used_count: 3 },
    ['Active', '7 of 10', 'Hafenkino Hamburg', 'Show this page at the box office.', '31 Dec 2099, 00:00 UTC'],
  ],
  [
    'not yet valid',
    'eventCards',
    { name: 'Midsummer night' },
    { start_time: future },
    ['Not yet valid', '1 May 2090, 10:30 UTC', 'Not checked in yet', 'All stores'],
  ],
  [
    'used up',
    'promoCodeCards',
    { name: 'Free coffee', totalIssued: 1 },
    { used_count: 1 },
    ['Used up', '0 of 1'],
  ],
  [
    'checked in',
    'eventCards',
    { name: 'Opening night', isCheckedIn: true },
    {},
    ['Checked in', 'This card is already checked in.'],
  ],
  [
    'expired',
    'membershipCards',
    { name: 'Friends of the museum', level: 'Gold', benefits: ['Free entry', 'Ten percent off in the shop'] },
    {
      start_time: past,
      end_time: new Date('2021-01-01T00:00:00Z'),
      validity_period: new Date('2021-01-01T00:00:00Z'),
    },
    ['Expired', 'Gold', 'Free entry'],
  ],
  [
    'removed',
    'commemorativeCards',
    { name: 'Anniversary', usageInstructions: 'Keep it.' },
    { deleted: true },
    ['Removed', 'The issuer has removed this card.'],
  ],
  [
    'with pictures and a very long name',
    'commemorativeCards',
    {
      name: `Hundredandtwentyfiveyearsoftheharbourmasters${'and'.repeat(20)}`,
      amount: 12.5,
      imageUrl: 'https://pictures.test/image.svg',
      logoUrl: 'https://pictures.test/logo.svg',
      backgroundImageUrl: 'https://pictures.test/background.svg',
    },
    {},
    ['Active', '12.5'],
  ],
]

async function cardIn([, program, more, row]: (typeof states)[number]) {
  const card = await calls.create(program, more)
  if (Object.keys(row).length > 0) await calls.alter(card.id, row)
  return card
}

it.each(states)('the page of a card states that the card is %s', async (...state) => {
  const { status, text, headers } = await open(pathOf(await cardIn(state)))
  expect(status).toBe(state[0] === 'removed' ? 410 : 200)
  expect(headers.get('content-type')).toBe('text/html; charset=UTF-8')
  for (const expected of state[4]) expect(text).toContain(expected)
  if (state[0] === 'removed') expect(text).not.toContain('Keep it.')
})

it('the page of a card shows times in the time zone of the stores', async () => {
  const app = await gateway.another({ storeTimeZone: 'Europe/Berlin' })
  const card = await calls.create('eventCards', { startTime: '2026-07-01T20:00:00Z' })
  expect((await open(pathOf(card), app)).text).toContain('1 Jul 2026, 22:00 CEST')
})

it('the page of a card escapes the texts of the creator', async () => {
  const card = await calls.create('membershipCards', {
    name: evil,
    usageInstructions: evil,
    level: evil,
    benefits: [evil],
    applicableStores: [evil],
    logoUrl: `https://a.test/"><script>`,
  })
  // Such an address is refused since it was stored.
  await calls.alter(card.id, { background_image_url: 'javascript:alert(1)' })
  const { text } = await open(pathOf(card))
  expect(text).not.toMatch(/<script|<img src=x|javascript:/)
  expect(text.split('&lt;script&gt;alert(1)')).toHaveLength(1 + 6)
})

it('the page of a card forbids scripts, frames, forms, caching and referrers', async () => {
  const { headers } = await open(pathOf(await calls.create('eventCards')))
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toMatch(/unsafe|script-src/)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('x-robots-tag')).toBe('noindex')
})

it('the page of a card shows images only from https addresses', async () => {
  const card = await calls.create('eventCards', {
    logoUrl: 'http://plain.test/logo.png',
    backgroundImageUrl: 'https://tls.test/background.png',
  })
  const { text } = await open(pathOf(card))
  expect(text).toContain('src="https://tls.test/background.png"')
  expect(text).not.toContain('plain.test')
})

it('the page of a card is missing for an unknown code and under another project', async () => {
  const path = pathOf(await calls.create('eventCards'))
  const other = await gateway.newKey({ project: 'other' })
  for (const wrong of [
    path.replace(/.{27}$/, 'x'.repeat(27)),
    path.replace(/^\/c\/\d+/, `/c/${other.projectId}`),
    path.replace(/^\/c\/\d+/, '/c/999999999999999'),
  ]) {
    const { status, text } = await open(wrong)
    expect([status, text.includes('Card not found')], wrong).toEqual([404, true])
  }
  expect((await open(`${path}x`)).status).toBe(404)
})

it.each(['page', 'QR code'])(
  'the addresses of cards cannot be guessed: a client may fail 20 times in a burst for a %s',
  async (kind) => {
    const path = pathOf(await calls.create('eventCards'))
    const toAddress = (page: string) => (kind === 'page' ? page : `${page.replace('/c/', '/qr/')}.svg`)
    const openFrom = async (remoteAddress: string, page: string) => {
      const incoming = { socket: { remoteAddress } }
      return (await gateway.app.request(toAddress(page), {}, { incoming })).status
    }
    const address = kind === 'page' ? '192.0.2.1' : '192.0.2.2'
    expect(await openFrom(address, path)).toBe(200)
    const statuses: number[] = []
    // Two more failures are accepted each second, so that a slow machine makes more of them.
    while (statuses.at(-1) !== 429 && statuses.length < 1000) {
      const code = `${statuses.length}`.padStart(27, 'x')
      statuses.push(await openFrom(address, path.replace(/.{27}$/, code)))
    }
    expect(statuses.at(-1)).toBe(429)
    expect(new Set(statuses.slice(0, -1))).toEqual(new Set([404]))
    // A card that was found stays visible, and so do those of others.
    expect(await openFrom(address, path)).toBe(200)
    expect(await openFrom('192.0.2.3', pathOf(await calls.create('eventCards')))).toBe(200)
  },
)

it('the addresses of cards is opened in upper case and with a slash at the end, but only with the exact code', async () => {
  const card = await calls.create('promoCodeCards', { name: 'Free coffee' })
  const path = pathOf(card)
  const picture = `${path.replace('/c/', '/qr/')}.svg`
  const typedInUpperCase = path.replace('/c/', '/C/')
  expect((await open(typedInUpperCase)).status).toBe(200)
  for (const [typed, target] of [
    [`${path}/`, path],
    [`${typedInUpperCase}/?from=print`, `${typedInUpperCase}?from=print`],
  ] as const) {
    const { status, headers } = await open(typed)
    const { pathname, search } = new URL(headers.get('location') ?? '', `${TEST_URL}${typed}`)
    expect([status, pathname + search], typed).toEqual([302, target])
  }
  for (const typed of [`${picture}/`, picture.replace('/qr/', '/QR/').replace('.svg', '.SVG')])
    expect((await open(typed)).status, typed).toBe(200)
  expect((await open(`/c/${gateway.key.projectId}/${codeOf(card).toUpperCase()}`)).status).toBe(404)
})

it('the addresses of cards of projects that do not exist take no memory from those that do', async () => {
  const kept = gateway.database.forProject(gateway.key.projectId)
  for (const path of ['c', 'qr'])
    for (let project = 1; project <= 1001; project += 1) {
      const file = `${'x'.repeat(27)}${path === 'qr' ? '.svg' : ''}`
      const { status } = await gateway.app.request(`/${path}/${900_000_000 + project}/${file}`)
      expect(status).toBe(404)
    }
  expect(gateway.database.forProject(gateway.key.projectId)).toBe(kept)
})

/** `npm run test:release` brings a browser. `npm test` uses the machine's, if there is one. */
const executable = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
/** The folder for screenshots, if any should be saved. */
const screenshotFolder = process.env.SCREENSHOT_CARDS

describe.skipIf(!existsSync(executable))('the page on a phone', () => {
  let listening: Listening
  let browser: Browser
  beforeAll(async () => {
    listening = await listen(gateway.app, { port: 0 })
    browser = await chromium.launch({
      executablePath: executable,
      args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    })
  })
  afterAll(async () => {
    await browser.close()
    await listening.close()
  })

  const svg = (color: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="400"><rect width="800" height="400" fill="${color}"/></svg>`

  /**
   * Opens a page like a phone. Returns what it shows, its width, and the messages of the browser's console.
   */
  async function openOnPhone(path: string, name: string, colorScheme: 'light' | 'dark', locale = 'en-US') {
    const page = await browser.newPage({
      viewport: { width: 360, height: 740 },
      deviceScaleFactor: 2,
      isMobile: true,
      colorScheme,
      locale,
      javaScriptEnabled: true,
    })
    const consoleMessages: string[] = []
    const referrers: (string | undefined)[] = []
    page.on('console', (message) => {
      // The console also reports that a page is 404 or 410.
      if (!/status of 4(04|10)/.test(message.text())) consoleMessages.push(message.text())
    })
    page.on('pageerror', (error) => consoleMessages.push(error.message))
    await page.route('https://pictures.test/**', (route) => {
      referrers.push(route.request().headers().referer)
      return route.fulfill({ contentType: 'image/svg+xml', body: svg('teal') })
    })
    await page.goto(`${listening.url}${path}`, { waitUntil: 'load' })
    if (screenshotFolder) {
      mkdirSync(screenshotFolder, { recursive: true })
      await page.screenshot({ path: join(screenshotFolder, `${name} ${colorScheme}.png`), fullPage: true })
    }
    const view = await page.evaluate(() => ({
      width: document.documentElement.scrollWidth,
      background: getComputedStyle(document.body).backgroundColor,
      pictures: [...document.images].map(({ naturalWidth }) => naturalWidth),
      brand: [...document.querySelectorAll('.brand')].flatMap((element) => {
        const { backgroundColor, color } = getComputedStyle(element)
        return [backgroundColor, color]
      }),
      status: document.querySelector('.status b')?.textContent ?? '',
    }))
    await page.close()
    return { ...view, consoleMessages, referrers }
  }

  it.each(states)(
    'the page on a phone fits the screen in light and dark mode for a card that is %s',
    async (...state) => {
      const path = pathOf(await cardIn(state))
      const [light, dark] = [
        await openOnPhone(path, state[0], 'light'),
        await openOnPhone(path, state[0], 'dark'),
      ]
      for (const view of [light, dark]) {
        expect(view.consoleMessages).toEqual([])
        expect(view.width).toBe(360)
        expect(state[4]).toContain(view.status)
        expect(view.pictures.every((width) => width > 0)).toBe(true)
        expect(view.referrers.filter((referrer) => referrer !== undefined)).toEqual([])
      }
      expect(light.pictures).toHaveLength(state[0] === 'removed' ? 0 : state[0].startsWith('with') ? 4 : 1)
      expect(light.background).not.toBe(dark.background)
    },
  )

  it('the page on a phone runs no script of the creator', async () => {
    const card = await calls.create('membershipCards', {
      name: evil,
      usageInstructions: evil,
      benefits: [evil],
    })
    expect(await openOnPhone(pathOf(card), 'evil', 'light')).toMatchObject({
      consoleMessages: [],
      width: 360,
    })
  })

  it('the page on a phone shows the shop in its color, in each language, in light and dark mode', async () => {
    const settings = { shopName: 'Corner Coffee', logoUrl: 'https://pictures.test/shop.svg' }
    const set = (body: object) => gateway.key.call({ path: '/api/v1/card/settings', body })
    await set({ ...settings, accentColor: '#7a1f3d' })
    const event = { name: 'Latte art', startTime: '2090-07-01T18:00:00Z', endTime: '2090-07-01T20:00:00Z' }
    const path = pathOf(await calls.create('eventCards', event))
    for (const [language, status] of [
      ['en-US', 'Not yet valid'],
      ['de-DE', 'Noch nicht gültig'],
      ['es-ES', 'Aún no es válida'],
    ] as const)
      for (const scheme of ['light', 'dark'] as const) {
        const view = await openOnPhone(path, `shop ${language}`, scheme, language)
        expect(view).toMatchObject({ consoleMessages: [], width: 360, status })
        expect(view.brand).toEqual(['rgb(122, 31, 61)', 'rgb(255, 255, 255)'])
        expect(view.pictures).toHaveLength(2)
      }
    await set({ shopName: '', logoUrl: '', accentColor: '' })
  })

  it('the page on a phone states that the card does not exist', async () => {
    const view = await openOnPhone(`/c/1/${'x'.repeat(27)}`, 'none', 'light')
    expect(view).toMatchObject({ consoleMessages: [], status: 'Unknown code', width: 360 })
  })
})
