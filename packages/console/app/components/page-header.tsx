import { type ReactNode, useEffect, useRef } from 'react'
import { useIsCovered } from '../session/project-context.tsx'
import { shellTexts } from '../texts/shell.ts'

/** The id of the element that has the page. It has the focus after a navigation. */
export const PAGE_ID = 'content'

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
  const heading = useHeadingFocus(title)
  return (
    <header className="page-header">
      {above}
      <div className="page-header-row">
        <div className="page-header-title">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {status}
        </div>
        {actions !== undefined && <div className="page-header-actions">{actions}</div>}
      </div>
      {description !== undefined && <p className="muted">{description}</p>}
    </header>
  )
}

/**
 * Moves the focus from the page to its heading, so that screen readers read the title after a navigation,
 * which has moved it to the page.
 */
function useHeadingFocus(title: string): React.RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  // Pages of one component differ in their titles.
  useEffect(() => {
    if (document.activeElement?.id === PAGE_ID) heading.current?.focus({ preventScroll: true })
  }, [title])
  return heading
}

/** Sets the title of the browser's tab, which is that of the sign-in while it covers the page. */
export function useDocumentTitle(title: string, context?: string): void {
  const isCovered = useIsCovered()
  useEffect(() => {
    if (isCovered) return
    const parts = [title, context, shellTexts.product]
    document.title = parts.filter((part) => part !== undefined && part !== '').join(' · ')
  }, [title, context, isCovered])
}
