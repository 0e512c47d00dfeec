// What a gateway would be with nothing in it: one Hono route, one prepared read of the row, no key, no check,
// no log.
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import pg from 'pg'
import { getCpuSeconds, serveParent } from './serve-parent.ts'

const [, , url = '', project = ''] = process.argv
const pool = new pg.Pool({ connectionString: url, max: 10 })
const text = `select address, background, description, email, name, profile_photo as "profilePhoto",
  showcase_background as "showcaseBackground" from gateway.wallet_info where project_id = $1 and address = $2`

const app = new Hono()
app.get('/api/v1/wallet/walletInfo', async (context) => {
  const address = (context.req.query('address') ?? '').toLowerCase()
  const { rows } = await pool.query({ name: 'wallet-info', text, values: [Number(project), address] })
  return context.json({ code: 200, data: rows[0], msg: 'success', success: true })
})
// The same name and text that prom-client has for it.
app.get('/metrics', (context) => context.text(`process_cpu_seconds_total ${getCpuSeconds()}\n`))
serveParent(getRequestListener(app.fetch))
