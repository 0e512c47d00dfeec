import { DEFAULT_PAGE_SIZE, type Page } from '@mintmark/envelope'
import type { DataOf, InputOf } from '@mintmark/operation'
import type { ReactNode } from 'react'
import type { ConsoleOperation } from '../api/console-operation.ts'
import { useRecords } from '../api/lists.ts'
import { t } from '../language/translate.ts'
import { readPageNumber } from '../navigation/search-params.ts'
import { useSearchState } from '../navigation/use-address.ts'
import { useIsCovered, useMayAct } from '../session/project-context.tsx'
import { ActionButtons, RowActions } from './actions.tsx'
import { Button } from './button.tsx'
import { DataTable } from './data-table.tsx'
import { Section } from './detail-list.tsx'
import { NoRows } from './empty.tsx'
import { useListFilters } from './list-filters.tsx'
import { PageHeader, type PageHeaderProps } from './page-header.tsx'
import { Pagination, PartLinks } from './pagination.tsx'
import { QueryView } from './query-view.tsx'
import type { ActionContext, ListInput, RecordOf, Resource, ResourceProps } from './resource-definition.ts'
import { useActionContext } from './use-action-context.ts'

interface PageDefinition {
  readonly description?: ReactNode
  /** The page above, to which a link leads. */
  readonly list?: PageHeaderProps['list']
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
 *   empty: { icon: 'store', title: 'No stores yet' },
 * })
 */
export function defineResource<O extends ConsoleOperation, Key extends string = never>(
  operation: O,
  definition: Resource<O, Key> & PageDefinition,
): () => ReactNode {
  return () => <ResourcePage {...definition} operation={operation} />
}

/** Shows a page with a list whose definition depends on its address, or on what was read. */
export function ResourcePage<O extends ConsoleOperation, Key extends string = never>({
  description,
  list,
  above,
  ...resource
}: ResourceProps<O, Key> & PageDefinition): ReactNode {
  const { buttons, content } = useResource(resource)
  return (
    <>
      <PageHeader title={resource.title} description={description} list={list} actions={buttons} />
      {above}
      {content}
    </>
  )
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
  const { operation, filters = {}, view, hasParts = false, actions, canRefresh = false, below } = props
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
    enabled: !isImpossible,
    staleTime,
    refreshMs: isCovered ? undefined : props.refreshMs,
  })
  const context = useActionContext(() => void query.refetch(), values)
  const table: TableState<RecordOf<O, Key>> = {
    isMatch,
    isFiltered,
    isStale: query.isPlaceholderData,
    sort,
    context,
    setSearch: (changes) => setSearch({ ...changes }),
    before: part.before,
  }
  const content = (
    <>
      {toolbar}
      {isImpossible ? (
        <NoRows {...props} empty={props.impossible ?? props.empty} isFiltered={!props.impossible} />
      ) : (
        <QueryView query={query}>{(data) => <Records {...props} data={data} {...table} />}</QueryView>
      )}
      {below}
    </>
  )
  const buttons = (
    <>
      {canRefresh && (
        <Button onClick={context.refresh} isPending={query.isFetching}>
          {t('Refresh')}
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
function Records<O extends ConsoleOperation, Key extends string>(props: RecordsProps<O, Key>): ReactNode {
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
