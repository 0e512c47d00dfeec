import {
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react'

interface FieldProps {
  readonly label: string
  /** What to enter, with an example where the label is not enough. */
  readonly description?: string | undefined
  /** Why the value is refused. */
  readonly error?: string | undefined
  /** Whether to mark the field as optional. Default: no. */
  readonly isOptional?: boolean
}

/** The attributes that connect an input to its label, description and error. */
interface Connection {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
}

/** Shows a label above an input, and its description and error below. */
function Field(props: FieldProps & { readonly children: (connection: Connection) => ReactNode }): ReactNode {
  const { label, description, error, isOptional = false, children } = props
  const id = useId()
  const describedBy = [description && `${id}-description`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        {isOptional && <span className="faint"> (optional)</span>}
      </label>
      {children({
        id,
        'aria-describedby': describedBy === '' ? undefined : describedBy,
        'aria-invalid': error === undefined ? undefined : true,
      })}
      {error !== undefined && (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
      {description !== undefined && (
        <p className="field-description" id={`${id}-description`}>
          {description}
        </p>
      )}
    </div>
  )
}

type InputProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'className' | 'value'>

interface TextFieldProps extends FieldProps, InputProps {
  readonly value: string
  readonly onChange: (value: string) => void
  /** What is entered is a key or an address, so that each character matters. */
  readonly isCode?: boolean
  readonly ref?: Ref<HTMLInputElement>
}

/** A field for a line of text, a number, a password or a time, by its `type`. */
export function TextField(props: TextFieldProps): ReactNode {
  const { label, description, error, isOptional = false, onChange, isCode = false, ...rest } = props
  return (
    <Field label={label} description={description} error={error} isOptional={isOptional}>
      {(connection) => (
        <input
          {...rest}
          {...connection}
          className={isCode ? 'input mono' : 'input'}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

type AreaProps = Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange' | 'className' | 'value'>

interface TextAreaProps extends FieldProps, AreaProps {
  readonly value: string
  readonly onChange: (value: string) => void
}

/** A field for several lines of text. */
export function TextArea(props: TextAreaProps): ReactNode {
  const { label, description, error, isOptional = false, onChange, ...rest } = props
  return (
    <Field label={label} description={description} error={error} isOptional={isOptional}>
      {(connection) => (
        <textarea
          rows={4}
          {...rest}
          {...connection}
          className="input"
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

/** A value that can be selected, with its text. */
export interface Option {
  readonly value: string
  readonly label: string
}

/** The options of a list to select from. */
export function Options({ options }: { readonly options: readonly Option[] }): ReactNode {
  return options.map(({ value, label }) => (
    <option key={value} value={value}>
      {label}
    </option>
  ))
}

type SelectProps = Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onChange' | 'className' | 'value'>

interface SelectFieldProps extends FieldProps, SelectProps {
  readonly value: string
  readonly options: readonly Option[]
  readonly onChange: (value: string) => void
}

/**
 * A field to select one of some values. It is the browser's own, because phones show their own list for it.
 */
export function SelectField(props: SelectFieldProps): ReactNode {
  const { label, description, error, isOptional = false, options, onChange, ...rest } = props
  return (
    <Field label={label} description={description} error={error} isOptional={isOptional}>
      {(connection) => (
        <select
          {...rest}
          {...connection}
          className="input select"
          onChange={(event) => onChange(event.target.value)}
        >
          <Options options={options} />
        </select>
      )}
    </Field>
  )
}

interface CheckboxProps extends Omit<InputProps, 'type' | 'checked'> {
  readonly label: string
  readonly description?: string | undefined
  readonly checked: boolean
  readonly onChange: (isChecked: boolean) => void
}

/** A checkbox with its text. */
export function Checkbox({ label, description, onChange, ...rest }: CheckboxProps): ReactNode {
  const id = useId()
  return (
    <div className="checkbox">
      <input
        {...rest}
        id={id}
        type="checkbox"
        aria-describedby={description === undefined ? undefined : `${id}-description`}
        onChange={(event) => onChange(event.target.checked)}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        {description !== undefined && (
          <p className="field-description" id={`${id}-description`}>
            {description}
          </p>
        )}
      </div>
    </div>
  )
}

interface RadioOption extends Option {
  readonly description?: string
}

interface RadioGroupProps {
  readonly label: string
  readonly name: string
  readonly options: readonly RadioOption[]
  readonly value: string
  readonly onChange: (value: string) => void
  readonly error?: string | undefined
}

interface FieldGroupProps {
  readonly label: string
  readonly error?: string | undefined
  readonly children: ReactNode
}

/** Fields with a common label and error. */
export function FieldGroup({ label, error, children }: FieldGroupProps): ReactNode {
  const id = useId()
  return (
    <fieldset
      className="field"
      aria-describedby={error === undefined ? undefined : `${id}-error`}
      data-invalid={error !== undefined}
    >
      <legend>{label}</legend>
      {children}
      {error !== undefined && (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </fieldset>
  )
}

/** Radio buttons, each with a description, for a choice between few values that need explanation. */
export function RadioGroup({ label, name, options, value, onChange, error }: RadioGroupProps): ReactNode {
  const id = useId()
  return (
    <FieldGroup label={label} error={error}>
      {options.map((option) => (
        <div className="checkbox" key={option.value}>
          <input
            type="radio"
            id={`${id}-${option.value}`}
            name={name}
            value={option.value}
            checked={option.value === value}
            aria-describedby={`${id}-${option.value}-description`}
            onChange={() => onChange(option.value)}
          />
          <div>
            <label htmlFor={`${id}-${option.value}`}>{option.label}</label>
            <p className="field-description" id={`${id}-${option.value}-description`}>
              {option.description}
            </p>
          </div>
        </div>
      ))}
    </FieldGroup>
  )
}
