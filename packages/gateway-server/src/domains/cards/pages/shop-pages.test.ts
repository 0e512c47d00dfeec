import { createHash } from 'node:crypto'
import { cardSettings, media } from '@mintmark/cards'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, createCardClient } from '../../../testing/cards.ts'
import { type TestGateway, testGateway } from '../../../testing/gateway.ts'
import { sampleProject } from '../../../testing/samples/calls.ts'
import type { SampleProject } from '../../../testing/samples/sample.ts'
import { createAccentStyle } from './accent-style.ts'

let gateway: TestGateway
let shop: SampleProject
let calls: ReturnType<typeof createCardClient>
beforeAll(async () => {
  gateway = await testGateway({ storeTimeZone: 'Europe/Berlin' })
  shop = await sampleProject(gateway, 'shop')
  calls = createCardClient(gateway, shop.key)
})
afterAll(() => gateway.close())

const pathOf = (card: { qrCodeUrl: string }) => `/c/${shop.projectId}/${codeOf(card)}`
const open = async (path: string, language?: string) => {
  const headers = { ...(language !== undefined && { 'accept-language': language }) }
  const response = await gateway.app.request(path, { headers })
  return { status: response.status, headers: response.headers, text: await response.text() }
}
const set = (settings: Parameters<typeof cardSettings.update>[1]) =>
  cardSettings.update(shop.client, settings)
const reset = { shopName: '', logoUrl: '', accentColor: '' }
const upload = async ({ client }: SampleProject) => {
  const background = { r: client === shop.client ? 1 : 2, g: 3, b: 4 }
  const png = await sharp({ create: { width: 9, height: 9, channels: 3, background } })
    .png()
    .toBuffer()
  return (await media.upload(client, { content: png.toString('base64') })).url
}

describe('the page of a card of a shop', () => {
  it('the page of a card of a shop shows its name, logo and color, also after the card was removed', async () => {
    const logoUrl = await upload(shop)
    await set({ shopName: 'Corner Coffee', logoUrl, accentColor: '#7A1F3D' })
    expect(await cardSettings.get(shop.client)).toMatchObject({ logoUrl, accentColor: '#7a1f3d' })
    const card = await calls.create('promoCodeCards', { name: 'Free tea' })
    const expectShop = ({ text }: { text: string }) => {
      expect(text).toContain('<title>Free tea · Corner Coffee</title>')
      expect(text).toContain(`<div class="brand"><img class="shop" src="${logoUrl}"`)
      expect(text).toContain('<span>Corner Coffee</span>')
      expect(text).toContain('--accent: #7a1f3d; --on-accent: #fff;')
    }
    expectShop(await open(pathOf(card)))
    await calls.remove('promoCodeCards', card.id)
    expectShop(await open(pathOf(card)))
  })

  it('the page of a card of a shop is neutral again after its settings were emptied', async () => {
    const card = await calls.create('promoCodeCards', { name: 'Free tea' })
    expect(await set({ shopName: 'Corner Coffee', accentColor: '#7a1f3d' })).toMatchObject({
      shopName: 'Corner Coffee',
      reversalMinutes: 10,
    })
    expect(await set(reset)).toMatchObject(reset)
    const { text } = await open(pathOf(card))
    expect(text).toContain('<title>Free tea</title>')
    expect(text).not.toMatch(/class="brand"|--accent: #/)
  })

  it('the page of a card of a shop escapes its name, and refuses colors and logos that are none', async () => {
    const strangers = await sampleProject(gateway, 'strangers')
    const foreignLogo = await upload(strangers)
    for (const [path, settings] of [
      ['accentColor', { accentColor: 'red;}body{display:none' }],
      ['accentColor', { accentColor: 'red;}b{' }],
      ['accentColor', { accentColor: '#7a1f3d;}' }],
      ['accentColor', { accentColor: '#7a1f3d\n' }],
      ['logoUrl', { logoUrl: 'javascript:alert(1)' }],
      ['logoUrl', { logoUrl: foreignLogo }],
      ['shopName', { shopName: 'a\nb' }],
    ] as const)
      await expect(set(settings), JSON.stringify(settings)).rejects.toMatchObject({
        status: 400,
        issues: [{ path }],
      })
    const evil = `</title><style>*{display:none}</style><script>alert(1)</script>"'`
    await set({ shopName: evil, logoUrl: 'https://a.test/"onerror="alert(1)', accentColor: '#ffffff' })
    const { text, headers } = await open(pathOf(await calls.create('promoCodeCards')))
    await set(reset)
    expect(text).not.toMatch(/<script|"onerror/)
    expect(text.match(/<\/title>/g)).toHaveLength(1)
    // The policy permits exactly the styles of the page.
    const styles = [...text.matchAll(/<style>([^<]*)<\/style>/g)].map(
      ([, style = '']) => `'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    )
    expect(styles).toHaveLength(2)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain(`style-src ${styles.join(' ')};`)
    expect(policy).not.toContain('unsafe')
    expect(createAccentStyle('red;}body{')).toBe('')
  })

  // The two grays are those between which the contrast of both is the same.
  it.each([
    ['#000000', '#fff'],
    ['#7a1f3d', '#fff'],
    ['#757575', '#fff'],
    ['#767676', '#000'],
    ['#ffcc00', '#000'],
    ['#ffffff', '#000'],
  ])(
    'the text on the color %s of a shop is in the more readable one of black and white, %s',
    (color, text) => {
      expect(createAccentStyle(color)).toContain(`--on-accent: ${text};`)
    },
  )
})

describe('the language of the page of a card', () => {
  it.each([
    [undefined, 'en', 'Valid until', '31 Dec 2026, 13:00 CET'],
    ['de-AT,de;q=0.9,en;q=0.8', 'de', 'Gültig bis', '31.12.2026, 13:00 MEZ'],
    ['fr, es-MX;q=0.7, en;q=0.3', 'es', 'Válida hasta', '31 dic 2026, 13:00 CET'],
    ['ES', 'es', 'Válida hasta', '31 dic 2026'],
    ['de;q=0, en;q=0.1', 'en', 'Valid until', '31 Dec 2026'],
    ['en;q=0.2, de ; q=0.9', 'de', 'Gültig bis', '31.12.2026'],
    ['fr, *;q=0.5', 'en', 'Valid until', '31 Dec 2026'],
    ['*', 'en', 'Valid until', '31 Dec 2026'],
    ['de;q=9, <script>, ;;;', 'en', 'Valid until', '31 Dec 2026'],
    [`${' '.repeat(10_000)}de`, 'de', 'Gültig bis', '31.12.2026'],
    [`${'x-'.repeat(5000)};q=1`, 'en', 'Valid until', '31 Dec 2026'],
    [`${'de-a,'.repeat(2000)}en`, 'de', 'Gültig bis', '31.12.2026'],
  ])('for Accept-Language %.40s it is %s', async (header, language, label, date) => {
    const card = await calls.create('membershipCards', { endTime: '2026-12-31T12:00:00Z' })
    const { text, headers } = await open(pathOf(card), header)
    expect(text).toContain(`<html lang="${language}">`)
    expect(text).toContain(`<dt>${label}</dt>`)
    expect(text).toContain(date)
    expect(headers.get('vary')).toBe('Accept-Language')
  })

  it('a removed card and an unknown code are explained in the language of the phone', async () => {
    const card = await calls.create('eventCards')
    await calls.remove('eventCards', card.id)
    const removed = await open(pathOf(card), 'de')
    expect([removed.status, removed.headers.get('vary')]).toEqual([410, 'Accept-Language'])
    expect(removed.text).toContain('Der Aussteller hat diese Karte entfernt.')
    const unknown = await open(`/c/${shop.projectId}/${'x'.repeat(27)}`, 'es')
    expect([unknown.status, unknown.headers.get('vary')]).toEqual([404, 'Accept-Language'])
    expect(unknown.text).toContain('<html lang="es">')
    expect(unknown.text).toContain('Tarjeta no encontrada')
  })
})

describe('the calendar of an event card', () => {
  const evening = { startTime: '2090-07-01T18:00:00Z', endTime: '2090-07-01T20:30:00.5Z' }
  const getCalendar = async (card: { qrCodeUrl: string }) => await open(`${pathOf(card)}?calendar`)

  it('the calendar of an event card has its time in UTC and its texts, escaped and in short lines', async () => {
    const card = await calls.create('eventCards', {
      ...evening,
      name: `Café, bar; \\ ${'🎷é'.repeat(40)}`,
      applicableStores: ['Hauptstraße 1, Köln'],
      usageInstructions: 'Doors open at 19:30.\r\nBEGIN:VALARM\nEnd',
    })
    expect((await open(pathOf(card), 'de')).text).toContain('href="?calendar">Zum Kalender hinzufügen</a>')
    const { headers, text } = await getCalendar(card)
    expect(headers.get('content-type')).toBe('text/calendar; charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-store')
    const lines = text.split('\r\n')
    expect(lines.every((line) => Buffer.byteLength(line) <= 75 && !line.includes('\n'))).toBe(true)
    expect(lines.join('')).not.toContain('\uFFFD')
    const unfolded = text.replaceAll('\r\n ', '').split('\r\n')
    expect(unfolded).toEqual([
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Mintmark//Cards//EN',
      'BEGIN:VEVENT',
      expect.stringMatching(new RegExp(`^UID:card-${shop.projectId}-${card.id}@[\\w.]+$`)),
      expect.stringMatching(/^DTSTAMP:\d{8}T\d{6}Z$/),
      'DTSTART:20900701T180000Z',
      'DTEND:20900701T203000Z',
      `SUMMARY:Café\\, bar\\; \\\\ ${'🎷é'.repeat(40)}`,
      'LOCATION:Hauptstraße 1\\, Köln',
      'DESCRIPTION:Doors open at 19:30.\\nBEGIN:VALARM\\nEnd',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ])
    expect(text).not.toContain(codeOf(card))
  })

  it('cards of other programs, without the time of an event, and that cannot be used have no calendar', async () => {
    const removed = await calls.create('eventCards', evening)
    await calls.remove('eventCards', removed.id)
    const past = await calls.create('eventCards', evening)
    const ended = { start_time: new Date('2020-01-01'), validity_period: new Date('2020-01-02') }
    await calls.alter(past.id, ended)
    for (const card of [
      removed,
      past,
      await calls.create('eventCards', { ...evening, endTime: '2090-08-02T00:00:00Z' }),
      await calls.create('promoCodeCards', evening),
    ]) {
      const { text, headers } = await getCalendar(card)
      expect(headers.get('content-type')).toContain('text/html')
      expect(text).not.toContain('href="?calendar"')
    }
  })
})
