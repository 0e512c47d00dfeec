import { type ReactNode, useCallback, useSyncExternalStore } from 'react'
import { findExplorerLink, formatChain } from '../format/chains.ts'
import { formatCount } from '../format/number.ts'
import { formatDuration } from '../format/time.ts'
import { t } from '../language/translate.ts'
import { ProjectLink } from '../navigation/project-link.tsx'
import { componentTexts } from '../texts/shell.ts'
import { Identifier } from './copy-button.tsx'
import { Icon } from './icon.tsx'
import { TitledPicture } from './picture.tsx'
import { Time } from './time.tsx'

/** A column of a table. */
export interface Column<Item> {
  readonly label: string
  /** Default: the field, shown as its name and value require. */
  readonly cell?: (item: Item) => ReactNode
  /** Default: `end` for a field that is a number, otherwise `start`. */
  readonly align?: 'start' | 'end'
  /** Whether the server can sort by the field. A text is another name in `orderBy`. Default: no. */
  readonly sort?: boolean | string
  /** Whether phones leave the column out. Default: no. */
  readonly isWideOnly?: boolean
}

/**
 * The columns of a table, by the field of the record that each shows: its label, or more. A name with `_` shows
 * several fields. The first column identifies the record. Its cell is the title on a phone.
 */
export type Columns<Item> = {
  readonly [Field in keyof Item & string]?: string | Column<Item>
} & { readonly [name: `_${string}`]: Column<Item> & Required<Pick<Column<Item>, 'cell'>> }

export interface DataTableProps<Item> {
  /** What the table lists, for screen readers: `Orders`. */
  readonly label: string
  readonly columns: Columns<Item>
  readonly rows: readonly Item[]
  /** Default: its field `id`. */
  readonly getKey?: ((item: Item) => string | number) | undefined
  /** The page of a record, below the address of the project or of operators. */
  readonly link?: ((item: Item) => string | undefined) | undefined
  /** Shows a record, instead of a page of its own. */
  readonly onOpen?: ((item: Item) => void) | undefined
  /** The address of an image beside the title of a record. */
  readonly picture?: ((item: Item) => string) | undefined
  /** Buttons at the end of a row. */
  readonly actions?: ((item: Item) => ReactNode) | undefined
  /** The order in the notation of `orderBy`: a name, with ` desc` for descending order. */
  readonly sort?: string | undefined
  readonly onSort?: ((sort: string) => void) | undefined
  /** What the rows add up to: a last row. */
  readonly total?: Item
  /** Whether the rows are those of a previous page, because the next one is being read. */
  readonly isStale?: boolean | undefined
}

/** Creates a column whose cells end at the same place, such as one of amounts. */
export const alignEnd = <Item,>(
  label: string,
  cell: (item: Item) => ReactNode,
): Column<Item> & Required<Pick<Column<Item>, 'cell'>> => ({
  label,
  align: 'end',
  cell,
})

interface ShownColumn<Item> extends Omit<Column<Item>, 'sort'> {
  readonly field: string
  readonly cell: (item: Item) => ReactNode
  readonly sort: string | undefined
}

/** Shows records in a table, or on narrow screens as a list of cards. */
export function DataTable<Item>(props: DataTableProps<Item>): ReactNode {
  const isWide = useMediaQuery(TABLE_WIDTH)
  const columns = listColumns(props)
  return isWide ? <WideTable {...props} shown={columns} /> : <CardList {...props} shown={columns} />
}

function listColumns<Item>(props: DataTableProps<Item>): readonly ShownColumn<Item>[] {
  const { columns, rows } = props
  return Object.entries<string | Column<Item> | undefined>(columns).flatMap(([field, column], index) => {
    if (column === undefined) return []
    const given = typeof column === 'string' ? { label: column } : column
    const { cell = (item: Item) => showField(item, field), sort } = given
    const isNumber = given.cell === undefined && typeof readField(rows[0], field) === 'number'
    const shown: ShownColumn<Item> = {
      align: isNumber && !IS_ID.test(field) ? 'end' : 'start',
      ...given,
      field,
      cell: index === 0 ? (item) => showTitle(props, item, cell(item)) : cell,
      sort: sort === true ? field : sort || undefined,
    }
    return [shown]
  })
}

function readField(record: unknown, field: string): unknown {
  return record instanceof Object ? Reflect.get(record, field) : undefined
}

function readId(record: unknown): string {
  const id = readField(record, 'id')
  if (id === undefined) throw new Error('Records without an id need getKey')
  return String(id)
}

/** An address or a hash of an EVM chain or of Solana. */
const CHAIN_ID = /^(0x[\da-fA-F]{40,}|[1-9A-HJ-NP-Za-km-z]{43,88})$/

/** Names of fields with numbers that count nothing. */
const IS_ID = /^(id|.*Id)$/

/** The fields that a block explorer has a page for, if the record names its chain. */
const explored: Readonly<Record<string, 'tx' | 'address'>> = {
  hash: 'tx',
  transaction: 'tx',
  nftAddress: 'address',
}

/** Shows a field of a record: a time, a duration, a count, a chain, an address or a text. */
function showField(record: unknown, field: string): ReactNode {
  const value = readField(record, field)
  if (field === 'chainId' || field === 'network') return formatChain(String(value).replace(/^eip155:/, ''))
  if (typeof value === 'number' && IS_ID.test(field)) return value
  if (typeof value === 'number' && field.endsWith('Seconds')) return formatDuration(value * 1000)
  if (typeof value === 'number') return formatCount(value)
  if (typeof value === 'boolean') return value ? componentTexts.yes : componentTexts.no
  const text = Array.isArray(value) ? value.join(', ') : String(value ?? '')
  if (field.endsWith('Time')) return <Time value={text} />
  if (text === '') return <span className="faint">{componentTexts.none}</span>
  const [page, chainId] = [explored[field], readField(record, 'chainId')]
  if (page !== undefined && chainId !== undefined)
    return <Identifier value={text} link={findExplorerLink(String(chainId), page, text)} />
  return CHAIN_ID.test(text) ? <Identifier value={text} /> : <span className="break">{text}</span>
}

function showTitle<Item>(
  { link, onOpen, picture }: DataTableProps<Item>,
  item: Item,
  title: ReactNode,
): ReactNode {
  const to = link?.(item)
  const linked =
    to !== undefined ? (
      <ProjectLink to={to} className="row-link">
        {title}
      </ProjectLink>
    ) : onOpen !== undefined ? (
      <button type="button" className="link-button row-link" onClick={() => onOpen(item)}>
        {title}
      </button>
    ) : (
      title
    )
  return picture === undefined ? linked : <TitledPicture address={picture(item)}>{linked}</TitledPicture>
}

type ShownProps<Item> = DataTableProps<Item> & { readonly shown: readonly ShownColumn<Item>[] }

function WideTable<Item>(props: ShownProps<Item>): ReactNode {
  const { label, shown, rows, getKey = readId, actions, sort, onSort, total, isStale = false } = props
  return (
    <div className="table-frame frame">
      <table className="table" aria-label={label} aria-busy={isStale}>
        <thead>
          <tr>
            {shown.map((column) => (
              <HeaderCell key={column.field} column={column} sort={sort} onSort={onSort} />
            ))}
            {actions !== undefined && (
              <th scope="col">
                <span className="visually-hidden">{t('Actions')}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={getKey(row)}>
              {shown.map(({ field, cell, align }) => (
                <td key={field} className={align === 'end' ? 'cell-end' : undefined}>
                  {cell(row)}
                </td>
              ))}
              {actions !== undefined && <td className="cell-actions">{actions(row)}</td>}
            </tr>
          ))}
        </tbody>
        {total !== undefined && (
          <tfoot>
            <tr>
              {shown.map(({ field, cell, align }, index) => (
                <td key={field} className={align === 'end' ? 'cell-end' : undefined}>
                  {index === 0 ? componentTexts.total : cell(total)}
                </td>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  )
}

interface HeaderCellProps<Item> {
  readonly column: ShownColumn<Item>
  readonly sort: string | undefined
  readonly onSort: ((sort: string) => void) | undefined
}

function HeaderCell<Item>({ column, sort, onSort }: HeaderCellProps<Item>): ReactNode {
  const { label, align, sort: name } = column
  const className = align === 'end' ? 'cell-end' : undefined
  if (name === undefined || onSort === undefined) {
    return (
      <th scope="col" className={className}>
        {label}
      </th>
    )
  }
  const direction = sort === name ? 'ascending' : sort === `${name} desc` ? 'descending' : undefined
  const next = direction === 'ascending' ? `${name} desc` : name
  const title =
    direction === 'ascending'
      ? t('Sort by {label}, descending', { label })
      : t('Sort by {label}, ascending', { label })
  return (
    <th scope="col" className={className} aria-sort={direction}>
      <button type="button" className="link-button sort-button" title={title} onClick={() => onSort(next)}>
        {label}
        {direction !== undefined && <Icon name={direction === 'ascending' ? 'sortUp' : 'sortDown'} />}
      </button>
    </th>
  )
}

function CardList<Item>(props: ShownProps<Item>): ReactNode {
  const { label, shown, rows, getKey = readId, actions, total, isStale = false } = props
  const [title, ...others] = shown.filter(({ isWideOnly }) => isWideOnly !== true)
  const listFields = (row: Item) => (
    <dl>
      {others.map(({ field, label: name, cell }) => (
        <div key={field}>
          <dt>{name}</dt>
          <dd>{cell(row)}</dd>
        </div>
      ))}
    </dl>
  )
  return (
    <ul className="card-list" aria-label={label} aria-busy={isStale}>
      {rows.map((row) => (
        <li key={getKey(row)} className="card-item frame">
          <div className="card-item-title">
            <div className="grow">{title?.cell(row)}</div>
            {actions?.(row)}
          </div>
          {listFields(row)}
        </li>
      ))}
      {total !== undefined && (
        <li className="card-item frame">
          <div className="card-item-title">{componentTexts.total}</div>
          {listFields(total)}
        </li>
      )}
    </ul>
  )
}

/** Matches where a page is wide enough for tables; narrower pages show lists of cards. */
const TABLE_WIDTH = '(min-width: 700px)'

/** Whether a media query matches at present. */
function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (notify: () => void) => {
      const list = matchMedia(query)
      list.addEventListener('change', notify)
      return () => list.removeEventListener('change', notify)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches)
}
