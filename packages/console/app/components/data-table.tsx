import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'
import { TABLE_WIDTH, useMediaQuery } from './use-media-query.ts'

/** A column of a table. */
export interface Column<Item> {
  /** Unique among the columns. */
  readonly key: string
  readonly header: string
  readonly cell: (item: Item) => ReactNode
  /** Numbers and amounts are aligned at their end. Default: `start`. */
  readonly align?: 'start' | 'end'
  /** The name in `orderBy` of the list, if the server can sort by this column. */
  readonly sort?: string
  /** Whether phones leave the column out. Default: no. */
  readonly isWideOnly?: boolean
}

export interface DataTableProps<Item> {
  /** What the table lists, for screen readers: `Orders`. */
  readonly label: string
  /**
   * The first column identifies the item. Its cell is the title on a phone; let it contain a link with the
   * class `row-link`.
   */
  readonly columns: readonly Column<Item>[]
  readonly rows: readonly Item[]
  readonly getKey: (item: Item) => string | number
  /** Buttons at the end of a row. */
  readonly actions?: ((item: Item) => ReactNode) | undefined
  /** The order in the notation of `orderBy`: a name, with ` desc` for descending order. */
  readonly sort?: string | undefined
  readonly onSort?: ((sort: string) => void) | undefined
  /** Whether the rows are those of a previous page, because the next one is being read. */
  readonly isStale?: boolean
}

/** Shows records in a table, or on narrow screens as a list of cards. */
export function DataTable<Item>(props: DataTableProps<Item>): ReactNode {
  const isWide = useMediaQuery(TABLE_WIDTH)
  return isWide ? <WideTable {...props} /> : <CardList {...props} />
}

function WideTable<Item>(props: DataTableProps<Item>): ReactNode {
  const { label, columns, rows, getKey, actions, sort, onSort, isStale = false } = props
  return (
    <div className="table-frame">
      <table className="table" aria-label={label} aria-busy={isStale}>
        <thead>
          <tr>
            {columns.map((column) => (
              <HeaderCell key={column.key} column={column} sort={sort} onSort={onSort} />
            ))}
            {actions !== undefined && (
              <th scope="col">
                <span className="visually-hidden">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={getKey(row)}>
              {columns.map(({ key, cell, align }) => (
                <td key={key} className={align === 'end' ? 'cell-end' : undefined}>
                  {cell(row)}
                </td>
              ))}
              {actions !== undefined && <td className="cell-actions">{actions(row)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface HeaderCellProps<Item> {
  readonly column: Column<Item>
  readonly sort: string | undefined
  readonly onSort: ((sort: string) => void) | undefined
}

function HeaderCell<Item>({ column, sort, onSort }: HeaderCellProps<Item>): ReactNode {
  const { header, align, sort: name } = column
  const className = align === 'end' ? 'cell-end' : undefined
  if (name === undefined || onSort === undefined) {
    return (
      <th scope="col" className={className}>
        {header}
      </th>
    )
  }
  const direction = sort === name ? 'ascending' : sort === `${name} desc` ? 'descending' : undefined
  const next = direction === 'ascending' ? `${name} desc` : name
  const label = direction === 'ascending' ? `Sort by ${header}, descending` : `Sort by ${header}, ascending`
  return (
    <th scope="col" className={className} aria-sort={direction}>
      <button type="button" className="sort-button" title={label} onClick={() => onSort(next)}>
        {header}
        {direction !== undefined && <Icon name={direction === 'ascending' ? 'sortUp' : 'sortDown'} />}
      </button>
    </th>
  )
}

function CardList<Item>(props: DataTableProps<Item>): ReactNode {
  const { label, columns, rows, getKey, actions, isStale = false } = props
  const [title, ...others] = columns.filter(({ isWideOnly }) => isWideOnly !== true)
  return (
    <ul className="card-list" aria-label={label} aria-busy={isStale}>
      {rows.map((row) => (
        <li key={getKey(row)} className="card-item">
          <div className="card-item-title">
            <div className="grow">{title?.cell(row)}</div>
            {actions?.(row)}
          </div>
          <dl>
            {others.map(({ key, header, cell }) => (
              <div key={key}>
                <dt>{header}</dt>
                <dd>{cell(row)}</dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  )
}
