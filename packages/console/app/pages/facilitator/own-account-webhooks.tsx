import { type Webhook, webhooks } from '@mintmark/facilitator'
import type { ReactNode } from 'react'
import { Badge } from '../../components/badge.tsx'
import { confirm, openForm, showSecret } from '../../components/dialogs.tsx'
import { ResourceSection } from '../../components/resource.tsx'

/** The webhooks of the account. */
export function OwnWebhooks(): ReactNode {
  return (
    <ResourceSection
      operation={webhooks.list}
      title="Webhooks"
      actions={({ refresh }) => [
        { label: 'Create webhook', icon: 'plus', onSelect: () => createWebhook(refresh) },
      ]}
      columns={{
        url: { label: 'Address', cell: ({ url }) => <span className="break">{url}</span> },
        description: 'Description',
        events: { label: 'Events', cell: ({ events }) => (events.length === 0 ? 'All' : events.join(', ')) },
        status: {
          label: 'Status',
          cell: ({ status }) =>
            status === 'ENABLED' ? (
              <Badge tone="success">Enabled</Badge>
            ) : (
              <Badge tone="danger" note="Its receiver failed for five days.">
                Disabled
              </Badge>
            ),
        },
        createTime: 'Created',
      }}
      nameOf={({ url }) => url}
      rowActions={(webhook) => [
        { label: 'Replace the secret', onSelect: () => replaceSecret(webhook) },
        { label: 'Remove', isDangerous: true, onSelect: () => removeWebhook(webhook) },
      ]}
      empty={{
        icon: 'webhook',
        title: 'No webhooks yet',
        advice: 'A webhook reports the outcome of each payment to your program, even if a response was lost.',
      }}
    />
  )
}

async function createWebhook(refresh: () => void): Promise<void> {
  const created = await openForm({
    operation: webhooks.configure,
    fields: {
      url: {
        kind: 'url',
        isRequired: true,
        label: 'Address',
        description: 'An https address of your program.',
      },
      description: { kind: 'text', label: 'Description' },
    },
    title: 'Create webhook',
  })
  if (created === undefined) return
  refresh()
  await showWebhookSecret(created)
}

const showWebhookSecret = ({ secret = '' }: Webhook) =>
  showSecret({
    title: 'The signing secret',
    notice: {
      title: 'Copy the secret now',
      advice:
        'It is shown only once. Your receiver verifies with it that messages come from the facilitator.',
    },
    texts: { Secret: secret },
  })

async function replaceSecret({ id, url }: Webhook): Promise<void> {
  const replaced = await confirm({
    operation: webhooks.rotateSecret,
    input: { id },
    title: 'Replace the secret?',
    text: `Messages to ${url} are signed with both secrets for 24 hours.`,
    action: 'Replace',
  })
  if (replaced !== undefined) await showWebhookSecret(replaced)
}

const removeWebhook = ({ id, url }: Webhook) =>
  confirm({
    operation: webhooks.remove,
    input: { id },
    title: 'Remove the webhook?',
    text: `Events are no longer sent to ${url}. This cannot be undone.`,
    action: 'Remove',
    done: 'The webhook is removed',
  })
