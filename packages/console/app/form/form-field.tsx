import type { ReactNode } from 'react'
import { Checkbox, FieldGroup, RadioGroup, SelectField, TextArea, TextField } from '../components/field.tsx'
import { componentTexts } from '../texts/shell.ts'
import type { FieldDefinition, FormValues } from './form-values.ts'
import { PictureField } from './picture-field.tsx'

interface FormFieldProps {
  readonly name: string
  readonly field: FieldDefinition
  readonly value: FormValues[string] | undefined
  readonly error: string | undefined
  readonly onChange: (value: FormValues[string]) => void
}

const inputTypes: Partial<Record<FieldDefinition['kind'], string>> = {
  email: 'email',
  url: 'url',
  time: 'datetime-local',
}

/** Shows the input for a field of a form. */
export function FormField({ name, field, value, error, onChange }: FormFieldProps): ReactNode {
  const text = typeof value === 'string' ? value : ''
  const { label, description, isRequired = false } = field
  const shared = { name, label, description, error, isOptional: !isRequired, value: text, onChange }
  switch (field.kind) {
    case 'boolean':
      return (
        <Checkbox
          name={name}
          label={label}
          description={description}
          checked={value === true}
          onChange={onChange}
        />
      )
    case 'select': {
      const empty = isRequired ? [] : [{ value: '', label: componentTexts.none }]
      return <SelectField {...shared} options={[...empty, ...field.options]} />
    }
    case 'radio':
      return (
        <RadioGroup
          name={name}
          label={label}
          value={text}
          error={error}
          options={field.options}
          onChange={onChange}
        />
      )
    case 'choices':
      return (
        <Choices
          name={name}
          field={field}
          error={error}
          onChange={onChange}
          value={Array.isArray(value) ? value : []}
        />
      )
    case 'custom':
      return field.render({ value: Array.isArray(value) ? value : [], error, onChange })
    case 'picture':
      return <PictureField {...shared} autoComplete="off" spellCheck={false} />
    case 'multiline':
    case 'lines':
    case 'pairs':
      return <TextArea {...shared} />
    default:
      return (
        <TextField
          {...shared}
          type={inputTypes[field.kind] ?? 'text'}
          // Phones have no keyboard of digits with a point: the one for decimals has the separator of the region.
          inputMode={field.kind === 'integer' ? 'numeric' : undefined}
          isCode={field.kind === 'address' || field.kind === 'code'}
          placeholder={'placeholder' in field ? field.placeholder : undefined}
          autoComplete="off"
          spellCheck={field.kind === 'text' ? undefined : false}
        />
      )
  }
}

interface ChoicesProps {
  readonly name: string
  readonly field: Extract<FieldDefinition, { kind: 'choices' }>
  readonly value: readonly string[]
  readonly error: string | undefined
  readonly onChange: (value: readonly string[]) => void
}

/** Checkboxes for any of some values. */
function Choices({ name, field, value, error, onChange }: ChoicesProps): ReactNode {
  return (
    <FieldGroup label={field.label} error={error}>
      {field.description !== undefined && <p className="field-description">{field.description}</p>}
      <div className="choices">
        {field.options.map((option) => (
          <Checkbox
            key={option.value}
            name={name}
            label={option.label}
            description={option.description}
            checked={value.includes(option.value)}
            onChange={(isChecked) =>
              onChange(isChecked ? [...value, option.value] : value.filter((each) => each !== option.value))
            }
          />
        ))}
      </div>
    </FieldGroup>
  )
}
