import { eventWebhooks } from '@mintmark/events'
import { defineResource } from '../../components/resource.tsx'
import { t } from '../../language/translate.ts'
import { createWebhook } from './webhook-form.tsx'
import { showWebhookSecret } from './webhook-secret.ts'
import { formatEvents, formatRate, WebhookStatus } from './webhook-status.tsx'

/** The webhooks of a project. */
export const WebhooksPage = defineResource(eventWebhooks.list, {
  title: t('Webhooks'),
  description: t(
    'Where the gateway sends events as they happen: to your programs, or as mails to people of this project.',
  ),
  actions: ({ go }) => [
    {
      label: t('Create webhook'),
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
    url: { label: t('Address'), cell: ({ url }) => <span className="break">{url}</span> },
    description: t('Description'),
    events: { label: t('Events'), cell: formatEvents },
    _rate: { label: t('Rate'), isWideOnly: true, cell: formatRate },
    status: { label: t('Status'), cell: (webhook) => <WebhookStatus webhook={webhook} /> },
    createTime: t('Created'),
  },
  link: ({ id }) => `webhooks/${id}`,
  empty: {
    icon: 'webhook',
    title: t('No webhooks yet'),
    advice: t('Create one for the program that should react to events, such as your shop.'),
    adviceToRead: t('The programs that receive the events of the project appear here.'),
  },
})
