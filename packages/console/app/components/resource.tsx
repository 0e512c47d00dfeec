import { DEFAULT_PAGE_SIZE, type Page } from '@mintmark/envelope'
import type { DataOf, InputOf } from '@mintmark/operation'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ConsoleOperation } from '../api/console-operation.ts'
import { useRecords } from '../api/lists.ts'
import { readPageNumber } from '../navigation/search-params.ts'
import { useSearchState } from '../navigation/use-address.ts'
import {
  useBasePath,
  useIsCovered,
  useMayAct,
  useOpenProject,
  useSession,
} from '../session/project-context.tsx'
import { componentTexts } from '../texts/shell.ts'
import { type Action, ActionButtons, type Actions, RowActions } from './actions.tsx'
import { Button } from './button.tsx'
import { type Columns, DataTable } from './data-table.tsx'
import { Section } from './detail-list.tsx'
import type { IconName } from './icon.tsx'
import { type ListFilters, useListFilters } from './list-filters.tsx'
import { PageHeader } from './page-header.tsx'
import { Pagination } from './pagination.tsx'
import { PartLinks } from './part-links.tsx'
import { EmptyState } from './placeholders.tsx'
import { QueryView } from './query-view.tsx'

/** The records that an operation returns: in a page, in an array, or in a field `Key`. */
export type RecordOf<O, Key = never> = [Key] extends [never]
  ? DataOf<O> extends Page<infer Item>
    ? Item
    : ItemIn<DataOf<O>>
  : Key extends keyof DataOf<O>
    ? ItemIn<DataOf<O>[Key]>
    : never

type ItemIn<List> = List extends readonly (infer Item)[] ? Item : never

/** Says that there are no records, and what to do about it. */
export interface EmptyTexts {
  readonly icon: IconName
  readonly title: string
  readonly advice?: string
  /** The advice for a person who may change nothing. Default: `advice`. */
  readonly adviceToRead?: string
  /** The next step. */
  readonly action?: Action
}

/** Shows that there are no records. */
export function Empty({ action, ...texts }: EmptyTexts): ReactNode {
  return <EmptyState {...texts} action={action && <ActionButtons actions={[action]} />} />
}

/** What the actions of a page can use. */
export interface ActionContext {
  /** Opens a page, below the address of the project or of operators. */
  readonly go: (path: string) => void
  /** Reads the records again. */
  readonly refresh: () => void
  readonly personId: string
  /** The wallet of the person in the project; `''` without one. */
  readonly wallet: string
  /** The number of records that are shown. */
  readonly count: number
  /** The values of the filters. */
  readonly search: Readonly<Record<string, string>>
}

type ListInput<O> = Omit<InputOf<O>, 'pageNumber' | 'pageSize' | 'cursor' | 'orderBy' | 'before'>

/** A list of records, as data. */
export interface Resource<O extends ConsoleOperation, Key extends string = never> {
  readonly title: string
  readonly columns: Columns<RecordOf<O, Key>>
  readonly getKey: (item: RecordOf<O, Key>) => string | number
  /** What is shown without any record. */
  readonly empty: EmptyTexts
  /** What is shown if a part has no record that matches, but the next one may. */
  readonly emptyPart?: { readonly title: string; readonly advice: string }
  /** The field of the data that has the records, if the operation returns no list. */
  readonly rows?: Key
  /** Whether the list has parts instead of pages: `before` begins the next one. Default: no. */
  readonly hasParts?: boolean
  /** In the order of the toolbar. */
  readonly filters?: ListFilters<ListInput<O>, RecordOf<O, Key>>
  readonly link?: (item: RecordOf<O, Key>) => string | undefined
  readonly onOpen?: (item: RecordOf<O, Key>) => void
  readonly picture?: (item: RecordOf<O, Key>) => string
  /** The name of a record, for the names of its buttons. */
  readonly nameOf?: (item: RecordOf<O, Key>) => string
  readonly rowActions?: (item: RecordOf<O, Key>, context: ActionContext) => Actions
  /** Shows the buttons of a record otherwise. */
  readonly renderActions?: (item: RecordOf<O, Key>) => ReactNode
  readonly actions?: (context: ActionContext) => Actions
  /** Whether there is a button that reads the records again, which are then never shown from the cache. */
  readonly canRefresh?: boolean
  /** Milliseconds for which the records count as current. Default: a minute. */
  readonly staleTime?: number
  /** Milliseconds until the records are read again, because they are about to change. */
  readonly refreshMs?: (data: DataOf<O>) => number | undefined
  readonly lines?: number
  /** The name of the page's number in the address. Default: `page`. */
  readonly pageParam?: string
  /** Shows the records otherwise than in a table. */
  readonly render?: (rows: readonly RecordOf<O, Key>[], isStale: boolean, table: ReactNode) => ReactNode
  /** Shown in the toolbar after the filters. */
  readonly view?: ReactNode
  /** Shown below the records. */
  readonly below?: ReactNode
}

interface ResourceProps<O extends ConsoleOperation, Key extends string> extends Resource<O, Key> {
  readonly operation: O
  readonly input: Partial<ListInput<O>>
}

interface PageDefinition {
  readonly description?: ReactNode
  /** The name in the title of the browser's tab, for pages of no project. */
  readonly context?: string
  /** Shown between the header and the list, such as tabs. */
  readonly above?: ReactNode
}

/**
 * Defines a page with a list, as data: an operation, the columns of its records, filters by its input, and
 * what people can do. The columns and the filters are checked against the operation.
 *
 * @example
 * export const StoresPage = defineResource(stores.list, {
 *   title: 'Stores',
 *   columns: { name: 'Name', createTime: 'Created' },
 *   getKey: ({ id }) => id,
 *   empty: { icon: 'store', title: 'No stores yet' },
 * })
 */
export function defineResource<O extends ConsoleOperation, Key extends string = never>(
  operation: O,
  definition: Resource<O, Key> & PageDefinition,
): () => ReactNode {
  const { description, context, above, ...resource } = definition
  return function ResourcePage() {
    const project = useOpenProject()
    const { buttons, content } = useResource({ ...resource, operation, input: {} })
    return (
      <>
        <PageHeader
          title={resource.title}
          context={context ?? project?.projectName ?? ''}
          {...(description !== undefined && { description })}
          actions={buttons}
        />
        {above}
        {content}
      </>
    )
  }
}

interface SectionProps<O extends ConsoleOperation, Key extends string> extends ResourceProps<O, Key> {
  readonly description?: ReactNode
}

/** Shows a list in a section of a page. It is data, as for {@link defineResource}. */
export function ResourceSection<O extends ConsoleOperation, Key extends string = never>({
  description,
  ...resource
}: SectionProps<O, Key>): ReactNode {
  const { buttons, content } = useResource(resource)
  return (
    <Section title={resource.title} actions={buttons}>
      {description !== undefined && <p className="muted">{description}</p>}
      {content}
    </Section>
  )
}

/** Returns the buttons of a list, and the list. */
function useResource<O extends ConsoleOperation, Key extends string>(
  props: ResourceProps<O, Key>,
): { readonly buttons: ReactNode; readonly content: ReactNode } {
  const {
    operation,
    filters = {},
    view,
    hasParts = false,
    actions,
    canRefresh = false,
    below,
    lines = 8,
  } = props
  const { pageParam = 'page', staleTime = canRefresh ? 0 : undefined } = props
  const { input, isFiltered, isImpossible, isMatch, values, toolbar } = useListFilters<
    ListInput<O>,
    RecordOf<O, Key>
  >(filters, view)
  const [search, setSearch] = useSearchState(pageParam, 'sort', 'before')
  const sort = search.sort
  const isPaged = 'paged' in operation && operation.paged === true
  const page = isPaged ? { pageNumber: readPageNumber(search[pageParam]), orderBy: sort } : undefined
  const part = hasParts ? { before: readId(search.before) } : {}
  // The fields are those of the operation's input. What is left out has defaults.
  const request = { ...props.input, ...input, ...part } as InputOf<O>
  const isCovered = useIsCovered()
  const query = useRecords(operation, request, page, {
    staleTime,
    refreshMs: isCovered ? undefined : props.refreshMs,
  })
  const context = useActionContext(() => void query.refetch(), values)
  const table: TableState<RecordOf<O, Key>> = {
    isMatch,
    isFiltered: isFiltered || isImpossible,
    isStale: query.isPlaceholderData,
    sort,
    context,
    setSearch: (changes) => setSearch({ ...changes }),
    before: part.before,
  }
  const content = (
    <>
      {toolbar}
      <QueryView query={query} lines={lines}>
        {(data) =>
          isImpossible ? <NoRows {...props} isFiltered /> : <Records {...props} data={data} {...table} />
        }
      </QueryView>
      {below}
    </>
  )
  const buttons = (
    <>
      {canRefresh && (
        <Button onClick={context.refresh} isPending={query.isFetching}>
          Refresh
        </Button>
      )}
      {actions !== undefined && <ActionButtons actions={actions(context)} />}
    </>
  )
  return { buttons, content }
}

function readId(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined
}

function useActionContext(refresh: () => void, search: ActionContext['search']): ActionContext {
  const base = useBasePath()
  const navigate = useNavigate()
  const { personId } = useSession()
  const wallet = useOpenProject()?.wallet ?? ''
  return {
    go: (path) => void navigate({ to: `${base}/${path}` }),
    refresh,
    personId,
    wallet,
    count: 0,
    search,
  }
}

interface TableState<Item> {
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

function Records<O extends ConsoleOperation, Key extends string>(props: RecordsProps<O, Key>): ReactNode {
  const { data, title, rows: key, hasParts = false, before, pageParam = 'page', setSearch, isMatch } = props
  const page = isPage(data) ? data : undefined
  const fields = new Map<string, unknown>(Object.entries(data ?? {}))
  // The type of `rows` says where the records are.
  const all = (page?.list ?? (key === undefined ? data : fields.get(key))) as readonly RecordOf<O, Key>[]
  const rows = all.filter(isMatch)
  const next = fields.get('next')
  const hasNext = hasParts && typeof next === 'number' ? next : undefined
  return (
    <>
      {rows.length > 0 || (page !== undefined && page.pageNumber > 1) ? (
        <Table {...props} found={rows} />
      ) : (
        <NoRows {...props} hasMore={hasNext !== undefined} />
      )}
      {page !== undefined && rows.length > 0 && (
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

interface NoRowsProps {
  readonly empty: EmptyTexts
  readonly emptyPart?: { readonly title: string; readonly advice: string }
  readonly isFiltered: boolean
  /** Whether the rest of the list is not searched yet. */
  readonly hasMore?: boolean
}

function NoRows({ empty, emptyPart, isFiltered, hasMore = false }: NoRowsProps): ReactNode {
  if (hasMore && emptyPart !== undefined) return <EmptyState icon="search" {...emptyPart} />
  if (!isFiltered) return <Empty {...empty} />
  return (
    <EmptyState icon="search" title={componentTexts.notFoundTitle} advice={componentTexts.notFoundAdvice} />
  )
}
