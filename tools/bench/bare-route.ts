// What a gateway would be with nothing in it: one Hono route, one prepared read of the row, no key, no check, no log.
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import pg from 'pg'

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
// The same name and text that prom-client has for it: what this process has cost so far.
app.get('/metrics', (context) => {
  const { user, system } = process.cpuUsage()
  return context.text(`process_cpu_seconds_total ${(user + system) / 1e6}\n`)
})
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => process.send?.(port))
process.on('disconnect', () => process.exit())
process.on('SIGTERM', () => process.exit())
