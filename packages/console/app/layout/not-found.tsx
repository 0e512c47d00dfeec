import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ErrorNotice } from '../components/error-notice.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { EmptyState } from '../components/placeholders.tsx'
import { shellTexts } from '../texts/shell.ts'

/** Says that an address has no page. */
export function NotFound(): ReactNode {
  const { title, advice, action } = shellTexts.notFound
  return (
    <main className="lone-page">
      <PageHeader title={title} />
      <EmptyState
        icon="search"
        title={title}
        advice={advice}
        action={
          <Link to="/" className="button button-secondary">
            {action}
          </Link>
        }
      />
    </main>
  )
}

interface PageFailureProps {
  readonly error: unknown
}

/** Shows an error that a page did not handle, such as scripts of a page that could not be loaded. */
export function PageFailure({ error }: PageFailureProps): ReactNode {
  return (
    <main className="lone-page">
      <ErrorNotice error={error} />
    </main>
  )
}
