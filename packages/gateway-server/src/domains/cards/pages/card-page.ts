import { createHash } from 'node:crypto'
import { html, raw } from 'hono/html'
import type { CardStatus } from '../programs/card-status.ts'
import type { Card, CardWithStatus } from '../programs/cards-store.ts'

/** The label of each status, its color and its explanation. */
const STATUS_TEXTS: Readonly<Record<CardStatus, readonly [label: string, tone: string, note: string]>> = {
  NOT_YET_VALID: ['Not yet valid', 'wait', 'This card cannot be used yet.'],
  ACTIVE: ['Active', 'good', 'This card is valid now.'],
  EXHAUSTED: ['Used up', 'done', 'This card has no uses left.'],
  EXPIRED: ['Expired', 'over', 'This card can no longer be used.'],
  REMOVED: ['Removed', 'over', 'The issuer has removed this card.'],
}

/** What a card shows that could be used now or later if its campaign were active. */
const CAMPAIGN_TEXTS: Readonly<Record<string, (typeof STATUS_TEXTS)[CardStatus]>> = {
  PAUSED: ['Paused', 'wait', 'This card cannot be used at the moment.'],
  ENDED: ['Ended', 'over', 'This card can no longer be used.'],
}

/** Returns the label of a card's status, its color and its explanation. */
function describeStatus({ status, campaign_status, is_checked_in }: CardWithStatus) {
  if (is_checked_in && status === 'EXHAUSTED')
    return ['Checked in', 'done', 'This card is already checked in.'] as const
  const isUsable = status === 'ACTIVE' || status === 'NOT_YET_VALID'
  return (isUsable && CAMPAIGN_TEXTS[campaign_status ?? '']) || STATUS_TEXTS[status]
}

const PROGRAMS: Readonly<Record<Card['program'], string>> = {
  promo_code: 'Promo code card',
  event: 'Event card',
  commemorative: 'Commemorative card',
  membership: 'Membership card',
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
dl { margin-top: 12px; }
dl div { padding: 10px 0; border-top: 1px solid var(--line); }
dl div:first-child { border-top: 0; }
dt { color: var(--soft); font-size: .875rem; }
dd { overflow-wrap: anywhere; white-space: pre-line; }
ul { list-style: none; padding: 0; }
`

/**
 * Forbids scripts and requests, except for the creator's images over TLS, which do not receive the page's
 * address.
 */
export const CARD_PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "img-src 'self' https: data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
}

type Html = ReturnType<typeof html>

function renderPage(title: string, body: Html): Html {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title><link rel="icon" href="data:,">
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${raw(style)}</style></head>
<body><main>${body}</main></body></html>`
}

/** Returns an image of the creator, if its address is one that browsers load: https, or this server's. */
function renderImage(url: string, kind: string, publicUrl: string): Html | '' {
  const isSecure = URL.canParse(url) && new URL(url).protocol === 'https:'
  return isSecure || url.startsWith(`${publicUrl}/media/`)
    ? html`<img class="${kind}" src="${url}" alt="" referrerpolicy="no-referrer">`
    : ''
}

function renderFact(name: string, value: Html | string | number): Html | '' {
  return value === '' ? '' : html`<div><dt>${name}</dt><dd>${value}</dd></div>`
}

function renderList(items: readonly string[]): Html | '' {
  return items.length === 0 ? '' : html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`
}

function renderUses(card: Card): Html | '' {
  if (card.program === 'event')
    return renderFact('Admission', card.is_checked_in ? 'Checked in' : 'Not checked in yet')
  if (card.program !== 'promo_code') return ''
  const left = card.total_issued - card.used_count
  return renderFact('Uses left', `${left} of ${card.total_issued}`)
}

/** Renders the page that a card's QR code opens: the card and its present status. */
export function renderCardPage(
  card: CardWithStatus,
  { timeZone, publicUrl }: { readonly timeZone: string; readonly publicUrl: string },
): Html {
  const format = new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone,
  })
  const zone = new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'short' })
  const renderTime = (time: Date) => {
    const zoneName = zone.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? timeZone
    return html`<time datetime="${time.toISOString()}">${format.format(time)} ${zoneName}</time>`
  }
  const [label, tone, note] = describeStatus(card)
  const removed = card.status === 'REMOVED'
  const amount = card.program === 'commemorative' && Number(card.amount) !== 0 ? card.amount : ''
  const stores = card.applicable_stores
  const details = removed
    ? ''
    : html`
<img class="qr" src="../../qr/${card.project_id}/${card.qr_code}.svg" alt="The card's QR code">
<dl>
${renderUses(card)}
${renderFact('Level', card.level)}
${renderFact('Amount', amount)}
${renderFact('Benefits', renderList(card.benefits))}
${renderFact('Valid from', renderTime(card.start_time))}
${renderFact('Valid until', renderTime(card.validity_period))}
${renderFact(stores.length === 1 ? 'Store' : 'Stores', stores.length === 0 ? 'All stores' : renderList(stores))}
${renderFact('How to use it', card.usage_instructions)}
</dl>`
  return renderPage(
    `${card.name} – ${label}`,
    html`${removed ? '' : renderImage(card.background_image_url, 'cover', publicUrl)}<div class="in">
<header>${removed ? '' : renderImage(card.logo_url, 'logo', publicUrl)}<div><p class="kind">${PROGRAMS[card.program]}</p><h1>${card.name}</h1></div></header>
<p class="status ${tone}"><b>${label}</b>${note}</p>
${removed ? '' : renderImage(card.image_url, 'picture', publicUrl)}${details}
</div>`,
  )
}

/** Renders the page of an unknown code. */
export function renderNoCardPage(): Html {
  return renderPage(
    'Card not found',
    html`<div class="in"><header><h1>Card not found</h1></header>
<p class="status over"><b>Unknown code</b>The address may be incomplete. Scan the code again.</p></div>`,
  )
}
