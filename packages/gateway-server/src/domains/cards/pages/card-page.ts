import { createHash } from 'node:crypto'
import { html, raw } from 'hono/html'
import type { Card, CardWithStatus } from '../programs/cards-store.ts'
import type { Settings } from '../settings/settings-store.ts'
import { createAccentStyle } from './accent-style.ts'
import { hasCalendar } from './event-calendar.ts'
import type { PageTexts } from './page-texts.ts'
import { getShownStatus, type ShownStatus } from './shown-status.ts'

const TONES: Readonly<Record<ShownStatus, string>> = {
  NOT_YET_VALID: 'wait',
  ACTIVE: 'good',
  EXHAUSTED: 'done',
  CHECKED_IN: 'done',
  EXPIRED: 'over',
  REMOVED: 'over',
  PAUSED: 'wait',
  ENDED: 'over',
}

const style = `
:root { color-scheme: light dark; --page: #eef0f3; --card: #fff; --text: #16191d; --soft: #59616b; --line: #e2e5e9;
  --good: #0b6b3a; --good-bg: #dff3e6; --wait: #7a4b00; --wait-bg: #fdeccb; --over: #8a1c1c; --over-bg: #fbe0e0; --done: #2b4a7a; --done-bg: #e1eaf8; }
@media (prefers-color-scheme: dark) { :root { --page: #101215; --card: #1b1e23; --text: #f0f2f4; --soft: #a4acb6; --line: #31363d;
  --good: #7fe0a7; --good-bg: #123523; --wait: #ffcf7a; --wait-bg: #3a2a0a; --over: #ffa8a8; --over-bg: #3d1818; --done: #a9c8ff; --done-bg: #18294a; } }
* { box-sizing: border-box; margin: 0; }
body { background: var(--page); color: var(--text); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  padding: 16px; padding: max(16px, env(safe-area-inset-top)) 16px 32px; }
main { background: var(--card); border: 1px solid var(--line); border-radius: 20px; max-width: 30rem; margin: 0 auto; overflow: hidden; }
.brand { display: flex; gap: 12px; align-items: center; padding: 12px 20px; overflow-wrap: anywhere; font-weight: 600;
  background: var(--accent, var(--card)); color: var(--on-accent, var(--text)); border-bottom: 1px solid var(--line); }
.brand:empty { padding: 4px; }
.brand img { height: 40px; max-width: 50%; object-fit: contain; border-radius: 6px; flex: none; }
.cover { display: block; width: 100%; height: 9rem; object-fit: cover; background: var(--line); }
.in { padding: 20px; }
header { display: flex; gap: 14px; align-items: center; margin-bottom: 16px; }
.logo { width: 56px; height: 56px; border-radius: 12px; object-fit: cover; flex: none; background: var(--line); }
.kind { color: var(--soft); font-size: .875rem; }
h1 { font-size: 1.375rem; line-height: 1.25; overflow-wrap: anywhere; }
.status { border-radius: 12px; padding: 10px 14px; }
.status b { display: block; font-size: 1.0625rem; }
.status.good { color: var(--good); background: var(--good-bg); }
.status.wait { color: var(--wait); background: var(--wait-bg); }
.status.done { color: var(--done); background: var(--done-bg); }
.status.over { color: var(--over); background: var(--over-bg); }
.qr { display: block; width: 13rem; height: 13rem; margin: 20px auto 0; border-radius: 12px; background: #fff; }
.picture { display: block; width: 100%; max-height: 22rem; object-fit: contain; margin-top: 16px; border-radius: 12px; background: var(--line); }
.calendar { display: block; margin-top: 16px; padding: 12px; border: 1px solid var(--line); border-radius: 12px; text-align: center;
  font-weight: 600; text-decoration: none; background: var(--accent, var(--card)); color: var(--on-accent, var(--text)); }
dl { margin-top: 12px; }
dl div { padding: 10px 0; border-top: 1px solid var(--line); }
dl div:first-child { border-top: 0; }
dt { color: var(--soft); font-size: .875rem; }
dd { overflow-wrap: anywhere; white-space: pre-line; }
ul { list-style: none; padding: 0; }
`

type Html = ReturnType<typeof html>

/** A page with its headers. */
export interface Page {
  readonly content: Html
  readonly headers: Readonly<Record<string, string>>
}

interface PageParts {
  readonly title: string
  readonly texts: PageTexts
  /** What a shop adds to the style; `''` for nothing. */
  readonly accentStyle?: string
  readonly body: Html
}

/**
 * Forbids scripts and requests, except for the creator's images over TLS, which do not receive the page's
 * address.
 */
function createHeaders(styles: readonly string[]): Page['headers'] {
  const hashes = styles.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`)
  return {
    'content-security-policy': [
      "default-src 'none'",
      `style-src ${hashes.join(' ')}`,
      "img-src 'self' https: data:",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    vary: 'Accept-Language',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex',
  }
}

function renderPage({ title, texts, accentStyle = '', body }: PageParts): Page {
  const styles = [style, accentStyle].filter((text) => text !== '')
  return {
    headers: createHeaders(styles),
    content: html`<!doctype html>
<html lang="${texts.language}"><head><meta charset="utf-8"><title>${title}</title><link rel="icon" href="data:,">
<meta name="viewport" content="width=device-width, initial-scale=1">${styles.map((text) => html`<style>${raw(text)}</style>`)}</head>
<body><main>${body}</main></body></html>`,
  }
}

/** Returns an image of the creator, if its address is one that browsers load: https, or this server's. */
function renderImage(url: string, kind: string, publicUrl: string): Html | '' {
  const isSecure = URL.canParse(url) && new URL(url).protocol === 'https:'
  return isSecure || url.startsWith(`${publicUrl}/media/`)
    ? html`<img class="${kind}" src="${url}" alt="" referrerpolicy="no-referrer">`
    : ''
}

/** Renders the head of a shop that has set its name, its logo or its color. */
function renderBrand({ shop_name, logo_url, accent_color }: Settings, publicUrl: string): Html | '' {
  if (shop_name === '' && logo_url === '' && accent_color === '') return ''
  const name = shop_name === '' ? '' : html`<span>${shop_name}</span>`
  return html`<div class="brand">${renderImage(logo_url, 'shop', publicUrl)}${name}</div>`
}

function renderFact(name: string, value: Html | string | number): Html | '' {
  return value === '' ? '' : html`<div><dt>${name}</dt><dd>${value}</dd></div>`
}

function renderList(items: readonly string[]): Html | '' {
  return items.length === 0 ? '' : html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`
}

function renderUses(card: Card, texts: PageTexts): Html | '' {
  if (card.program === 'event')
    return renderFact(texts.admission, card.is_checked_in ? texts.checkedIn : texts.notCheckedIn)
  if (card.program !== 'promo_code') return ''
  const left = card.total_issued - card.used_count
  return renderFact(texts.usesLeft, texts.formatUses(left, card.total_issued))
}

/** Creates a function that renders a time with its time zone. */
function createTimeRenderer(locale: string, timeZone: string): (time: Date) => Html {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone })
  const zone = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'short' })
  return (time) => {
    const zoneName = zone.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? timeZone
    return html`<time datetime="${time.toISOString()}">${format.format(time)} ${zoneName}</time>`
  }
}

/** What is needed to show a card: the settings of its shop, the language, and the server. */
export interface CardPageView {
  readonly settings: Settings
  readonly texts: PageTexts
  readonly timeZone: string
  readonly publicUrl: string
}

function renderDetails(card: CardWithStatus, { texts, timeZone }: CardPageView): Html {
  const renderTime = createTimeRenderer(texts.locale, timeZone)
  const amount = card.program === 'commemorative' && Number(card.amount) !== 0 ? card.amount : ''
  const stores = card.applicable_stores
  return html`
<img class="qr" src="../../qr/${card.project_id}/${card.qr_code}.svg" alt="${texts.qrCode}">
${hasCalendar(card) ? html`<a class="calendar" href="?calendar">${texts.addToCalendar}</a>` : ''}
<dl>
${renderUses(card, texts)}
${renderFact(texts.level, card.level)}
${renderFact(texts.amount, amount)}
${renderFact(texts.benefits, renderList(card.benefits))}
${renderFact(texts.validFrom, renderTime(card.start_time))}
${renderFact(texts.validUntil, renderTime(card.validity_period))}
${renderFact(stores.length === 1 ? texts.store : texts.stores, stores.length === 0 ? texts.allStores : renderList(stores))}
${renderFact(texts.usage, card.usage_instructions)}
</dl>`
}

/** Renders the page that a card's QR code opens: the shop, the card and its present status. */
export function renderCardPage(card: CardWithStatus, view: CardPageView): Page {
  const { settings, texts, publicUrl } = view
  const removed = card.status === 'REMOVED'
  const shown = getShownStatus(card)
  const [label, note] = texts.statuses[shown]
  return renderPage({
    title: settings.shop_name === '' ? card.name : `${card.name} · ${settings.shop_name}`,
    texts,
    accentStyle: createAccentStyle(settings.accent_color),
    body: html`${renderBrand(settings, publicUrl)}${removed ? '' : renderImage(card.background_image_url, 'cover', publicUrl)}<div class="in">
<header>${removed ? '' : renderImage(card.logo_url, 'logo', publicUrl)}<div><p class="kind">${texts.programs[card.program]}</p><h1>${card.name}</h1></div></header>
<p class="status ${TONES[shown]}"><b>${label}</b>${note}</p>
${removed ? '' : renderImage(card.image_url, 'picture', publicUrl)}${removed ? '' : renderDetails(card, view)}
</div>`,
  })
}

/** Renders the page of an unknown code. It shows no shop, so that nobody learns which projects exist. */
export function renderNoCardPage(texts: PageTexts): Page {
  const { title, label, note } = texts.noCard
  return renderPage({
    title,
    texts,
    body: html`<div class="in"><header><h1>${title}</h1></header>
<p class="status over"><b>${label}</b>${note}</p></div>`,
  })
}
