import { readFileSync } from 'node:fs'
import { promoCodeCards } from '@mintmark/cards'
import { NotFoundError } from '@mintmark/envelope'
import type { GatewayClient } from '@mintmark/transport'
import { Hono } from 'hono'
import { basicAuth } from 'hono/basic-auth'
import { html } from 'hono/html'
import { HTTPException } from 'hono/http-exception'
import { secureHeaders } from 'hono/secure-headers'
import * as v from 'valibot'

export interface CoffeeShopOptions {
  readonly gateway: GatewayClient
  /** The contract that the cards belong to. */
  readonly nftAddress: string
  /** The password of the staff, whose name is `staff`. */
  readonly staffPassword: string
}

/** A card has ten stamps, and one more use: the free coffee. */
const STAMPS = 10
const CARD_VALID_DAYS = 365
const DAY_MS = 86_400_000

/** What the staff read when a card is refused. */
const REFUSALS: Readonly<Record<string, string>> = {
  exhausted: 'This card is full',
  expired: 'This card has expired',
  removed: 'This card was removed',
  unknown: 'No card has this code',
}

const Scan = v.strictObject({
  /** What the camera read: the address of the card's page, or its code. */
  qrCode: v.pipe(v.string(), v.maxLength(500)),
  /** Identifies the scan, so that sending it again adds no second stamp. */
  nonce: v.pipe(v.string(), v.maxLength(100)),
})

const style = readFileSync(new URL('style.css', import.meta.url), 'utf8')
const scanner = readFileSync(new URL('scanner.js', import.meta.url), 'utf8')

function page(title: string, body: ReturnType<typeof html>) {
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <link rel="stylesheet" href="/style.css">
  </head>
  <body><main>${body}</main></body>
</html>`
}

/** Creates the shop's web application: customers get stamp cards, and staff scan them. */
export function createCoffeeShop({ gateway, nftAddress, staffPassword }: CoffeeShopOptions): Hono {
  const app = new Hono()
  app.use(secureHeaders({ contentSecurityPolicy: { defaultSrc: ["'self'"], imgSrc: ['*', 'data:'] } }))
  app.get('/style.css', (c) => c.body(style, 200, { 'content-type': 'text/css' }))
  app.get('/scanner.js', (c) => c.body(scanner, 200, { 'content-type': 'text/javascript' }))

  app.get('/', (c) =>
    c.html(
      page(
        'Stamp card',
        html`<h1>${STAMPS} coffees, and one is on us</h1>
          <p>Show your card whenever you buy a coffee.</p>
          <form method="post" action="/cards"><button>Get a card</button></form>`,
      ),
    ),
  )

  app.post('/cards', async (c) => {
    const now = Date.now()
    const card = await promoCodeCards.create(
      gateway,
      {
        name: 'Stamp card',
        nftAddress,
        startTime: new Date(now).toISOString(),
        endTime: new Date(now + CARD_VALID_DAYS * DAY_MS).toISOString(),
        totalIssued: STAMPS + 1,
      },
      { idempotencyKey: 'auto' },
    )
    return c.redirect(`/cards/${getCode(card.qrCodeUrl)}`, 303)
  })

  app.get('/cards/:code', async (c) => {
    const card = await promoCodeCards.getByQrCode(gateway, { qrCode: c.req.param('code') })
    const stamps = Math.min(card.usedCount, STAMPS)
    const text =
      card.usedCount > STAMPS
        ? 'You have had your free coffee.'
        : stamps === STAMPS
          ? 'Your next coffee is free!'
          : `${stamps} of ${STAMPS} stamps`
    return c.html(
      page(
        'Your stamp card',
        html`<h1>${text}</h1>
          <p class="stamps" aria-hidden="true">${'●'.repeat(stamps)}${'○'.repeat(STAMPS - stamps)}</p>
          <img src="${card.qrCodeUrl}" alt="Your card's QR code" width="280" height="280">`,
      ),
    )
  })

  const staffOnly = basicAuth({ username: 'staff', password: staffPassword })
  app.get('/staff', staffOnly, (c) =>
    c.html(
      page(
        'Scan a card',
        html`<h1>Scan a card</h1>
          <video id="video" muted playsinline hidden></video>
          <form id="form">
            <label for="code">Code</label>
            <input id="code" autocomplete="off" required>
            <button>Stamp</button>
          </form>
          <p id="outcome" role="status"></p>
          <p id="waiting"></p>
          <script src="/scanner.js"></script>`,
      ),
    ),
  )

  app.post('/stamps', staffOnly, async (c) => {
    const scan = v.safeParse(Scan, await c.req.json().catch(() => undefined))
    if (!scan.success) return c.json({ ok: false, text: 'Not a scan' }, 400)
    return c.json(await stamp(gateway, scan.output))
  })

  app.onError((error, c) => {
    // Such as 401 without the password.
    if (error instanceof HTTPException) return error.getResponse()
    if (error instanceof NotFoundError)
      return c.html(page('Unknown card', html`<h1>No card has this code</h1>`), 404)
    console.error(error.message)
    return c.html(page('Sorry', html`<h1>Something is broken. Please try again.</h1>`), 500)
  })
  return app
}

/** Adds a stamp, or gives the free coffee. Idempotent: a scan that is sent again returns the same result. */
async function stamp(gateway: GatewayClient, scan: v.InferOutput<typeof Scan>) {
  const { result, reason, usedCount } = await promoCodeCards.createVerification(gateway, {
    ...scan,
    action: 'REDEEM',
    store: 'Corner',
    verifier: 'staff',
  })
  if (result !== 'OK') return { ok: false, text: REFUSALS[reason] ?? `Refused: ${reason}` }
  return { ok: true, text: usedCount > STAMPS ? 'This coffee is free' : `Stamp ${usedCount} of ${STAMPS}` }
}

/** The code of a card, which its QR code contains. */
function getCode(qrCodeUrl: string): string {
  const code = /([\w-]+)\.svg$/.exec(qrCodeUrl)?.[1]
  if (code === undefined) throw new Error('The gateway returned a card without a QR code')
  return code
}
