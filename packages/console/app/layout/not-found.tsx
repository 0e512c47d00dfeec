import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ErrorNotice } from '../components/error-notice.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { EmptyState } from '../components/placeholders.tsx'
import { shellTexts } from '../texts/shell.ts'

/** Says that an address has no page. */
export function NotFound(): ReactNode {
  const { title } = shellTexts.notFound
  return (
    <main className="lone-page">
      <PageHeader title={title} />
      <EmptyState
        icon="search"
        title={title}
        advice="Check the address, or go to the overview."
        action={
          <Link to="/" className="button button-secondary">
            Go to the overview
          </Link>
        }
      />
    </main>
  )
}

/** Shows an error that a page did not handle, such as scripts of a page that could not be loaded. */
export function PageFailure({ error }: { readonly error: unknown }): ReactNode {
  return (
    <main className="lone-page">
      <ErrorNotice error={error} />
    </main>
  )
}
