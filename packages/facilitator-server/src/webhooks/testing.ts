import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import {
  createLog,
  createMetrics,
  createSealer,
  createSecretKey,
  type Database,
  HttpError,
  type Logger,
  openDatabase,
  type Sealer,
  serveOperations,
  transaction,
} from '@mintmark/server-kit'
import { createFacilitator, type FacilitatorClient } from '@mintmark/transport'
import { Hono } from 'hono'
import { sql } from 'kysely'
import { facilitatorSchema } from '../database/schema.ts'
import type { Tables } from '../database/tables.ts'
import { type EventType, type NewEvent, recordEvents } from '../events/record-event.ts'
import type { Account } from '../http/context/authentication.ts'
import type { FacilitatorContext } from '../http/context/context.ts'
import { nativeResponses } from '../http/native/native-responses.ts'
import { createAccount } from '../ledger/accounts/accounts.ts'
import { createFacilitatorDatabase } from '../testing-database.ts'
import { createWebhooks, type WebhookOptions, type Webhooks } from './index.ts'
import { quick } from './testing-times.ts'

/** An event as it was recorded. */
export interface RecordedEvent extends NewEvent {
  readonly id: number
  readonly sequence: number
  readonly occurredAt: Date
}

/** A facilitator's webhooks on a database of their own. */
export interface TestWebhooks {
  readonly url: string
  readonly secretKeys: string
  readonly database: Database<Tables>
  readonly sealer: Sealer
  /** Other webhooks on the same database, as another process has them. */
  another(options?: Partial<WebhookOptions>): Webhooks
  /** A new account, and its client of the operations of some webhooks. */
  account(webhooks: Webhooks): Promise<{ account: Account; client: FacilitatorClient }>
  /** Records events of an account in a transaction, as the reported work does. */
  record(webhooks: Webhooks, account: Account, ...types: EventType[]): Promise<RecordedEvent[]>
  /** Ends it all. @throws where something was logged as wrong. */
  close(): Promise<void>
}

export async function testWebhooks(): Promise<TestWebhooks> {
  const { url, drop } = await createFacilitatorDatabase()
  const database = openDatabase<Tables>({ url, role: facilitatorSchema.role })
  const db = database.system
  const secretKeys = createSecretKey()
  const sealer = createSealer(secretKeys)
  const accounts = new Map<string, Account>()
  const made: Webhooks[] = []
  const complaints: string[] = []
  const log: Logger = createLog('test', 'error', { write: (line) => complaints.push(line) })
  return {
    url,
    secretKeys,
    database,
    sealer,
    another(options = {}) {
      const webhooks = createWebhooks({ database, sealer, log, ...quick, ...options })
      made.push(webhooks)
      return webhooks
    },
    async account({ routes }) {
      const { id, payer } = await createAccount(db, { payer: `0x${randomBytes(20).toString('hex')}` })
      const account = { id, payer, keyId: id }
      const token = randomBytes(16).toString('hex')
      accounts.set(`Bearer ${token}`, account)
      const app = new Hono()
      serveOperations<Account, FacilitatorContext>(app, {
        routes,
        format: nativeResponses,
        log,
        metrics: createMetrics('test', log),
        async authenticate(call) {
          const caller = accounts.get(call.header('authorization') ?? '')
          if (caller === undefined) throw new HttpError(401, 'Unauthorized')
          return caller
        },
        run: async ({ caller: account, requestId, getSignal, onUndelivered }, handle, { headers }) => {
          const unused = { remoteAddress: undefined, idempotencyKey: undefined }
          const request = { requestId, headers, repeatsSuccess: false, getSignal, onUndelivered }
          return { data: await handle({ db, account, ...unused, ...request }) }
        },
      })
      const client = createFacilitator({
        baseUrl: 'http://facilitator.test',
        credentials: { token },
        fetch: async (request, init) => app.fetch(new Request(request, init)),
      })
      return { account, client }
    },
    async record({ enqueue }, account, ...types) {
      const data = { payer: account.payer, orderNo: 'M1', amount: '10000' }
      const subject = `payer:${account.payer}`
      const events = types.map((type) => ({ subject, type, account: account.id, data }))
      return await transaction(db, async (trx) => {
        const ids = await recordEvents(trx, events, enqueue)
        const { rows } = await sql<RecordedEvent>`
          select id, subject, sequence, type, account_id as account, data, occurred_at as "occurredAt"
          from facilitator.events where id = any (${ids}::bigint[]) order by id`.execute(trx)
        return rows
      })
    },
    async close() {
      await Promise.all(made.map((webhooks) => webhooks.stop()))
      await database.close()
      await drop()
      if (complaints.length > 0) throw new Error(`the log complains: ${complaints.join('')}`)
    },
  }
}

/** Waits until a condition is true. The time limit of the test is the only limit. */
export async function until(so: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await so())) await pause(10)
}
