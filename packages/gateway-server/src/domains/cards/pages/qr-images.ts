import type { Hono } from 'hono'
import QRCode from 'qrcode'
import type { Db } from '../../../context.ts'
import { cardPageUrlOf } from '../programs/card-rules.ts'
import { hasQrCode } from '../programs/cards-store.ts'

/**
 * Serves the QR picture of a card that has none of its creator's own: a scanner's phone opens the card's page. The code in the address is
 * what entitles.
 */
export function addQrPictures(app: Hono, publicUrl: string, dbOf: (project: number) => Db): void {
  app.get('/qr/:project{[1-9][0-9]{0,14}}/:file{[\\w-]{27}\\.svg}', async (context) => {
    const project = Number(context.req.param('project'))
    const code = context.req.param('file').slice(0, -'.svg'.length)
    if (!(await hasQrCode(dbOf(project), project, code))) return context.text('There is no such card', 404)
    const url = cardPageUrlOf({ project_id: project, qr_code: code }, publicUrl)
    const svg = await QRCode.toString(url, { type: 'svg', errorCorrectionLevel: 'M', margin: 4 })
    return context.body(svg, 200, {
      'content-type': 'image/svg+xml',
      'cache-control': 'private, max-age=86400',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      'x-content-type-options': 'nosniff',
    })
  })
}
