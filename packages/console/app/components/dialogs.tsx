import type { DataOf, InputOf } from '@mintmark/operation'
import type { ReactNode } from 'react'
import type { ConsoleOperation } from '../api/console-operation.ts'
import { useWrite } from '../api/operations.ts'
import {
  AdaptedForm,
  type AdaptedFormProps,
  OperationForm,
  type OperationFormProps,
} from '../form/operation-form.tsx'
import { t, toMidSentence } from '../language/translate.ts'
import { Button } from './button.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { CopiedText } from './copy-button.tsx'
import { DetailList } from './detail-list.tsx'
import { Dialog } from './dialog.tsx'
import { Notice } from './notice.tsx'
import { openDialog } from './open-dialog.tsx'
import { Skeleton } from './placeholders.tsx'
import { showToast } from './toast.tsx'

interface DialogTexts<O extends ConsoleOperation> {
  readonly title: string
  /** What happens, and whether it can be undone. */
  readonly text?: ReactNode
  /** What a toast says when it is done. */
  readonly done?: string | ((data: DataOf<O>) => string)
}

interface Confirmation<O extends ConsoleOperation> extends DialogTexts<O> {
  readonly operation: O
  readonly input: InputOf<O>
  /** The verb on the button: `Revoke`. */
  readonly action: string
  /** The button that closes the dialog. Default: `Cancel`. */
  readonly keep?: string
}

/**
 * Asks before it calls an operation that cannot be undone. Returns what the operation returned; undefined if
 * the person cancels.
 *
 * @example
 * await confirm({
 *   operation: apiKeys.revoke,
 *   input: { apiKey },
 *   title: `Revoke ${name}?`,
 *   text: 'This cannot be undone.',
 *   action: 'Revoke',
 *   done: `${name} is revoked`,
 * })
 */
export function confirm<O extends ConsoleOperation>(
  confirmation: Confirmation<O>,
): Promise<DataOf<O> | undefined> {
  return openDialog<DataOf<O>>((close) => <Confirm {...confirmation} onClose={close} />)
}

/**
 * Asks as {@link confirm} does. For a component that reads what `input` is made of while the dialog is open: a
 * dialog does not follow the page that opened it.
 */
export function Confirm<O extends ConsoleOperation>(
  props: Confirmation<O> & { readonly onClose: (data?: DataOf<O>) => void },
): ReactNode {
  const { operation, input, text, done, onClose, ...dialog } = props
  const { mutate, isPending, error } = useWrite(operation)
  const onSuccess = (data: DataOf<O>) => {
    say(done, data)
    onClose(data)
  }
  return (
    <ConfirmDialog
      {...dialog}
      isPending={isPending}
      error={error}
      onConfirm={() => mutate(input, { onSuccess })}
      onClose={() => onClose()}
    >
      {text !== undefined && <p>{text}</p>}
    </ConfirmDialog>
  )
}

function say<Data>(done: string | ((data: Data) => string) | undefined, data: Data): void {
  if (done !== undefined) showToast(typeof done === 'string' ? done : done(data))
}

type GivenByDialog = 'onDone' | 'onCancel' | 'action'

/** The texts and the size of a dialog with a form. Its title is given beside it. */
interface FormTexts<O extends ConsoleOperation> extends Omit<DialogTexts<O>, 'title'> {
  /** The verb on the button. Default: the title. */
  readonly action?: string
  readonly size?: 'wide'
  /** Whether a press beside the dialog closes it. Default: no. */
  readonly isDismissable?: boolean
}

type UntitledForm<O extends ConsoleOperation> = FormTexts<O> &
  (Omit<OperationFormProps<O>, GivenByDialog> | Omit<AdaptedFormProps<O>, GivenByDialog>)

/**
 * Opens a form that calls an operation. Returns what the operation returned; undefined if the person cancels.
 *
 * @example await openForm({ operation: stores.create, fields, title: 'Add store' })
 */
export function openForm<O extends ConsoleOperation>({
  title,
  ...form
}: UntitledForm<O> & { readonly title: string }): Promise<DataOf<O> | undefined> {
  return openLoadedForm<O>(title, () => form)
}

type LoadedForm<O extends ConsoleOperation> = UntitledForm<O> | FormTexts<O> | undefined

/**
 * Opens a form as {@link openForm} does, of which something is read first.
 *
 * @param useForm A hook. It returns undefined until everything is read, and only a text if there is no form.
 */
export function openLoadedForm<O extends ConsoleOperation>(
  title: string,
  useForm: () => LoadedForm<O>,
): Promise<DataOf<O> | undefined> {
  return openDialog<DataOf<O>>((close) => <FormDialog title={title} useForm={useForm} onClose={close} />)
}

interface FormDialogProps<O extends ConsoleOperation> {
  readonly title: string
  readonly useForm: () => LoadedForm<O>
  readonly onClose: (data?: DataOf<O>) => void
}

/** Shows a form in a dialog. */
export function FormDialog<O extends ConsoleOperation>({
  title,
  useForm,
  onClose,
}: FormDialogProps<O>): ReactNode {
  const form = useForm()
  const { text, done, size = 'narrow', isDismissable = false, action = title } = form ?? {}
  const shared = {
    action,
    onDone: (data: DataOf<O>) => {
      say(done, data)
      onClose(data)
    },
    onCancel: () => onClose(),
  }
  return (
    <Dialog title={title} size={size} onClose={() => onClose()} isDismissable={isDismissable}>
      {typeof text === 'string' ? <p>{text}</p> : text}
      {form === undefined && <Skeleton />}
      {form !== undefined && 'toOperationInput' in form && <AdaptedForm {...form} {...shared} />}
      {form !== undefined && 'fields' in form && !('toOperationInput' in form) && (
        <OperationForm {...form} {...shared} />
      )}
    </Dialog>
  )
}

interface Secret {
  readonly title: string
  /** Why to copy it now. */
  readonly notice: { readonly title: string; readonly advice: string; readonly tone?: 'success' | 'warning' }
  /** The texts to copy, by their names. */
  readonly texts: Readonly<Record<string, string>>
  readonly note?: ReactNode
}

/**
 * Shows something that cannot be shown again, such as the secret of a new key. Returns true once the person
 * closes it; undefined if the person leaves the page.
 */
export function showSecret({ title, notice, texts, note }: Secret): Promise<true | undefined> {
  return openDialog<true>((close) => (
    <Dialog title={title} onClose={() => close(true)} showsSecret>
      <Notice tone="warning" {...notice} />
      <DetailList
        details={Object.fromEntries(
          Object.entries(texts).map(([label, text]) => [
            label,
            <CopiedText
              key={label}
              text={text}
              label={t('Copy the {text}', { text: toMidSentence(label) })}
            />,
          ]),
        )}
      />
      {note !== undefined && <p>{note}</p>}
      <div className="dialog-actions">
        <Button kind="primary" onClick={() => close(true)}>
          {t('Done')}
        </Button>
      </div>
    </Dialog>
  ))
}
