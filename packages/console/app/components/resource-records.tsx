import { DEFAULT_PAGE_SIZE, type Page } from '@mintmark/envelope'
import type { DataOf } from '@mintmark/operation'
import type { ReactNode } from 'react'
import type { ConsoleOperation } from '../api/console-operation.ts'
import { useMayAct } from '../session/project-context.tsx'
import { RowActions } from './actions.tsx'
import { DataTable } from './data-table.tsx'
import { NoRows } from './empty.tsx'
import { Pagination, PartLinks } from './pagination.tsx'
import type { ActionContext, RecordOf, ResourceProps } from './resource-definition.ts'

/** What a list shows at present. */
export interface TableState<Item> {
  readonly isMatch: (item: Item) => boolean
  readonly isFiltered: boolean
  readonly isStale: boolean
  readonly sort: string | undefined
  readonly context: ActionContext
  readonly setSearch: (changes: Readonly<Record<string, string | undefined>>) => void
  /** Where the part of a list begins that is shown. */
  readonly before: number | undefined
}

type RecordsProps<O extends ConsoleOperation, Key extends string> = ResourceProps<O, Key> &
  TableState<RecordOf<O, Key>> & { readonly data: DataOf<O> }

/** Shows the records of a list with its pages or parts; without any, why. */
export function Records<O extends ConsoleOperation, Key extends string>(
  props: RecordsProps<O, Key>,
): ReactNode {
  const { data, title, rows: key, hasParts = false, before, pageParam = 'page', setSearch, isMatch } = props
  const page = isPage(data) ? data : undefined
  const fields = new Map<string, unknown>(Object.entries(data ?? {}))
  // The type of `rows` says where the records are.
  const all = (page?.list ?? (key === undefined ? data : fields.get(key))) as readonly RecordOf<O, Key>[]
  const rows = all.filter(isMatch)
  const next = fields.get('next')
  const hasNext = hasParts && typeof next === 'number' ? next : undefined
  // A page after the first stays one without entries, so that there is a way back.
  const hasTable = rows.length > 0 || (page !== undefined && page.pageNumber > 1)
  return (
    <>
      {hasTable ? <Table {...props} found={rows} /> : <NoRows {...props} hasMore={hasNext !== undefined} />}
      {page !== undefined && hasTable && (
        <Pagination
          pageNumber={page.pageNumber}
          pageSize={DEFAULT_PAGE_SIZE}
          count={rows.length}
          total={page.totalRow}
          isLast={page.lastPage}
          onPage={(number) => setSearch({ page: undefined, [pageParam]: String(number) })}
          label={title}
        />
      )}
      {hasParts && (
        <PartLinks
          isFirst={before === undefined}
          next={hasNext}
          onOpen={(id) => setSearch({ before: id === undefined ? undefined : String(id) })}
          label={title}
        />
      )}
    </>
  )
}

function isPage(data: unknown): data is Page<unknown> {
  return data instanceof Object && 'list' in data && 'totalRow' in data
}

type TableProps<O extends ConsoleOperation, Key extends string> = RecordsProps<O, Key> & {
  readonly found: readonly RecordOf<O, Key>[]
}

function Table<O extends ConsoleOperation, Key extends string>(props: TableProps<O, Key>): ReactNode {
  const { title, found, columns, getKey, link, onOpen, picture, rowActions, renderActions, nameOf, context } =
    props
  const { sort, setSearch, isStale, render } = props
  const mayAct = useMayAct()
  const table = (
    <DataTable
      label={title}
      columns={columns}
      rows={found}
      getKey={getKey}
      link={link}
      onOpen={onOpen}
      picture={picture}
      actions={
        mayAct
          ? (renderActions ??
            (rowActions &&
              ((item) => (
                <RowActions
                  name={nameOf?.(item) ?? ''}
                  actions={rowActions(item, { ...context, count: found.length })}
                />
              ))))
          : undefined
      }
      sort={sort}
      onSort={(name) => setSearch({ sort: name })}
      isStale={isStale}
    />
  )
  return render === undefined ? table : render(found, isStale, table)
}
