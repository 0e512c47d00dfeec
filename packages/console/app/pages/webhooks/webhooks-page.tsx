import { eventWebhooks } from '@mintmark/events'
import { defineResource } from '../../components/resource.tsx'
import { createWebhook } from './webhook-form.tsx'
import { showWebhookSecret } from './webhook-secret.ts'
import { formatEvents, formatRate, WebhookStatus } from './webhook-status.tsx'

/** The webhooks of a project. */
export const WebhooksPage = defineResource(eventWebhooks.list, {
  title: 'Webhooks',
  description:
    'Where the gateway sends events as they happen: to your programs, or as mails to people of this project.',
  actions: ({ go }) => [
    {
      label: 'Create webhook',
      kind: 'primary',
      icon: 'plus',
      onSelect: async () => {
        const created = await createWebhook()
        if (created === undefined) return
        // Mails are not signed.
        const isMailed = created.url.startsWith('mailto:')
        if (isMailed || (await showWebhookSecret(created))) go(`webhooks/${created.id}`)
      },
    },
  ],
  columns: {
    url: { label: 'Address', cell: ({ url }) => <span className="break">{url}</span> },
    description: 'Description',
    events: { label: 'Events', cell: formatEvents },
    _rate: { label: 'Rate', isWideOnly: true, cell: formatRate },
    status: { label: 'Status', cell: (webhook) => <WebhookStatus webhook={webhook} /> },
    createTime: 'Created',
  },
  link: ({ id }) => `webhooks/${id}`,
  empty: {
    icon: 'webhook',
    title: 'No webhooks yet',
    advice: 'Create one for the program that should react to events, such as your shop.',
    adviceToRead: 'The programs that receive the events of the project appear here.',
  },
})
