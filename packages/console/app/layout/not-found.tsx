import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { IconName } from '../components/icon.tsx'
import { ErrorNotice } from '../components/notice.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { EmptyState } from '../components/placeholders.tsx'
import { t } from '../language/translate.ts'

interface NoPageProps {
  readonly icon?: IconName
  readonly title: string
  readonly advice: string
  /** A button or a link. */
  readonly action?: ReactNode
}

/** Says why a page is not shown. */
export function NoPage({ icon = 'info', title, advice, action }: NoPageProps): ReactNode {
  return (
    <>
      <PageHeader title={title} />
      <EmptyState icon={icon} title={title} advice={advice} action={action} />
    </>
  )
}

/** Says that an address has no page. */
export function NotFound(): ReactNode {
  return (
    <main className="lone-page">
      <NoPage
        icon="search"
        title={t('There is no such page')}
        advice={t('Check the address, or go to the overview.')}
        action={
          <Link to="/" className="button button-secondary">
            {t('Go to the overview')}
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
