import { createFailedAttemptLimiter, FAILED_ATTEMPT_LIMIT, readRemoteAddress } from '@mintmark/server-kit'
import type { Context, Hono } from 'hono'
import QRCode from 'qrcode'
import type { Tenant } from '../../../database/tenant.ts'
import { cardPageUrl } from '../programs/card-rules.ts'
import { findWithStatus, hasQrCode } from '../programs/cards-store.ts'
import { getSettings } from '../settings/settings-store.ts'
import { renderCardPage, renderNoCardPage } from './card-page.ts'
import { formatCalendar, hasCalendar } from './event-calendar.ts'
import { choosePageTexts } from './page-texts.ts'

export interface CardPageOptions {
  /** The time zone of the times on pages. */
  readonly timeZone: string
  readonly publicUrl: string
  readonly trustedProxyHops: number
  readonly now?: (() => number) | undefined
  /** Returns undefined for a project that does not exist. */
  findProject(project: number): Promise<Tenant | undefined>
}

const CALENDAR_HEADERS = {
  'content-type': 'text/calendar; charset=utf-8',
  'content-disposition': 'inline; filename="event.ics"',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
}

/** Finds a card with what its page shows of the shop. */
async function findCardAndSettings(tenant: Tenant, code: string) {
  const card = await findWithStatus(tenant, code)
  return card && { card, settings: await getSettings(tenant) }
}

/** Lists the ways in which people type an address: in upper case, and with a slash at its end. */
function listPaths(prefix: string, rest: string): string[] {
  return [prefix, prefix.toUpperCase()].flatMap((each) => [each + rest, `${each}${rest}/`])
}

/**
 * Serves the page of each card, which a phone opens when it scans the QR code, in the language of the phone, and
 * the event of an event card for calendars (`?calendar`). Serves the QR image of a card whose creator supplied
 * none: it contains the address of the page. The code in the address is the permission to see them. A client that
 * guesses too many codes is refused with 429.
 */
export function addCardPages(app: Hono, options: CardPageOptions): void {
  const { timeZone, publicUrl, trustedProxyHops, findProject, now } = options
  const beginAttempt = createFailedAttemptLimiter(FAILED_ATTEMPT_LIMIT, now)

  /** Looks up what a code in the address of a request permits to see. */
  async function findByCode<Found>(
    context: Context,
    { project, code }: { readonly project: number; readonly code: string },
    find: (tenant: Tenant, code: string) => Promise<Found | undefined>,
  ): Promise<Found | undefined> {
    const attempt = beginAttempt(readRemoteAddress(context, trustedProxyHops), `${project}/${code}`)
    const tenant = await findProject(project)
    const found = tenant && (await find(tenant, code))
    if (found === undefined) attempt.fail()
    else attempt.succeed()
    return found
  }

  app.on(
    'GET',
    listPaths('/qr/', ':project{[1-9][0-9]{0,14}}/:file{[\\w-]{27}\\.(?:svg|SVG)}'),
    async (context) => {
      const project = Number(context.req.param('project'))
      const code = (context.req.param('file') ?? '').slice(0, -'.svg'.length)
      const find = async (tenant: Tenant) => (await hasQrCode(tenant, code)) || undefined
      if ((await findByCode(context, { project, code }, find)) === undefined)
        return context.text('No such card', 404)
      const url = cardPageUrl({ project_id: project, qr_code: code }, publicUrl)
      const svg = await QRCode.toString(url, { type: 'svg', errorCorrectionLevel: 'M', margin: 4 })
      return context.body(svg, 200, {
        'content-type': 'image/svg+xml',
        'cache-control': 'private, max-age=86400',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
        'x-content-type-options': 'nosniff',
      })
    },
  )
  app.on('GET', listPaths('/c/', ':project{[1-9][0-9]{0,14}}/:code{[\\w-]{27}}'), async (context) => {
    const project = Number(context.req.param('project'))
    const code = context.req.param('code') ?? ''
    // The addresses in the page are relative to that without a slash at its end.
    if (context.req.path.endsWith('/'))
      return context.redirect(`../${code}${new URL(context.req.url).search}`)
    const texts = choosePageTexts(context.req.header('accept-language'))
    const found = await findByCode(context, { project, code }, findCardAndSettings)
    if (found === undefined) {
      const { content, headers } = renderNoCardPage(texts)
      return context.html(content, 404, headers)
    }
    const { card, settings } = found
    if (context.req.query('calendar') !== undefined && hasCalendar(card))
      return context.body(formatCalendar(card, publicUrl), 200, CALENDAR_HEADERS)
    const { content, headers } = renderCardPage(card, { settings, texts, timeZone, publicUrl })
    return context.html(content, card.status === 'REMOVED' ? 410 : 200, headers)
  })
}
