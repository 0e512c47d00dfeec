import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useOpenProject } from '../session/project-context.tsx'
import { ActionButtons, type Actions } from './actions.tsx'
import { BackLink } from './back-link.tsx'
import { PageHeader } from './page-header.tsx'
import { QueryView } from './query-view.tsx'
import type { ActionContext } from './resource-definition.ts'
import { useActionContext } from './use-action-context.ts'

interface RecordPageProps<Data> {
  /** Reads the record. */
  readonly query: UseQueryResult<Data>
  /** The page with the list of such records. */
  readonly list: { readonly to: string; readonly title: string }
  readonly title: (data: Data) => string
  /** The title until the record is read. Default: that of the list. */
  readonly titleFirst?: string
  /** The name in the title of the browser's tab, for pages of no project. */
  readonly context?: string
  readonly status?: (data: Data) => ReactNode
  readonly actions?: (data: Data, context: ActionContext) => Actions
  readonly lines?: number
  readonly children: (data: Data) => ReactNode
}

/** Shows the page of a record: while it is read, if reading failed, and the record. */
export function RecordPage<Data>(props: RecordPageProps<Data>): ReactNode {
  const { query, list, title, titleFirst = list.title, context, status, actions, lines = 6, children } = props
  const { data } = query
  const projectName = useOpenProject()?.projectName ?? ''
  const actionContext = useActionContext(() => void query.refetch())
  return (
    <>
      <PageHeader
        title={data === undefined ? titleFirst : title(data)}
        context={context ?? projectName}
        above={<BackLink to={list.to}>{list.title}</BackLink>}
        status={data !== undefined && status?.(data)}
        actions={
          data !== undefined &&
          actions !== undefined && <ActionButtons actions={actions(data, actionContext)} />
        }
      />
      <QueryView query={query} lines={lines}>
        {children}
      </QueryView>
    </>
  )
}
