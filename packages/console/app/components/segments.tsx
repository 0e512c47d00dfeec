import { type ReactNode, useId } from 'react'
import type { Option } from './field.tsx'

interface SegmentsProps {
  /** What is chosen, for screen readers. */
  readonly label: string
  readonly value: string
  readonly options: readonly Option[]
  readonly onChange: (value: string) => void
}

/** A choice between two to four values that are all visible. It changes what is shown, and is no input of a form. */
export function Segments({ label, value, options, onChange }: SegmentsProps): ReactNode {
  const name = useId()
  return (
    <fieldset className="segments" aria-label={label} data-transient>
      {options.map((option) => (
        <label key={option.value} className="segment">
          <input
            type="radio"
            className="visually-hidden"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span>{option.label}</span>
        </label>
      ))}
    </fieldset>
  )
}
