import type { Page } from '@mintmark/envelope'
import type { DataOf, InputOf } from '@mintmark/operation'
import type { ReactNode } from 'react'
import type { ConsoleOperation } from '../api/console-operation.ts'
import type { Actions } from './actions.tsx'
import type { Columns } from './data-table.tsx'
import type { EmptyTexts } from './empty.tsx'
import type { ListFilters } from './list-filters.tsx'

/** The records that an operation returns: in a page, in an array, or in a field `Key`. */
export type RecordOf<O, Key = never> = [Key] extends [never]
  ? DataOf<O> extends Page<infer Item>
    ? Item
    : ItemIn<DataOf<O>>
  : Key extends keyof DataOf<O>
    ? ItemIn<DataOf<O>[Key]>
    : never

type ItemIn<List> = List extends readonly (infer Item)[] ? Item : never

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

/** The input of a list without the fields that select a page or a part. */
export type ListInput<O> = Omit<InputOf<O>, 'pageNumber' | 'pageSize' | 'cursor' | 'orderBy' | 'before'>

/** A list of records, as data. */
export interface Resource<O extends ConsoleOperation, Key extends string = never> {
  readonly title: string
  readonly columns: Columns<RecordOf<O, Key>>
  /** Default: its field `id`. */
  readonly getKey?: (item: RecordOf<O, Key>) => string | number
  /** What is shown without any record. */
  readonly empty: EmptyTexts
  /** What is shown if a part has no record that matches, but the next one may. */
  readonly emptyPart?: { readonly title: string; readonly advice: string }
  /** What is shown if nothing can match the filters. Default: that nothing was found. */
  readonly impossible?: EmptyTexts
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
  /** The name of the page's number in the address. Default: `page`. */
  readonly pageParam?: string
  /** Shows the records otherwise than in a table. */
  readonly render?: (rows: readonly RecordOf<O, Key>[], isStale: boolean, table: ReactNode) => ReactNode
  /** Shown in the toolbar after the filters. */
  readonly view?: ReactNode
  /** Shown below the records. */
  readonly below?: ReactNode
}

/** A list of records with its operation. */
export interface ResourceProps<O extends ConsoleOperation, Key extends string> extends Resource<O, Key> {
  readonly operation: O
  /** Default: none. */
  readonly input?: Partial<ListInput<O>>
}
