import { type ReactNode, useId } from 'react'
import { fromLocalInput, toLocalInput } from '../format/time.ts'

interface TimeFilterProps {
  readonly label: string
  /** ISO 8601; `''` for any time. */
  readonly value: string
  readonly onChange: (time: string) => void
}

/** A filter by one end of a time range, in the time zone of the browser. */
export function TimeFilter({ label, value, onChange }: TimeFilterProps): ReactNode {
  const id = useId()
  const isTime = !Number.isNaN(Date.parse(value))
  return (
    <div className="filter">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="datetime-local"
        className="input"
        value={isTime ? toLocalInput(value) : ''}
        onChange={({ target }) => onChange(fromLocalInput(target.value) ?? '')}
      />
    </div>
  )
}
