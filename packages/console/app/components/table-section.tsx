import type { ReactNode } from 'react'
import { useMayAct } from '../session/project-context.tsx'
import { type Actions, RowActions } from './actions.tsx'
import { DataTable, type DataTableProps } from './data-table.tsx'
import { Section } from './detail-list.tsx'
import { Empty, type EmptyTexts } from './empty.tsx'

interface TableSectionProps<Item> extends Omit<DataTableProps<Item>, 'label' | 'actions'> {
  readonly title: string
  readonly description?: ReactNode
  /** Shown without records. Default: no section. */
  readonly empty?: EmptyTexts
  /** Buttons beside the title. */
  readonly actions?: ReactNode
  /** The name of a record, for the names of its buttons. */
  readonly nameOf?: (item: Item) => string
  readonly rowActions?: (item: Item) => Actions
  /** Shown below the table. */
  readonly below?: ReactNode
}

/** Defines a section for records that a page has read, as data. */
export function defineTable<Item>(
  definition: Omit<TableSectionProps<Item>, 'rows'>,
): (props: { readonly rows: readonly Item[] }) => ReactNode {
  return ({ rows }) => <TableSection<Item> {...definition} rows={rows} />
}

/** Shows records that the page has read in a section. */
export function TableSection<Item>(props: TableSectionProps<Item>): ReactNode {
  const { title, description, empty, actions, rowActions, nameOf, below, ...table } = props
  const mayAct = useMayAct()
  if (table.rows.length === 0 && empty === undefined) return null
  return (
    <Section title={title} actions={actions}>
      {description !== undefined && <p className="muted">{description}</p>}
      {table.rows.length === 0 && empty !== undefined ? (
        <Empty {...empty} />
      ) : (
        <DataTable<Item>
          {...table}
          label={title}
          actions={
            rowActions && mayAct
              ? (item) => <RowActions name={nameOf?.(item) ?? ''} actions={rowActions(item)} />
              : undefined
          }
        />
      )}
      {below}
    </Section>
  )
}
