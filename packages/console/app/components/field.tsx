import { type ComponentProps, type JSX, type ReactNode, useId } from 'react'
import { t } from '../language/translate.ts'

interface FieldProps {
  readonly label: string
  /** What to enter, with an example where the label is not enough. */
  readonly description?: string | undefined
  /** Why the value is refused. */
  readonly error?: string | undefined
  /** Whether to mark the field as optional. Default: no. */
  readonly isOptional?: boolean
  /** Whether it is a filter above a list. Default: no. */
  readonly isFilter?: boolean
}

/** A field around an element of the browser, with the attributes of that element. */
type FieldOf<Name extends 'input' | 'select' | 'textarea'> = FieldProps &
  Omit<ComponentProps<Name>, 'onChange' | 'className' | 'value'> & {
    readonly value: string
    readonly onChange: (value: string) => void
  }

type Attributes<Props> = Omit<Props, keyof FieldProps> & Pick<JSX.IntrinsicElements['input'], 'aria-invalid'>

/**
 * Shows a label above an element, and its description and error below. `show` gets the other attributes, and those
 * that connect the element with the texts.
 */
function Field<Props extends FieldProps>(
  props: Props & { readonly show: (attributes: Attributes<Props>) => ReactNode },
): ReactNode {
  const { label, description, error, isOptional = false, isFilter = false, show, ...attributes } = props
  const id = useId()
  const describedBy = [description && `${id}-description`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className={isFilter ? 'filter' : 'field'}>
      <label htmlFor={id}>
        {label}
        {isOptional && <span className="faint"> {t('(optional)')}</span>}
      </label>
      {show({
        ...(attributes as Attributes<Props>),
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

/**
 * A field for a line of text, a number, a password or a time, by its `type`. With `isCode`, what is entered is a
 * key or an address, so that each character matters.
 */
export function TextField({
  isCode = false,
  ...props
}: FieldOf<'input'> & { readonly isCode?: boolean }): ReactNode {
  return (
    <Field<FieldOf<'input'>>
      {...props}
      show={({ onChange, ...input }) => (
        <input
          {...input}
          className={isCode ? 'input mono' : 'input'}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    />
  )
}

/** A field for several lines of text. */
export function TextArea(props: FieldOf<'textarea'>): ReactNode {
  return (
    <Field<FieldOf<'textarea'>>
      {...props}
      show={({ onChange, ...area }) => (
        <textarea rows={4} {...area} className="input" onChange={({ target }) => onChange(target.value)} />
      )}
    />
  )
}

/** A value that can be selected, with its text. */
export interface Option {
  readonly value: string
  readonly label: string
}

/**
 * A field to select one of some values. It is the browser's own, because phones show their own list for it.
 */
export function SelectField({
  options,
  ...props
}: FieldOf<'select'> & { readonly options: readonly Option[] }): ReactNode {
  return (
    <Field<FieldOf<'select'>>
      {...props}
      show={({ onChange, ...select }) => (
        <select {...select} className="input select" onChange={({ target }) => onChange(target.value)}>
          {options.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
    />
  )
}

interface ChoiceProps extends Omit<ComponentProps<'input'>, 'onChange' | 'className'> {
  readonly label: string
  readonly description?: string | undefined
  readonly checked: boolean
  readonly onChange: (isChecked: boolean) => void
}

/** A checkbox with its text, or a radio button by its `type`. */
export function Checkbox({ label, description, onChange, ...rest }: ChoiceProps): ReactNode {
  const id = useId()
  return (
    <div className="checkbox">
      <input
        type="checkbox"
        {...rest}
        id={id}
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

interface RadioGroupProps {
  readonly label: string
  readonly name: string
  readonly options: readonly (Option & { readonly description?: string })[]
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
  return (
    <FieldGroup label={label} error={error}>
      {options.map((option) => (
        <Checkbox
          key={option.value}
          {...option}
          type="radio"
          name={name}
          checked={option.value === value}
          onChange={() => onChange(option.value)}
        />
      ))}
    </FieldGroup>
  )
}
