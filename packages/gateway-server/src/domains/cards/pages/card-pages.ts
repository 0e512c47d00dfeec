import type { Hono } from 'hono'
import QRCode from 'qrcode'
import type { Tenant } from '../../../tenant.ts'
import { cardPageUrl } from '../programs/card-rules.ts'
import { findWithStatus, hasQrCode } from '../programs/cards-store.ts'
import { CARD_PAGE_HEADERS, renderCardPage, renderNoCardPage } from './card-page.ts'

/**
 * Serves the page of each card, which a phone opens when it scans the QR code. The code in the address is the
 * permission to see it.
 */
export function addCardPages(app: Hono, timeZone: string, openProject: (project: number) => Tenant): void {
  app.get('/c/:project{[1-9][0-9]{0,14}}/:code{[\\w-]{27}}', async (context) => {
    const project = Number(context.req.param('project'))
    const card = await findWithStatus(openProject(project), context.req.param('code'))
    if (card === undefined) return context.html(renderNoCardPage(), 404, CARD_PAGE_HEADERS)
    return context.html(
      renderCardPage(card, timeZone),
      card.status === 'REMOVED' ? 410 : 200,
      CARD_PAGE_HEADERS,
    )
  })
}

/**
 * Serves the QR image of a card whose creator supplied none: it contains the address of the card's page. The
 * code in the address is the permission to see it.
 */
export function addQrImages(app: Hono, publicUrl: string, openProject: (project: number) => Tenant): void {
  app.get('/qr/:project{[1-9][0-9]{0,14}}/:file{[\\w-]{27}\\.svg}', async (context) => {
    const project = Number(context.req.param('project'))
    const code = context.req.param('file').slice(0, -'.svg'.length)
    if (!(await hasQrCode(openProject(project), code))) return context.text('No such card', 404)
    const url = cardPageUrl({ project_id: project, qr_code: code }, publicUrl)
    const svg = await QRCode.toString(url, { type: 'svg', errorCorrectionLevel: 'M', margin: 4 })
    return context.body(svg, 200, {
      'content-type': 'image/svg+xml',
      'cache-control': 'private, max-age=86400',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      'x-content-type-options': 'nosniff',
    })
  })
}
