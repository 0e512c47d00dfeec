import { type ReactNode, useMemo } from 'react'
import { SearchField, Toolbar } from '../../components/filters.tsx'
import { ErrorNotice, Notice } from '../../components/notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { EmptyState, Skeleton } from '../../components/placeholders.tsx'
import { useSearchState } from '../../navigation/use-address.ts'
import { useSession } from '../../session/project-context.tsx'
import './explorer.css'
import { useApiDocument } from './api-document.ts'
import { findEntry, listCatalogue, searchCatalogue } from './catalogue.ts'
import { OperationList } from './operation-list.tsx'
import { OperationView } from './operation-view.tsx'

/** Every operation of the gateway, with a form that calls it and the code of the call. */
export function ExplorerPage(): ReactNode {
  const { isOperator } = useSession()
  const [{ q = '', operation }, setSearch] = useSearchState('q', 'operation')
  const { data: document, error, refetch, isFetching } = useApiDocument()
  const sections = useMemo(() => listCatalogue({ isOperator }), [isOperator])
  const entry = findEntry(sections, operation)
  const found = searchCatalogue(sections, q, ({ id }) => document?.get(id)?.description ?? '')
  const hasDescriptions =
    document === undefined || [...document.values()].some(({ description }) => description !== '')
  return (
    <>
      <PageHeader
        title="API explorer"
        description="Every operation of the gateway: what it does, a form to call it with your session, and the code for the same call."
      />
      <ErrorNotice error={error} onRetry={() => void refetch()} isRetrying={isFetching} />
      {!hasDescriptions && (
        <Notice
          tone="info"
          title="This server has no descriptions of its operations. They are part of its build."
        />
      )}
      <div className={operation === undefined ? 'explorer' : 'explorer explorer-open'}>
        <div className="explorer-list">
          <Toolbar isFiltered={q !== ''} onClear={() => setSearch({ q: undefined })}>
            <SearchField label="Search operations" value={q} onSearch={(text) => setSearch({ q: text })} />
          </Toolbar>
          <OperationList sections={found} current={entry?.operation.id} isSearched={q !== ''} />
        </div>
        <div className="explorer-operation">
          {operation === undefined ? (
            <EmptyState
              icon="explorer"
              title="Choose an operation"
              advice="Reads are sent at once. Before a call that changes something, the explorer asks."
            />
          ) : entry === undefined ? (
            <EmptyState icon="search" title="There is no such operation" advice="Choose one from the list." />
          ) : document === undefined && error === null ? (
            <Skeleton />
          ) : (
            <OperationView
              key={entry.operation.id}
              entry={entry}
              documented={document?.get(entry.operation.id)}
            />
          )}
        </div>
      </div>
    </>
  )
}
