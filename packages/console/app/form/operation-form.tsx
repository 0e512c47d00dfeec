import { InvalidInputError, type Issue, isMintmarkError } from '@mintmark/envelope'
import { type DataOf, type InputOf, inputIssues } from '@mintmark/operation'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import type { ConsoleOperation } from '../api/console-operation.ts'
import { useWrite } from '../api/operations.ts'
import { FormActions } from '../components/form-actions.tsx'
import { ErrorNotice, Notice } from '../components/notice.tsx'
import { TechnicalDetails } from '../components/technical-details.tsx'
import { t } from '../language/translate.ts'
import { focusFirstInvalid } from './focus-first-invalid.ts'
import { FormField } from './form-field.tsx'
import { type FieldDefinitions, type FormValues, fromRecord, sortIssues, toInput } from './form-values.ts'
import { markSaved } from './unsaved-input.ts'

interface FormProps<O extends ConsoleOperation> {
  readonly operation: O
  /** A record whose fields the form shows first. */
  readonly initial?: object
  /** The verb on the button: `Create`. */
  readonly action: string
  /** `danger` for what cannot be undone. Default: `primary`. */
  readonly kind?: 'danger'
  readonly onDone: (data: DataOf<O>) => void
  readonly onCancel?: () => void
  /** Shows a preview of what is entered. */
  readonly preview?: (values: FormValues) => ReactNode
}

export interface OperationFormProps<O extends ConsoleOperation> extends FormProps<O> {
  /** The fields of the input that people enter, in order. */
  readonly fields: { readonly [Name in keyof InputOf<O>]?: FieldDefinitions[string] }
  /** The fields of the input that people do not enter, such as an id. */
  readonly fixed?: Partial<InputOf<O>>
}

/**
 * A form that calls an operation. The operation checks the input before it is sent and the server checks it
 * again; both name the fields, and the form shows each message at its field. A dialog with the form stays open
 * while the call runs, because the response can contain a secret.
 */
export function OperationForm<O extends ConsoleOperation>(props: OperationFormProps<O>): ReactNode {
  const { fixed, fields, ...rest } = props
  return (
    <AdaptedForm
      {...rest}
      fields={fields as FieldDefinitions}
      toOperationInput={(input) => ({ ...fixed, ...input }) as InputOf<O>}
    />
  )
}

export interface AdaptedFormProps<O extends ConsoleOperation> extends FormProps<O> {
  /** The fields that people enter, in order. A function returns those that fit what is entered. */
  readonly fields: FieldDefinitions | ((values: FormValues) => FieldDefinitions)
  /** What is entered first, for fields that `initial` does not have. */
  readonly entered?: FormValues
  /** Makes the input of the operation from the converted fields. */
  readonly toOperationInput: (input: Readonly<Record<string, unknown>>) => InputOf<O>
  /** Whether the converted fields change nothing. The form then ends like by its button that cancels. */
  readonly isUnchanged?: (input: Readonly<Record<string, unknown>>) => boolean
  /** Fields that are folded, because most people do not need them. */
  readonly folded?: ReadonlySet<string>
  /** Shows a preview of what is entered beside the fields. */
  readonly aside?: (values: FormValues) => ReactNode
  /** Finds the field that the path of an issue is about. Default: its first part. */
  readonly toFieldPath?: (path: string) => string
}

/**
 * A form for an operation whose input has another shape than what people enter. It is otherwise like
 * {@link OperationForm}.
 */
export function AdaptedForm<O extends ConsoleOperation>(props: AdaptedFormProps<O>): ReactNode {
  const { operation, initial = {}, entered = {}, action, kind, onDone, onCancel, preview } = props
  const { toOperationInput, toFieldPath = (path) => path, isUnchanged, folded = NONE, aside } = props
  const listFields = (of: FormValues) =>
    typeof props.fields === 'function' ? props.fields(of) : props.fields
  const form = useRef<HTMLFormElement>(null)
  const [values, setValues] = useState<FormValues>(() => ({
    ...fromRecord(listFields(entered), initial),
    ...entered,
  }))
  const fields = listFields(values)
  const [localIssues, setLocalIssues] = useState<readonly Issue[]>([])
  // What was changed since the form was sent may be right now, so its message is no longer shown.
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set())
  const write = useWrite(operation)
  const issues = [...localIssues, ...getIssues(write.error)]
  const { byField, others } = sortIssues(
    fields,
    issues.map(({ path, message }) => ({ path: toFieldPath(path), message })),
  )

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (write.isPending) return
    const { input, issues: unconverted } = toInput(fields, values, initial)
    const found = unconverted.length > 0 ? unconverted : inputIssues(operation, toOperationInput(input))
    setLocalIssues(found)
    setChanged(new Set())
    write.reset()
    if (found.length > 0) return focusFirstInvalid(form.current)
    if (isUnchanged?.(input)) {
      markSaved(form.current)
      return onCancel?.()
    }
    write.mutate(toOperationInput(input), {
      onSuccess: (data) => {
        // What follows may lead to another page.
        markSaved(form.current)
        onDone(data)
      },
      onError: () => focusFirstInvalid(form.current),
    })
  }

  const change = (name: string, value: FormValues[string]) => {
    setValues((previous) => ({ ...previous, [name]: value }))
    setChanged((previous) => new Set(previous).add(name))
  }

  const showField = ([name, field]: readonly [string, FieldDefinitions[string]]) => (
    <FormField
      key={name}
      name={name}
      field={field}
      value={values[name]}
      error={changed.has(name) ? undefined : byField[name]}
      onChange={(value) => change(name, value)}
    />
  )
  const entries = Object.entries(fields)
  const content = (
    <>
      {entries.filter(([name]) => !folded.has(name)).map(showField)}
      {folded.size > 0 && (
        <TechnicalDetails isOpen={Object.keys(byField).some((name) => folded.has(name))}>
          {entries.filter(([name]) => folded.has(name)).map(showField)}
        </TechnicalDetails>
      )}
      {preview?.(values)}
      <OtherIssues issues={others} />
      <ErrorNotice error={isShownAtFields(write.error) ? undefined : write.error} />
      <FormActions action={action} kind={kind} isPending={write.isPending} onCancel={onCancel} />
    </>
  )
  return (
    <form ref={form} onSubmit={submit} className={aside === undefined ? 'stack' : 'card-form'} noValidate>
      {aside === undefined ? (
        content
      ) : (
        <>
          <div className="stack">{content}</div>
          <aside className="card-form-preview stack-small" aria-label={t('Preview')}>
            <h2>{t('Preview')}</h2>
            {aside(values)}
          </aside>
        </>
      )}
    </form>
  )
}

const NONE: ReadonlySet<string> = new Set()

/** Shows issues that belong to no field of the form. */
function OtherIssues({ issues }: { readonly issues: readonly Issue[] }): ReactNode {
  if (issues.length === 0) return null
  const list = (
    <ul>
      {issues.map(({ path, message }) => (
        <li key={path + message}>{path === '' ? message : `${path}: ${message}`}</li>
      ))}
    </ul>
  )
  return (
    <div role="alert">
      <Notice tone="danger" title={t('These values are not valid:')} advice={list} />
    </div>
  )
}

/** Returns the issues that the server found; none for other errors. */
function getIssues(error: unknown): readonly Issue[] {
  return isMintmarkError(error) && error.kind === InvalidInputError.kind ? error.issues : []
}

function isShownAtFields(error: unknown): boolean {
  return getIssues(error).length > 0
}
