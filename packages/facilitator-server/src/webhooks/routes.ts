import { NotFoundError } from '@mintmark/envelope'
import {
  type Delivery,
  type EventType,
  TOO_MANY_WEBHOOKS,
  WEBHOOK_URL_REFUSED,
  type Webhook,
} from '@mintmark/facilitator'
import * as operations from '@mintmark/facilitator/webhooks'
import {
  findPage,
  type Refuse,
  type Route,
  readPageQuery,
  type Sealer,
  toPage,
  transaction,
} from '@mintmark/server-kit'
import type { PgBoss } from 'pg-boss'
import { type FacilitatorContext, implement, requireAccount } from '../context.ts'
import { type DeliveryRow, restartDelivery } from './delivery-store.ts'
import { checkDestination, DestinationRefusedError, type DestinationRules } from './destination.ts'
import { eventTypes, isEventType } from './event-types.ts'
import { type JobTimes, planAttempts } from './jobs.ts'
import {
  addWebhook,
  changeWebhook,
  findWebhook,
  listWebhooks,
  MAX_WEBHOOKS_PER_ACCOUNT,
  removeWebhook,
  type WebhookRow,
  type WebhookTerms,
} from './webhook-store.ts'

export interface WebhookRouteOptions {
  readonly boss: PgBoss
  readonly sealer: Sealer
  readonly destinations: DestinationRules
  readonly jobTimes: JobTimes
}

/** Deliveries are created in the order of their ids, which the index of a webhook's deliveries has. */
const DELIVERY_ORDERS = { createTime: 'id', id: 'id' }

/** Creates the routes of the webhooks' operations. They access only the caller's own webhooks. */
export function webhookRoutes(options: WebhookRouteOptions): readonly Route<FacilitatorContext>[] {
  const { boss, jobTimes } = options
  return implement(operations, {
    configure: (input, context) => configureWebhook(options, input, context),

    async list(_, context) {
      const rows = await listWebhooks(context.db, requireAccount(context).id)
      return rows.map(toWebhook)
    },

    eventTypes: (): EventType[] => eventTypes,

    get: async ({ id }, context) => toWebhook(await getOwnWebhook(id, context)),

    async remove({ id }, context) {
      const removed = await removeWebhook(context.db, requireAccount(context).id, id)
      return removed ? {} : context.refuse(NotFoundError)
    },

    async deliveries({ id, ...input }, context) {
      const webhook = await getOwnWebhook(id, context)
      const query = readPageQuery(input, DELIVERY_ORDERS, context.invalid)
      const table = 'facilitator.deliveries' as const
      const rows = context.db.selectFrom(table).selectAll()
      const index = { columns: { webhook_id: webhook.id } }
      return toPage(query, await findPage(context.db, table, rows, query, { index }), toDelivery)
    },

    async redeliver({ id, deliveryId }, context) {
      const webhook = await getOwnWebhook(id, context)
      if (webhook.status === 'DISABLED') {
        context.invalid('id', 'The webhook is disabled. Enable it with webhooks.configure and its id')
      }
      return await transaction(context.db, async (trx) => {
        const row = await restartDelivery(trx, webhook.id, deliveryId)
        if (row === undefined) return context.refuse(NotFoundError)
        const failing = webhook.failing_since !== null
        const next = { delivery: row.id, turn: row.turn, webhook: webhook.id, failing, after: 0 }
        await planAttempts(boss, trx, [next], jobTimes)
        return toDelivery(row)
      })
    },
  })
}

type Configuring = FacilitatorContext &
  Refuse<typeof NotFoundError | typeof TOO_MANY_WEBHOOKS | typeof WEBHOOK_URL_REFUSED>

async function configureWebhook(
  { sealer, destinations }: WebhookRouteOptions,
  { id, ...terms }: WebhookTerms & { id?: number | undefined },
  context: Configuring,
): Promise<Webhook> {
  const { id: account } = requireAccount(context)
  refuseUnknownTypes(terms.events ?? [], context.invalid)
  if (id !== undefined && (await findWebhook(context.db, account, id)) === undefined) {
    return context.refuse(NotFoundError)
  }
  try {
    await checkDestination(terms.url, destinations)
  } catch (error) {
    if (error instanceof DestinationRefusedError) return context.refuse(WEBHOOK_URL_REFUSED, error.message)
    throw error
  }
  if (id !== undefined) {
    const row = await changeWebhook(context.db, account, id, terms)
    return row === undefined ? context.refuse(NotFoundError) : toWebhook(row)
  }
  const added = await addWebhook(context.db, sealer, account, terms)
  if (added === undefined) {
    return context.refuse(TOO_MANY_WEBHOOKS, `An account has at most ${MAX_WEBHOOKS_PER_ACCOUNT} webhooks`)
  }
  return { ...toWebhook(added.row), secret: added.secret }
}

type Refusing = FacilitatorContext & Refuse<(typeof operations.get.errors)[0]>

async function getOwnWebhook(id: number, context: Refusing): Promise<WebhookRow> {
  const row = await findWebhook(context.db, requireAccount(context).id, id)
  return row ?? context.refuse(NotFoundError)
}

function refuseUnknownTypes(events: readonly string[], invalid: Refuse<never>['invalid']): void {
  for (const [position, type] of events.entries()) {
    if (!isEventType(type))
      invalid(`events.${position}`, `Unknown event type ${JSON.stringify(type.slice(0, 64))}`)
  }
}

function toWebhook(row: WebhookRow): Webhook {
  return {
    id: row.id,
    url: row.url,
    events: row.events,
    description: row.description,
    status: row.status,
    createTime: row.created_at.toISOString(),
    updateTime: row.updated_at.toISOString(),
  }
}

function toDelivery(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    webhookId: row.webhook_id,
    eventId: `evt_${row.event_id}`,
    eventType: row.event_type,
    status: row.status,
    attempts: row.attempts,
    responseStatus: row.response_status,
    error: row.error,
    createTime: row.created_at.toISOString(),
    ...(row.last_attempt_at !== null && { lastAttemptTime: row.last_attempt_at.toISOString() }),
    ...(row.next_attempt_at !== null && { nextAttemptTime: row.next_attempt_at.toISOString() }),
  }
}
