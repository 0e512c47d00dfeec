import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { t } from '../language/translate.ts'
import { ActionButtons, type Actions } from './actions.tsx'
import { Button } from './button.tsx'
import { PageHeader, type PageHeaderProps } from './page-header.tsx'
import { QueryView } from './query-view.tsx'
import type { ActionContext } from './resource-definition.ts'
import { useActionContext } from './use-action-context.ts'

interface RecordPageProps<Data> extends Pick<PageHeaderProps, 'description' | 'list'> {
  /** Reads the record. */
  readonly query: UseQueryResult<Data>
  readonly title: string | ((data: Data) => string)
  /** The title until the record is read. Default: that of the list. */
  readonly titleFirst?: string
  readonly status?: (data: Data) => ReactNode
  readonly actions?: (data: Data, context: ActionContext) => Actions
  /** Buttons that are more than an action. */
  readonly buttons?: (data: Data) => ReactNode
  /** Whether there is a button that reads the record again. */
  readonly canRefresh?: boolean
  readonly children: (data: Data) => ReactNode
}

/** Shows the page of a record: while it is read, if reading failed, and the record. */
export function RecordPage<Data>(props: RecordPageProps<Data>): ReactNode {
  const { query, description, list, title, status, actions, buttons, canRefresh, children } = props
  const { titleFirst = list?.title ?? '' } = props
  const { data } = query
  const context = useActionContext(() => void query.refetch())
  const read = typeof title === 'string' || data === undefined ? title : title(data)
  return (
    <>
      <PageHeader
        title={typeof read === 'string' ? read : titleFirst}
        description={description}
        list={list}
        status={data !== undefined && status?.(data)}
        actions={
          <>
            {canRefresh && (
              <Button onClick={context.refresh} isPending={query.isFetching}>
                {t('Refresh')}
              </Button>
            )}
            {data !== undefined && actions && <ActionButtons actions={actions(data, context)} />}
            {data !== undefined && buttons?.(data)}
          </>
        }
      />
      <QueryView query={query}>{children}</QueryView>
    </>
  )
}
