import { type EventWebhook, events, eventWebhooks } from '@mintmark/events'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { invalidateAfterWrite } from '../../api/invalidation.ts'
import { callOperation, useWriteKeys } from '../../api/operations.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { CancelButton } from '../../components/form-actions.tsx'
import { ErrorNotice, Notice } from '../../components/notice.tsx'
import { focusFirstInvalid } from '../../form/focus-first-invalid.ts'
import { FormField } from '../../form/form-field.tsx'
import { type FieldDefinitions, type FormValues, fromRecord, toInput } from '../../form/form-values.ts'
import { formatCount } from '../../format/number.ts'
import { t } from '../../language/translate.ts'
import { useProjectGateway } from '../../session/project-context.tsx'
import { webhooksTexts } from '../../texts/webhooks.ts'
import { previewRange, type RangePreview } from './range-preview.ts'
import {
  createRangeRedelivery,
  isSameRange,
  type ProgressStore,
  type RangeProgress,
  type RangeToRedeliver,
} from './redeliver-range.ts'
import { useWebhook } from './webhook-state.ts'

interface RangeDialogProps {
  readonly webhook: EventWebhook
  readonly onClose: () => void
}

const { range: texts } = webhooksTexts

const fields: FieldDefinitions = {
  startTime: {
    kind: 'time',
    isRequired: true,
    label: t('From'),
    description: t('The time zone of this device.'),
  },
  endTime: { kind: 'time', isRequired: true, label: t('To') },
  includeDelivered: {
    kind: 'boolean',
    label: t('Also send events that were delivered'),
    description: t('Receivers recognize them by their id, which stays the same.'),
  },
}

/** Redelivers the events of a time range, after a preview of what is sent. */
export function RangeDialog({ onClose, ...props }: RangeDialogProps): ReactNode {
  const webhook = useWebhook(props.webhook)
  const redelivery = useRedelivery(webhook)
  const { stopped } = redelivery
  const [entered, setEntered] = useState(() => enterRange(stopped?.range))
  const [isChecked, setIsChecked] = useState(false)
  const preview = usePreview(webhook)
  const { input, issues } = toInput(fields, entered)
  const range = issues.length > 0 ? undefined : toRange(input)
  const change = (name: string, value: FormValues[string]) => {
    setEntered((previous) => ({ ...previous, [name]: value }))
    preview.reset()
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setIsChecked(true)
    if (range === undefined) focusFirstInvalid(event.currentTarget)
    else if (!preview.isPending) preview.mutate(range)
  }
  if (redelivery.isSuccess) return <Done started={redelivery.started} onClose={onClose} />
  return (
    <Dialog title={texts.title} onClose={onClose} isDismissable={false}>
      <form className="stack" onSubmit={submit} noValidate>
        <p>
          {t(
            'For a receiver that was down or lost data. Events that the webhook subscribes to and has not received are sent, also those from before it existed.',
          )}
        </p>
        {Object.entries(fields).map(([name, field]) => (
          <FormField
            key={name}
            name={name}
            field={field}
            value={entered[name]}
            error={isChecked ? issues.find(({ path }) => path === name)?.message : undefined}
            onChange={(value) => change(name, value)}
          />
        ))}
        <div role="status" className="stack-small">
          {stopped?.after !== undefined && isSameRange(stopped.range, range) && !redelivery.isPending && (
            <Notice tone="info" {...texts.stopped(stopped.started)} />
          )}
          {preview.data !== undefined && (
            <PreviewNotice preview={preview.data} includeDelivered={entered.includeDelivered === true} />
          )}
          {redelivery.isPending && texts.started(redelivery.started)}
        </div>
        <ErrorNotice error={preview.error ?? redelivery.error} />
        <div className="dialog-actions">
          <CancelButton onCancel={onClose} />
          {preview.data === undefined || range === undefined ? (
            <Button kind="primary" type="submit" isPending={preview.isPending}>
              {t('Preview')}
            </Button>
          ) : (
            <Button
              kind="primary"
              disabled={preview.data.events === 0}
              isPending={redelivery.isPending}
              onClick={() => redelivery.mutate(range)}
            >
              {t('Send again')}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  )
}

/** Converts a range to what a person would have entered. */
function enterRange(range?: RangeToRedeliver): FormValues {
  return fromRecord(fields, { ...range, startTime: range?.from, endTime: range?.to })
}

function toRange({
  startTime,
  endTime,
  includeDelivered,
}: Readonly<Record<string, unknown>>): RangeToRedeliver {
  return { from: String(startTime), to: String(endTime), includeDelivered: includeDelivered === true }
}

function usePreview({ events: types }: EventWebhook) {
  const { gateway } = useProjectGateway()
  return useMutation({
    mutationFn: ({ from, to }: RangeToRedeliver): Promise<RangePreview> =>
      previewRange((input) => callOperation(gateway, events.list, input), { from, to, types }),
  })
}

/**
 * Redelivers a range, and counts the deliveries that it has started. Stops when the dialog is closed, and
 * continues the same range when it is opened again.
 */
function useRedelivery({ id }: EventWebhook) {
  const { gateway, projectId } = useProjectGateway()
  const client = useQueryClient()
  const keys = useWriteKeys(projectId, eventWebhooks.redeliverRange)
  const [started, setStarted] = useState(0)
  const [store] = useState(() => openProgress(client, projectId, id))
  const [redeliver] = useState(() =>
    createRangeRedelivery({
      webhookId: id,
      redeliver: (part, options) => callOperation(gateway, eventWebhooks.redeliverRange, part, options),
      keys,
      store,
      onStarted: setStarted,
    }),
  )
  const controller = useRef<AbortController>(undefined)
  useEffect(() => () => controller.current?.abort(), [])
  const mutation = useMutation({
    mutationFn: async (range: RangeToRedeliver) => {
      controller.current = new AbortController()
      await redeliver(range, controller.current.signal)
    },
    onSettled: () => invalidateAfterWrite(client, projectId, eventWebhooks.redeliverRange),
  })
  return { ...mutation, started, stopped: store.read() }
}

/** Opens the progress of the range that was last sent to a webhook. It is kept until the page is reloaded. */
function openProgress(client: QueryClient, projectId: number | undefined, webhookId: number): ProgressStore {
  const queryKey = ['redelivery', projectId ?? null, webhookId]
  client.setQueryDefaults(queryKey, { gcTime: Number.POSITIVE_INFINITY })
  return {
    read: () => client.getQueryData<RangeProgress>(queryKey),
    write: (progress) => {
      if (progress === undefined) client.removeQueries({ queryKey })
      else client.setQueryData(queryKey, progress)
    },
  }
}

function PreviewNotice({
  preview: { events: count, byType },
  includeDelivered,
}: {
  readonly preview: RangePreview
  readonly includeDelivered: boolean
}): ReactNode {
  if (count === 0)
    return (
      <Notice
        tone="info"
        title={t('Nothing to send')}
        advice={t('No stored event of the chosen types happened in this time.')}
      />
    )
  const quantity = texts.events(count)
  return (
    <Notice
      tone="info"
      title={
        byType === undefined
          ? t('Up to {quantity} happened in this time; only the subscribed types are sent', { quantity })
          : t('{quantity} of the subscribed types happened in this time', { quantity })
      }
      advice={
        <>
          <p>
            {includeDelivered
              ? t('All of them are sent, also those that were delivered.')
              : t('Those that were delivered, or are being delivered, are not sent again.')}
          </p>
          <p>{t('Messages are sent in the order of the feed, within the rate limit of the webhook.')}</p>
          <ul>
            {[...(byType ?? [])].map(([type, each]) => (
              <li key={type}>
                <code>{type}</code> {formatCount(each)}
              </li>
            ))}
          </ul>
        </>
      }
    />
  )
}

function Done({ started, onClose }: { readonly started: number; readonly onClose: () => void }): ReactNode {
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <Notice
        tone="success"
        title={t(
          '{count, plural, one {# delivery started. It appears in the list.} other {# deliveries started. They appear in the list.}}',
          { count: started },
        )}
      />
      <div className="dialog-actions">
        <Button kind="primary" onClick={onClose}>
          {t('Close')}
        </Button>
      </div>
    </Dialog>
  )
}
