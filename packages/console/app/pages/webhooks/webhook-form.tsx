import { InvalidInputError, type Issue, isMintmarkError } from '@mintmark/envelope'
import { type EventTypePattern, type EventWebhook, eventWebhooks } from '@mintmark/events'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { useWrite } from '../../api/operations.ts'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { FormActions } from '../../components/form-actions.tsx'
import { Notice } from '../../components/notice.tsx'
import { focusFirstInvalid } from '../../form/focus-first-invalid.ts'
import { FormField } from '../../form/form-field.tsx'
import { type FieldDefinitions, fromRecord, sortIssues, toInput } from '../../form/form-values.ts'
import { componentTexts } from '../../texts/shell.ts'
import { webhooksTexts } from '../../texts/webhooks.ts'
import { EventPicker } from './event-picker.tsx'
import { useWebhook } from './use-webhook.ts'
import { getWebhookState } from './webhook-state.ts'

const { form: texts } = webhooksTexts

const fields: FieldDefinitions = {
  url: {
    kind: 'url',
    isRequired: true,
    label: 'Address',
    description:
      'An https address that receives the events, such as https://shop.example.com/hooks/mintmark.',
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
}

interface WebhookFormDialogProps {
  /** The webhook to change. Undefined: a new one. */
  readonly webhook?: EventWebhook
  /** @param isEnabled Whether it was disabled until then. */
  readonly onDone: (webhook: EventWebhook, isEnabled: boolean) => void
  readonly onClose: () => void
}

/** Creates or changes a webhook. Saving a disabled one enables it, and the form says so. */
export function WebhookFormDialog(props: WebhookFormDialogProps): ReactNode {
  const { webhook, onClose } = props
  const title = webhook === undefined ? 'Create a webhook' : 'Change the webhook'
  return (
    <Dialog title={title} size="wide" isOpen onClose={onClose} isDismissable={false}>
      <WebhookForm {...props} />
    </Dialog>
  )
}

function WebhookForm({ webhook, onDone, onClose }: WebhookFormDialogProps): ReactNode {
  const form = useRef<HTMLFormElement>(null)
  const focusInvalid = () => focusFirstInvalid(form.current)
  const [values, setValues] = useState(() => fromRecord(fields, webhook ?? { maxPerSecond: 0 }))
  const [chosen, setChosen] = useState(() => findChosen(webhook))
  const [localIssues, setLocalIssues] = useState<readonly Issue[]>([])
  const configure = useWrite(eventWebhooks.configure)
  const wasDisabled = isDisabled(useWebhook(webhook))
  const issues = [...localIssues, ...getIssues(configure.error)]
  const { byField, others } = sortIssues(
    { ...fields, events: { kind: 'lines', label: texts.events } },
    issues,
  )

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (configure.isPending) return
    const { input, issues: invalid } = toInput(fields, values)
    // An empty list means all events, which is not what a person without a choice wants.
    const isNothing = chosen !== undefined && chosen.length === 0
    const found = isNothing
      ? [...invalid, { path: 'events', message: 'Choose at least one type, or all events' }]
      : invalid
    setLocalIssues(found)
    configure.reset()
    if (found.length > 0) return focusInvalid()
    // `toInput` has converted the fields that the operation declares.
    const terms = input as { url: string; description: string; maxPerSecond: number }
    const id = webhook === undefined ? {} : { id: webhook.id }
    // The picker offers types and groups only.
    const events = [...(chosen ?? [])] as EventTypePattern[]
    configure.mutate(
      { ...terms, ...id, events },
      { onSuccess: (saved) => onDone(saved, wasDisabled), onError: focusInvalid },
    )
  }

  return (
    <form ref={form} onSubmit={submit} className="stack" noValidate>
      {Object.entries(fields).map(([name, field]) => (
        <FormField
          key={name}
          name={name}
          field={field}
          value={values[name]}
          error={byField[name]}
          onChange={(value) => setValues((previous) => ({ ...previous, [name]: value }))}
        />
      ))}
      <EventPicker chosen={chosen} onChange={setChosen} error={byField.events} />
      {wasDisabled && (
        <Notice
          tone="warning"
          title={texts.enables.title}
          advice="It is disabled now. Once it is saved, new events are sent to it. Cancel to keep it disabled and unchanged."
        />
      )}
      <ErrorNotice error={isShownAtFields(configure.error, others) ? undefined : configure.error} />
      <FormActions
        action={getAction(webhook, wasDisabled)}
        isPending={configure.isPending}
        onCancel={onClose}
      />
    </form>
  )
}

function isDisabled(webhook: EventWebhook | undefined): boolean {
  return webhook !== undefined && getWebhookState(webhook) === 'disabled'
}

/** Returns the text of the button that sends the form. */
function getAction(webhook: EventWebhook | undefined, wasDisabled: boolean): string {
  if (webhook === undefined) return 'Create webhook'
  return wasDisabled ? texts.enables.action : componentTexts.save
}

/** Returns the types and patterns of a webhook. Undefined for all events, which a new webhook receives. */
function findChosen(webhook: EventWebhook | undefined): readonly string[] | undefined {
  if (webhook === undefined || webhook.events.length === 0 || webhook.events.includes('*')) return undefined
  return webhook.events
}

/** Returns the issues that the server found; none for other errors. */
function getIssues(error: unknown): readonly Issue[] {
  return isMintmarkError(error) && error.kind === InvalidInputError.kind ? error.issues : []
}

function isShownAtFields(error: unknown, others: readonly Issue[]): boolean {
  return getIssues(error).length > 0 && others.length === 0
}
