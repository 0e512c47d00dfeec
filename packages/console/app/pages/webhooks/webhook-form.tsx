import { type EventWebhook, eventWebhooks } from '@mintmark/events'
import type { InputOf } from '@mintmark/operation'
import { openLoadedForm } from '../../components/dialogs.tsx'
import { Notice } from '../../components/notice.tsx'
import type { FieldDefinitions } from '../../form/form-values.ts'
import { t } from '../../language/translate.ts'
import { componentTexts } from '../../texts/shell.ts'
import { webhooksTexts } from '../../texts/webhooks.ts'
import { EventPicker } from './event-picker.tsx'
import { getWebhookState, useWebhook } from './webhook-state.ts'

const { form: texts } = webhooksTexts

/** The pattern of all types. The operation takes an empty list for it. */
const ALL = '*'

const fields: FieldDefinitions = {
  url: {
    kind: 'url',
    isRequired: true,
    label: t('Address'),
    description: t(
      'An https address that receives the events. Or mailto: and the address of a person of this project, who gets mails.',
    ),
  },
  description: {
    kind: 'text',
    sendsEmpty: true,
    label: t('Description'),
    description: t('What receives the events, for your colleagues.'),
  },
  maxPerSecond: {
    kind: 'integer',
    isRequired: true,
    label: t('Messages per second'),
    description: t('The most messages per second, up to 1,000. 0 for no limit.'),
  },
  events: {
    kind: 'custom',
    label: texts.events,
    missing: t('Choose at least one type, or all events'),
    render: ({ value, error, onChange }) => (
      <EventPicker
        chosen={value.includes(ALL) ? undefined : value}
        error={error}
        onChange={(chosen) => onChange(chosen ?? [ALL])}
      />
    ),
  },
}

/** Creates a webhook. */
export const createWebhook = () => openLoadedForm(t('Create a webhook'), () => useWebhookForm())

/** Changes a webhook. Saving a disabled one enables it, and the form says so. */
export const editWebhook = (webhook: EventWebhook) =>
  openLoadedForm(t('Change the webhook'), () => useWebhookForm(webhook))

/** Returns the form of a webhook; of a new one without it. */
export function useWebhookForm(webhook?: EventWebhook) {
  const current = useWebhook(webhook)
  const wasDisabled = current !== undefined && getWebhookState(current) === 'disabled'
  const saved = wasDisabled ? t('The webhook is changed and enabled') : t('The webhook is changed')
  return {
    operation: eventWebhooks.configure,
    size: 'wide',
    fields,
    initial: webhook ?? { maxPerSecond: 0 },
    entered: { events: webhook === undefined || webhook.events.length === 0 ? [ALL] : webhook.events },
    toOperationInput: ({ events, ...terms }: Readonly<Record<string, unknown>>) =>
      ({
        ...terms,
        ...(webhook !== undefined && { id: webhook.id }),
        events: Array.isArray(events) && !events.includes(ALL) ? events : [],
        // The fields have the names and the types of the input, which the form checks by the operation.
      }) as InputOf<typeof eventWebhooks.configure>,
    preview: () =>
      wasDisabled && (
        <Notice
          tone="warning"
          title={texts.enables.title}
          advice={t(
            'It is disabled now. Once it is saved, new events are sent to it. Cancel to keep it disabled and unchanged.',
          )}
        />
      ),
    action:
      webhook === undefined ? t('Create webhook') : wasDisabled ? texts.enables.action : componentTexts.save,
    ...(webhook !== undefined && { done: saved }),
  } as const
}
