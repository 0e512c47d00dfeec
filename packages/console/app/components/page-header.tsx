import { type ReactNode, useEffect } from 'react'
import { shellTexts } from '../texts/shell.ts'

interface PageHeaderProps {
  /** The title of the page and of the browser's tab. It is unique among the pages. */
  readonly title: string
  /** The name of the project in the title of the tab. */
  readonly context?: string
  readonly description?: ReactNode
  /** What is above the title, such as a link to the list. */
  readonly above?: ReactNode
  /** A status beside the title. */
  readonly status?: ReactNode
  /** Buttons. */
  readonly actions?: ReactNode
}

/** The beginning of every page: its only `<h1>`, which is also the title of the document. */
export function PageHeader({
  title,
  context,
  description,
  above,
  status,
  actions,
}: PageHeaderProps): ReactNode {
  useDocumentTitle(title, context)
  return (
    <header className="page-header">
      {above}
      <div className="page-header-row">
        <div className="page-header-title">
          <h1>{title}</h1>
          {status}
        </div>
        {actions !== undefined && <div className="page-header-actions">{actions}</div>}
      </div>
      {description !== undefined && <p className="muted">{description}</p>}
    </header>
  )
}

/** Sets the title of the browser's tab. */
export function useDocumentTitle(title: string, context?: string): void {
  useEffect(() => {
    const parts = [title, context, shellTexts.product]
    document.title = parts.filter((part) => part !== undefined && part !== '').join(' · ')
  }, [title, context])
}
