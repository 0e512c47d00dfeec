import type { Hono } from 'hono'
import type { Db } from '../../../context.ts'
import { findWithStatus } from '../programs/cards-store.ts'
import { CARD_PAGE_HEADERS, cardPage, noCardPage } from './card-page.ts'

/** Serves the page of each card, for whoever scans its QR code with a phone. The code in the address is what entitles. */
export function addCardPages(app: Hono, timeZone: string, dbOf: (project: number) => Db): void {
  app.get('/c/:project{[1-9][0-9]{0,14}}/:code{[\\w-]{27}}', async (context) => {
    const project = Number(context.req.param('project'))
    const card = await findWithStatus(dbOf(project), project, context.req.param('code'))
    if (card === undefined) return context.html(noCardPage(), 404, CARD_PAGE_HEADERS)
    return context.html(cardPage(card, timeZone), card.status === 'REMOVED' ? 410 : 200, CARD_PAGE_HEADERS)
  })
}
