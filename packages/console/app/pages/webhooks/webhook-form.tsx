import { type EventWebhook, eventWebhooks } from '@mintmark/events'
import type { InputOf } from '@mintmark/operation'
import type { ReactNode } from 'react'
import { Dialog } from '../../components/dialog.tsx'
import { Notice } from '../../components/notice.tsx'
import type { FieldDefinitions } from '../../form/form-values.ts'
import { AdaptedForm } from '../../form/operation-form.tsx'
import { componentTexts } from '../../texts/shell.ts'
import { webhooksTexts } from '../../texts/webhooks.ts'
import { EventPicker } from './event-picker.tsx'
import { useWebhook } from './use-webhook.ts'
import { getWebhookState } from './webhook-state.ts'

const { form: texts } = webhooksTexts

/** The pattern of all types. The operation takes an empty list for it. */
const ALL = '*'

const fields: FieldDefinitions = {
  url: {
    kind: 'url',
    isRequired: true,
    label: 'Address',
    description:
      'An https address that receives the events. Or mailto: and the address of a person of this project, who gets mails.',
  },
  description: {
    kind: 'text',
    sendsEmpty: true,
    label: 'Description',
    description: 'What receives the events, for your colleagues.',
  },
  maxPerSecond: {
    kind: 'integer',
    isRequired: true,
    label: 'Messages per second',
    description: 'The most messages per second, up to 1,000. 0 for no limit.',
  },
  events: {
    kind: 'custom',
    label: texts.events,
    missing: 'Choose at least one type, or all events',
    render: ({ value, error, onChange }) => (
      <EventPicker
        chosen={value.includes(ALL) ? undefined : value}
        error={error}
        onChange={(chosen) => onChange(chosen ?? [ALL])}
      />
    ),
  },
}

interface WebhookFormDialogProps {
  /** The webhook to change. Undefined: a new one. */
  readonly webhook?: EventWebhook
  /** @param isEnabled Whether it was disabled until then. */
  readonly onDone: (webhook: EventWebhook, isEnabled: boolean) => void
  readonly onClose: () => void
}

/** Creates or changes a webhook. Saving a disabled one enables it, and the form says so. */
export function WebhookFormDialog({ webhook, onDone, onClose }: WebhookFormDialogProps): ReactNode {
  const isNew = webhook === undefined
  const current = useWebhook(webhook)
  const wasDisabled = current !== undefined && getWebhookState(current) === 'disabled'
  return (
    <Dialog
      title={isNew ? 'Create a webhook' : 'Change the webhook'}
      size="wide"
      isOpen
      onClose={onClose}
      isDismissable={false}
    >
      <AdaptedForm
        operation={eventWebhooks.configure}
        fields={fields}
        initial={webhook ?? { maxPerSecond: 0 }}
        entered={{ events: isNew || webhook.events.length === 0 ? [ALL] : webhook.events }}
        toOperationInput={({ events, ...terms }) =>
          ({
            ...terms,
            ...(!isNew && { id: webhook.id }),
            events: Array.isArray(events) && !events.includes(ALL) ? events : [],
            // The fields have the names and the types of the input, which the form checks by the operation.
          }) as InputOf<typeof eventWebhooks.configure>
        }
        preview={() =>
          wasDisabled && (
            <Notice
              tone="warning"
              title={texts.enables.title}
              advice="It is disabled now. Once it is saved, new events are sent to it. Cancel to keep it disabled and unchanged."
            />
          )
        }
        action={isNew ? 'Create webhook' : wasDisabled ? texts.enables.action : componentTexts.save}
        onDone={(saved) => onDone(saved, wasDisabled)}
        onCancel={onClose}
      />
    </Dialog>
  )
}
