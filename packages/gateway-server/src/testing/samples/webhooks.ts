import { eventWebhooks } from '@mintmark/events'
import { expect } from 'vitest'
import { emptyInputAfter, type Sample, type SampleProject, sample } from './sample.ts'

// Nothing listens there, and the test gateway delivers nothing.
const url = 'http://127.0.0.1:9/hook'

/** Creates a webhook. A project has few, so earlier ones are removed. */
async function createWebhook({ client }: SampleProject): Promise<number> {
  const existing = await eventWebhooks.list(client)
  for (const { id } of existing.slice(5)) await eventWebhooks.remove(client, { id })
  return (await eventWebhooks.configure(client, { url, events: ['order.*'] })).id
}

async function createDelivery(project: SampleProject): Promise<{ id: number; deliveryId: number }> {
  const id = await createWebhook(project)
  const delivery = await eventWebhooks.sendTest(project.client, { id })
  return { id, deliveryId: delivery.id }
}

const byId = async (project: SampleProject) => ({ id: await createWebhook(project) })

export const webhookSamples: readonly Sample[] = [
  sample(eventWebhooks.configure, {
    input: async (project) => ({
      id: await createWebhook(project),
      url,
      description: 'Orders',
      maxPerSecond: 5,
      events: ['order.*' as const, 'card.created' as const],
    }),
    checkResponse: (data) => expect(data).not.toHaveProperty('secret'),
    refused: [
      ['url', { url: 'ftp://example.com/' }],
      ['events.1', { events: ['order.*', 'order.lost' as 'order.paid'] }],
      ['maxPerSecond', { maxPerSecond: 1001 }],
    ],
  }),
  sample(eventWebhooks.list, {
    input: emptyInputAfter(createWebhook),
  }),
  sample(eventWebhooks.get, { input: byId }),
  sample(eventWebhooks.remove, { input: byId }),
  sample(eventWebhooks.deliveries, {
    input: async (project) => {
      const { id } = await createDelivery(project)
      return { id, status: 'PENDING' as const }
    },
    otherProject: 'not found',
    contains: { totalRow: 1, list: [{ eventType: 'webhook.test' }] },
  }),
  sample(eventWebhooks.redeliver, {
    input: createDelivery,
    contains: { status: 'PENDING' },
  }),
  sample(eventWebhooks.redeliverRange, {
    input: async (project) => ({
      ...(await byId(project)),
      after: 0,
      upTo: 10,
      from: '2026-01-01T00:00:00Z',
      to: '2099-01-01T00:00:00Z',
      includeDelivered: true,
    }),
    checkResponse: (data) => expect(data).toEqual({ deliveries: 0, next: 0, hasMore: false }),
  }),
  sample(eventWebhooks.rotateSecret, {
    input: async (project) => ({ ...(await byId(project)), overlapHours: 1 }),
    contains: {
      secret: expect.stringMatching(/^whsec_/),
      previousSecretExpireTime: expect.any(String),
    },
  }),
  sample(eventWebhooks.sendTest, {
    input: byId,
    contains: { eventType: 'webhook.test', status: 'PENDING' },
  }),
]
