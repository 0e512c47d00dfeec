import { InvalidInputError, type Issue, isMintmarkError } from '@mintmark/envelope'
import { type DataOf, type InputOf, inputIssues } from '@mintmark/operation'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { type GatewayOperation, useWrite } from '../api/operations.ts'
import { Button } from '../components/button.tsx'
import { ErrorNotice } from '../components/error-notice.tsx'
import { componentTexts, formTexts } from '../texts/shell.ts'
import { FormField } from './form-field.tsx'
import { type FieldDefinitions, type FormValues, fromRecord, sortIssues, toInput } from './form-values.ts'

interface OperationFormProps<O extends GatewayOperation> {
  readonly operation: O
  /** The fields of the input that people enter, in order. */
  readonly fields: { readonly [Name in keyof InputOf<O>]?: FieldDefinitions[string] }
  /** The fields of the input that people do not enter, such as an id. */
  readonly fixed?: Partial<InputOf<O>>
  /** A record whose fields the form shows first. */
  readonly initial?: object
  /** The verb on the button: `Create`. */
  readonly action: string
  readonly onDone: (data: DataOf<O>) => void
  readonly onCancel?: () => void
  /** Shows a preview of what is entered. */
  readonly preview?: (values: FormValues) => ReactNode
}

/**
 * A form that calls an operation. The operation checks the input before it is sent and the server checks it again; both name the fields, and
 * the form shows each message at its field.
 */
export function OperationForm<O extends GatewayOperation>(props: OperationFormProps<O>): ReactNode {
  const { operation, fixed, initial = {}, action, onDone, onCancel, preview } = props
  const fields = props.fields as FieldDefinitions
  const form = useRef<HTMLFormElement>(null)
  const [values, setValues] = useState(() => fromRecord(fields, initial))
  const [localIssues, setLocalIssues] = useState<readonly Issue[]>([])
  const write = useWrite(operation)
  const { byField, others } = sortIssues(fields, [...localIssues, ...getIssues(write.error)])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (write.isPending) return
    const { input, issues } = toInput(fields, values)
    const whole = { ...fixed, ...input } as InputOf<O>
    const found = issues.length > 0 ? issues : inputIssues(operation, whole)
    setLocalIssues(found)
    write.reset()
    if (found.length > 0) return focusFirstInvalid(form.current)
    write.mutate(whole, {
      onSuccess: onDone,
      onError: () => focusFirstInvalid(form.current),
    })
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
      {preview?.(values)}
      <OtherIssues issues={others} />
      <ErrorNotice error={isShownAtFields(write.error) ? undefined : write.error} />
      <div className="dialog-actions">
        {onCancel !== undefined && <Button onClick={onCancel}>{componentTexts.cancel}</Button>}
        <Button kind="primary" type="submit" isPending={write.isPending}>
          {action}
        </Button>
      </div>
    </form>
  )
}

/** Shows issues that belong to no field of the form. */
function OtherIssues({ issues }: { readonly issues: readonly Issue[] }): ReactNode {
  if (issues.length === 0) return null
  return (
    <div className="notice notice-danger" role="alert">
      <div className="notice-text">
        <p className="notice-title">{formTexts.otherIssues}</p>
        <ul>
          {issues.map(({ path, message }) => (
            <li key={path + message}>{path === '' ? message : `${path}: ${message}`}</li>
          ))}
        </ul>
      </div>
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

/** Moves the focus to the first field with an error, after it is marked. */
function focusFirstInvalid(form: HTMLFormElement | null): void {
  requestAnimationFrame(() => form?.querySelector<HTMLElement>('[aria-invalid]')?.focus())
}
