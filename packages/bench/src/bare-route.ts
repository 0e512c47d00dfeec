// What a gateway would be with nothing in it: a Hono route with one prepared read of the row, and one with the
// prepared inserts of a card and its event in a transaction. No key, no check, no trigger, no log.
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import pg from 'pg'
import { getCpuSeconds, serveParent } from './serve-parent.ts'

const [, , url = '', project = ''] = process.argv
const pool = new pg.Pool({ connectionString: url, max: 10 })
const text = `select address, background, description, email, name, profile_photo as "profilePhoto",
  showcase_background as "showcaseBackground" from gateway.wallet_info where project_id = $1 and address = $2`
const INSERT_CARD = `insert into bench.cards
  (project_id, program, qr_code, name, nft_address, start_time, end_time, validity_period, total_issued)
  values ($1, 'promo_code', gen_random_uuid()::text, $2, $3, $4, $5, $5, $6) returning *`
const INSERT_EVENT = `insert into bench.events (project_id, type, data) values ($1, 'card.created', $2)`

const app = new Hono()
app.get('/api/v1/wallet/walletInfo', async (context) => {
  const address = (context.req.query('address') ?? '').toLowerCase()
  const { rows } = await pool.query({ name: 'wallet-info', text, values: [Number(project), address] })
  return context.json({ code: 200, data: rows[0], msg: 'success', success: true })
})
app.post('/create', async (context) => {
  const { name, nftAddress, startTime, endTime, totalIssued } = await context.req.json()
  const values = [Number(project), name, nftAddress, startTime, endTime, totalIssued]
  const client = await pool.connect()
  try {
    await client.query('begin')
    const { rows } = await client.query({ name: 'insert-card', text: INSERT_CARD, values })
    await client.query({ name: 'insert-event', text: INSERT_EVENT, values: [Number(project), rows[0]] })
    await client.query('commit')
    return context.json({ code: 200, data: rows[0], msg: 'success', success: true })
  } finally {
    client.release()
  }
})
// The same name and text that prom-client has for it.
app.get('/metrics', (context) => context.text(`process_cpu_seconds_total ${getCpuSeconds()}\n`))
serveParent(getRequestListener(app.fetch))
