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
  parseTimeRange,
  type Refuse,
  type Route,
  readPageQuery,
  refusal,
  toPage,
  transaction,
} from '@mintmark/server-kit'
import {
  checkDestination,
  type Delivering,
  DestinationRefusedError,
  MAX_WEBHOOKS,
  type WebhookRow,
  type WebhookTerms,
} from '@mintmark/webhooks'
import type { Selectable } from 'kysely'
import type { DeliveriesTable } from '../database/tables/webhooks.ts'
import { type FacilitatorContext, implement, requireAccount } from '../http/context/context.ts'
import { eventTypes, isEventType } from './event-types.ts'

/** Both orders are the order of creation, which the index of a webhook's deliveries has. */
const DELIVERY_ORDERS = { createTime: 'created_at', id: 'created_at' }

const DEFAULT_OVERLAP_HOURS = 24

/** Creates the routes of the webhooks' operations. They access only the caller's own webhooks. */
export function webhookRoutes(delivering: Delivering): readonly Route<FacilitatorContext>[] {
  const { webhooks, deliveries } = delivering
  return implement(operations, {
    configure: (input, context) => configureWebhook(delivering, input, context),

    async list(_, context) {
      const rows = await webhooks.list(context.db, requireAccount(context).id)
      return rows.map(toWebhook)
    },

    eventTypes: (): EventType[] => eventTypes,

    get: async ({ id }, context) => toWebhook(await getOwnWebhook(webhooks, id, context)),

    async remove({ id }, context) {
      const removed = await webhooks.remove(context.db, requireAccount(context).id, id)
      if (!removed) throw refusal(NotFoundError)
      return {}
    },

    async rotateSecret({ id, secret, overlapHours = DEFAULT_OVERLAP_HOURS }, context) {
      const { id: account } = requireAccount(context)
      const rotated = await webhooks.rotateSecret(context.db, account, id, overlapHours * 3600, secret)
      if (rotated === undefined) throw refusal(NotFoundError)
      return { ...toWebhook(rotated.row), secret: rotated.secret }
    },

    async deliveries({ id, ...input }, context) {
      const webhook = await getOwnWebhook(webhooks, id, context)
      const query = readPageQuery(input, DELIVERY_ORDERS, context.invalid)
      const table = 'facilitator.deliveries' as const
      const rows = context.db.selectFrom(table).selectAll()
      const index = { columns: { webhook_id: webhook.id } }
      const created = parseTimeRange(input)
      return toPage(query, await findPage(context.db, table, rows, query, { index, created }), toDelivery)
    },

    async redeliver({ id, deliveryId }, context) {
      const webhook = await getOwnWebhook(webhooks, id, context)
      if (webhook.status === 'DISABLED') {
        context.invalid('id', 'The webhook is disabled. Enable it with webhooks.configure and its id')
      }
      return await transaction(context.db, async (trx) => {
        const { id: account } = requireAccount(context)
        if (!(await deliveries.restart(trx, account, webhook.id, deliveryId))) {
          throw refusal(NotFoundError)
        }
        await deliveries.enqueue(trx, { owner: account, deliveries: [deliveryId] }, delivering.enqueue)
        const restarted = trx.selectFrom('facilitator.deliveries').selectAll().where('id', '=', deliveryId)
        return toDelivery(await restarted.executeTakeFirstOrThrow())
      })
    },
  })
}

async function configureWebhook(
  { webhooks, destinations }: Delivering,
  { id, ...terms }: WebhookTerms & { id?: number | undefined },
  context: FacilitatorContext & Refuse,
): Promise<Webhook> {
  const { id: account } = requireAccount(context)
  refuseUnknownTypes(terms.events ?? [], context.invalid)
  if (id !== undefined && (await webhooks.find(context.db, account, id)) === undefined) {
    throw refusal(NotFoundError)
  }
  try {
    await checkDestination(terms.url, destinations)
  } catch (error) {
    if (error instanceof DestinationRefusedError) throw refusal(WEBHOOK_URL_REFUSED, error.message)
    throw error
  }
  if (id !== undefined) {
    const row = await webhooks.change(context.db, account, id, terms)
    if (row === undefined) throw refusal(NotFoundError)
    return toWebhook(row)
  }
  const added = await webhooks.add(context.db, account, terms)
  if (added === undefined) {
    throw refusal(TOO_MANY_WEBHOOKS, `An account has at most ${MAX_WEBHOOKS} webhooks`)
  }
  return { ...toWebhook(added.row), secret: added.secret }
}

async function getOwnWebhook(
  webhooks: Delivering['webhooks'],
  id: number,
  context: FacilitatorContext,
): Promise<WebhookRow> {
  const row = await webhooks.find(context.db, requireAccount(context).id, id)
  if (row === undefined) throw refusal(NotFoundError)
  return row
}

function refuseUnknownTypes(events: readonly string[], invalid: Refuse['invalid']): void {
  for (const [position, type] of events.entries()) {
    if (!isEventType(type))
      invalid(`events.${position}`, `Unknown event type ${JSON.stringify(type.slice(0, 64))}`)
  }
}

function toWebhook(row: WebhookRow): Webhook {
  const { previous_secret_until: until } = row
  return {
    id: row.id,
    url: row.url,
    events: row.events,
    description: row.description,
    status: row.status,
    createTime: row.created_at.toISOString(),
    updateTime: row.updated_at.toISOString(),
    ...(until !== null && { previousSecretExpireTime: until.toISOString() }),
  }
}

function toDelivery(row: Selectable<DeliveriesTable>): Delivery {
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
