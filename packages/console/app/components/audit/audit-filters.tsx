import type { ReactNode } from 'react'
import { auditTexts } from '../../texts/audit.ts'
import { FilterSelect, SearchField, Toolbar } from '../filters.tsx'
import { TimeFilter } from '../time-filter.tsx'
import { type KnownActors, listActorOptions } from './actors.ts'

/** The filters of the page, as its address has them. */
export interface AuditSearch {
  readonly actor?: string | undefined
  readonly type?: string | undefined
  readonly record?: string | undefined
  readonly action?: string | undefined
  /** ISO 8601. */
  readonly from?: string | undefined
  /** ISO 8601. */
  readonly to?: string | undefined
}

interface AuditFiltersProps {
  readonly search: AuditSearch
  readonly known: KnownActors
  /** The names of the kinds of records. */
  readonly recordTypes: Readonly<Record<string, string>>
  readonly onChange: (changes: AuditSearch) => void
}

const NO_FILTERS: AuditSearch = {
  actor: undefined,
  type: undefined,
  record: undefined,
  action: undefined,
  from: undefined,
  to: undefined,
}

/** The filters of the audit log: who, which record, what, and when. */
export function AuditFilters({ search, known, recordTypes, onChange }: AuditFiltersProps): ReactNode {
  const { actor = '', type = '', record = '', action = '', from, to } = search
  return (
    <Toolbar isFiltered={Object.keys(search).length > 0} onClear={() => onChange(NO_FILTERS)}>
      <SearchField
        label="Search by the id of a record"
        value={record}
        onSearch={(text) => onChange({ record: text })}
      />
      <FilterSelect
        label="Who"
        value={actor}
        options={listActorOptions(known, actor)}
        onChange={(value) => onChange({ actor: value })}
      />
      <FilterSelect
        label="Kind of record"
        value={type}
        options={toOptions(recordTypes, type)}
        onChange={(value) => onChange({ type: value })}
      />
      <FilterSelect
        label="Action"
        value={action}
        options={toOptions(auditTexts.actions, action)}
        onChange={(value) => onChange({ action: value })}
      />
      <TimeFilter label="From" value={from} onChange={(time) => onChange({ from: time })} />
      <TimeFilter label="To" value={to} onChange={(time) => onChange({ to: time })} />
    </Toolbar>
  )
}

/** Lists values with their names. The selected value is always among them. */
function toOptions(names: Readonly<Record<string, string>>, selected: string) {
  const options = Object.entries(names).map(([value, label]) => ({ value, label }))
  return selected === '' || Object.hasOwn(names, selected)
    ? options
    : [{ value: selected, label: selected }, ...options]
}
