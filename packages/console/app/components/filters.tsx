import { type ReactNode, useEffect, useRef, useState } from 'react'
import { fromLocalInput, toLocalInput } from '../format/time.ts'
import { t } from '../language/translate.ts'
import { Button } from './button.tsx'
import { type Option, SelectField, TextField } from './field.tsx'
import { Icon } from './icon.tsx'

/** The search waits until a person stops typing for so long. */
const TYPING_MS = 300

interface SearchFieldProps {
  /** What can be searched for: `Search by number or name`. */
  readonly label: string
  readonly value: string
  readonly onSearch: (text: string) => void
}

/** The search of a list. The key `/` moves the focus to it. */
export function SearchField({ label, value, onSearch }: SearchFieldProps): ReactNode {
  const [text, setText] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const searched = useRef(value)
  useEffect(() => {
    // The person types on while the list is searched, for example the next word after a space.
    if (value === searched.current) return
    // The address changed otherwise, for example by the button of the browser that goes back.
    clearTimeout(timer.current)
    searched.current = value
    setText(value)
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])
  const search = (next: string) => {
    clearTimeout(timer.current)
    if (next.trim() === value) return
    searched.current = next.trim()
    onSearch(next.trim())
  }
  return (
    <search className="search-field">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          search(text)
        }}
      >
        <Icon name="search" />
        <input
          type="search"
          className="input"
          aria-label={label}
          placeholder={label}
          aria-keyshortcuts="/"
          data-search
          value={text}
          onChange={({ target }) => {
            setText(target.value)
            clearTimeout(timer.current)
            timer.current = setTimeout(() => search(target.value), TYPING_MS)
          }}
        />
      </form>
    </search>
  )
}

interface FilterSelectProps {
  readonly label: string
  /** `''` for all. */
  readonly value: string
  readonly options: readonly Option[]
  readonly onChange: (value: string) => void
  /** Whether the filter can be left out. Default: yes. */
  readonly hasAll?: boolean
}

/** A filter by one of some values. */
export function FilterSelect({ options, hasAll = true, ...props }: FilterSelectProps): ReactNode {
  const all = hasAll ? [{ value: '', label: t('All') }] : []
  return <SelectField {...props} options={[...all, ...options]} isFilter />
}

interface ToolbarProps {
  readonly children: ReactNode
  /** Whether a filter is set. */
  readonly isFiltered: boolean
  readonly onClear: () => void
}

/** The search and the filters above a list. */
export function Toolbar({ children, isFiltered, onClear }: ToolbarProps): ReactNode {
  return (
    <section className="toolbar" aria-label={t('Filters')}>
      {children}
      {isFiltered && (
        <Button kind="plain" onClick={onClear}>
          {t('Clear filters')}
        </Button>
      )}
    </section>
  )
}

interface TimeFilterProps {
  readonly label: string
  /** ISO 8601; `''` for any time. */
  readonly value: string
  readonly onChange: (time: string) => void
}

/** A filter by one end of a time range, in the time zone of the browser. */
export function TimeFilter({ label, value, onChange }: TimeFilterProps): ReactNode {
  const isTime = !Number.isNaN(Date.parse(value))
  return (
    <TextField
      label={label}
      type="datetime-local"
      value={isTime ? toLocalInput(value) : ''}
      onChange={(entered) => onChange(fromLocalInput(entered) ?? '')}
      isFilter
    />
  )
}
