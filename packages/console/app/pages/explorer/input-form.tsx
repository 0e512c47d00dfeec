import type { Issue } from '@mintmark/envelope'
import type { ReactNode } from 'react'
import { SelectField, TextArea, TextField } from '../../components/field.tsx'
import { Notice } from '../../components/notice.tsx'
import { Segments } from '../../components/segments.tsx'
import type { DocumentedField, DocumentedOperation } from './api-document.ts'
import { type EnteredInput, getControl, listChoices, toJsonText } from './input-fields.ts'

interface InputFormProps {
  readonly documented: DocumentedOperation | undefined
  readonly entered: EnteredInput
  /** The input as JSON; undefined while the form is used. */
  readonly text: string | undefined
  readonly issues: readonly Issue[]
  readonly onEnter: (name: string, value: string) => void
  /** Undefined changes to the form. */
  readonly onText: (text: string | undefined) => void
}

/** The input of an operation: a form with a field for each documented field, or JSON. */
export function InputForm(props: InputFormProps): ReactNode {
  const { documented, entered, text, issues, onEnter, onText } = props
  const fields = documented?.fields ?? []
  const changeMode = (mode: string) => {
    if (mode === 'form') onText(undefined)
    else onText(toJsonText(fields, entered))
  }
  if (documented !== undefined && fields.length === 0)
    return <p className="muted">This operation needs no input.</p>
  return (
    <>
      <div className="section-header">
        <h3>Input</h3>
        {documented !== undefined && (
          <Segments
            label="How to enter the input"
            value={text === undefined ? 'form' : 'json'}
            options={[
              { value: 'form', label: 'Form' },
              { value: 'json', label: 'JSON' },
            ]}
            onChange={changeMode}
          />
        )}
      </div>
      {documented === undefined && (
        <Notice tone="info" title="The descriptions could not be read. Enter the input as JSON." />
      )}
      {text === undefined ? (
        fields.map((field) => (
          <InputField
            key={field.name}
            field={field}
            value={entered[field.name] ?? ''}
            error={findIssue(issues, field.name)}
            onChange={(value) => onEnter(field.name, value)}
          />
        ))
      ) : (
        <TextArea
          label="Input as JSON"
          value={text}
          error={issues.length === 0 ? undefined : issues.map(formatIssue).join('\n')}
          rows={12}
          spellCheck={false}
          onChange={onText}
        />
      )}
    </>
  )
}

function findIssue(issues: readonly Issue[], name: string): string | undefined {
  const found = issues.find(({ path }) => path === name || path.startsWith(`${name}.`))
  if (found === undefined) return undefined
  return found.path === name ? found.message : formatIssue(found)
}

function formatIssue({ path, message }: Issue): string {
  return path === '' ? message : `${path}: ${message}`
}

interface InputFieldProps {
  readonly field: DocumentedField
  readonly value: string
  readonly error: string | undefined
  readonly onChange: (value: string) => void
}

function InputField({ field, value, error, onChange }: InputFieldProps): ReactNode {
  const { name, isRequired, schema } = field
  const control = getControl(schema)
  const hint = control === 'lines' ? 'One value in each line.' : control === 'json' ? 'Enter JSON.' : ''
  const description = [field.description.replaceAll('`', ''), hint].filter((part) => part !== '').join(' ')
  const shared = {
    name,
    label: name,
    isOptional: !isRequired,
    value,
    error,
    onChange,
    description: description === '' ? undefined : description,
  }
  switch (control) {
    case 'choice': {
      const choices = listChoices(schema).map((choice) => ({ value: String(choice), label: String(choice) }))
      return <SelectField {...shared} options={[{ value: '', label: 'Not set' }, ...choices]} />
    }
    case 'lines':
    case 'json':
      return <TextArea {...shared} spellCheck={false} />
    default:
      return (
        <TextField
          {...shared}
          inputMode={control === 'number' ? 'decimal' : undefined}
          autoComplete="off"
          spellCheck={false}
        />
      )
  }
}
