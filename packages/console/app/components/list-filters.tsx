import type { ReactNode } from 'react'
import { useSearchState } from '../navigation/use-address.ts'
import type { Option } from './field.tsx'
import { FilterSelect, SearchField, TimeFilter, Toolbar } from './filters.tsx'

/** A filter of a list, whose value is in the address. */
export interface ListFilter<Input, Item = never> {
  /** Its name, or what the search finds: `Search by name`. Undefined: a link sets the filter. */
  readonly label?: string
  /**
   * The values with their labels. Undefined: a text is searched for. A function is a hook, which gets the
   * selected value.
   */
  readonly options?: Readonly<Record<string, string>> | ((selected: string) => readonly Option[])
  /** Whether the value is a time, ISO 8601. Default: no. */
  readonly isTime?: boolean
  /** The value that is selected without another one, where there is no list of all. */
  readonly initial?: string
  /** Shows what a link has selected. */
  readonly note?: (value: string, values: Readonly<Record<string, string>>) => ReactNode
  /**
   * Makes the input of the list from the value.
   *
   * @param values Those of all filters.
   * @returns Undefined if nothing can match the value.
   */
  readonly toInput?: (value: string, values: Readonly<Record<string, string>>) => Partial<Input> | undefined
  /** Whether a record matches the value, where the operation has no input for it. */
  readonly matches?: (item: Item, value: string) => boolean
}

/** Filters by their names in the address. */
export type ListFilters<Input, Item = never> = Readonly<Record<string, ListFilter<Input, Item>>>

interface FilterState<Input, Item> {
  readonly input: Partial<Input>
  readonly isFiltered: boolean
  /** Whether nothing can match what is searched for. */
  readonly isImpossible: boolean
  /** Whether a record matches the filters that the operation does not know. */
  readonly isMatch: (item: Item) => boolean
  readonly values: Readonly<Record<string, string>>
  readonly toolbar: ReactNode
}

/** Reads the filters in the address, and shows them. */
export function useListFilters<Input, Item>(
  filters: ListFilters<Input, Item>,
  view: ReactNode,
): FilterState<Input, Item> {
  const names = Object.keys(filters)
  const [search, setSearch] = useSearchState(...names)
  const values: Record<string, string> = {}
  for (const [name, { options, initial }] of Object.entries(filters)) {
    const set = search[name]
    const isKnown = set !== undefined && (typeof options !== 'object' || Object.hasOwn(options, set))
    const value = isKnown ? set : initial
    if (value !== undefined) values[name] = value
  }
  const inputs = Object.entries(values).map(([name, value]) => {
    const { toInput = () => ({}) } = filters[name] ?? {}
    return toInput(value, values)
  })
  const isFiltered = names.some((name) => name in values && filters[name]?.initial === undefined)
  // Parts of a list begin before an id of the filtered list.
  const change = (name: string, value: string) => setSearch({ [name]: value, before: undefined })
  // A choice that always has a value is no filter to clear.
  const clearable = names.filter((name) => isClearable(filters[name]))
  const isChanged = clearable.some((name) => name in values && values[name] !== filters[name]?.initial)
  const clear = () =>
    setSearch({ ...Object.fromEntries(clearable.map((name) => [name, undefined])), before: undefined })
  const toolbar = (names.length > 0 || view !== undefined) && (
    <Toolbar isFiltered={isChanged} onClear={clear}>
      {Object.entries(filters).map(([name, filter]) => (
        <FilterInput
          key={name}
          filter={filter}
          value={values[name] ?? ''}
          values={values}
          onChange={(value) => change(name, value)}
        />
      ))}
      {view}
    </Toolbar>
  )
  const isMatch = (item: Item) =>
    Object.entries(values).every(([name, value]) => filters[name]?.matches?.(item, value) ?? true)
  const input: Partial<Input> = Object.assign({}, ...inputs)
  return { input, isFiltered, isImpossible: inputs.includes(undefined), isMatch, values, toolbar }
}

const isClearable = (filter: { readonly options?: unknown; readonly initial?: unknown } = {}) =>
  filter.initial === undefined || filter.options === undefined

interface FilterInputProps {
  readonly filter: Pick<ListFilter<never>, 'label' | 'options' | 'isTime' | 'initial' | 'note'>
  readonly value: string
  readonly values: Readonly<Record<string, string>>
  readonly onChange: (value: string) => void
}

function FilterInput({ filter, value, values, onChange }: FilterInputProps): ReactNode {
  const { label, options, isTime, initial, note } = filter
  if (label === undefined) return value === '' ? null : note?.(value, values)
  if (isTime) return <TimeFilter label={label} value={value} onChange={onChange} />
  if (options === undefined) return <SearchField label={label} value={value} onSearch={onChange} />
  if (typeof options === 'function') {
    return <LoadedSelect label={label} useOptions={options} value={value} onChange={onChange} />
  }
  return (
    <FilterSelect
      label={label}
      value={value}
      options={Object.entries(options).map(([key, name]) => ({ value: key, label: name }))}
      hasAll={initial === undefined}
      onChange={onChange}
    />
  )
}

interface LoadedSelectProps {
  readonly label: string
  readonly useOptions: (selected: string) => readonly Option[]
  readonly value: string
  readonly onChange: (value: string) => void
}

function LoadedSelect({ useOptions, ...select }: LoadedSelectProps): ReactNode {
  return <FilterSelect {...select} options={useOptions(select.value)} />
}
