import { useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { t } from '../language/translate.ts'
import { ProjectLink } from '../navigation/project-link.tsx'
import { useIsCovered, useOpenProject } from '../session/project-context.tsx'
import { shellTexts } from '../texts/shell.ts'
import { Icon } from './icon.tsx'

/** The id of the element that has the page. It has the focus after a navigation. */
export const PAGE_ID = 'content'

export interface PageHeaderProps {
  /** The title of the page and of the browser's tab. It is unique among the pages. */
  readonly title: string
  readonly description?: ReactNode
  /** The page above, to which a link leads. Its address is below that of the project or of operators. */
  readonly list?: { readonly to: string; readonly title: string } | undefined
  /** A status beside the title. */
  readonly status?: ReactNode
  /** Buttons. */
  readonly actions?: ReactNode
}

/** The beginning of every page: its only `<h1>`, which is also the title of the document. */
export function PageHeader({ title, description, list, status, actions }: PageHeaderProps): ReactNode {
  useDocumentTitle(title, useOwnerName())
  const heading = useHeadingFocus(title)
  return (
    <header className="page-header">
      {list !== undefined && <BackLink to={list.to}>{list.title}</BackLink>}
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

/** Returns what the page belongs to: the open project, or a server. Undefined for other pages. */
function useOwnerName(): string | undefined {
  const project = useOpenProject()
  const pathname = useLocation({ select: (location) => location.pathname })
  if (project !== undefined) return project.projectName
  if (pathname.startsWith('/operator/facilitator')) return t('Facilitator')
  return pathname.startsWith('/operator') ? t('Operator') : undefined
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

interface BackLinkProps {
  /** The address below that of the project, or of the pages of operators. */
  readonly to: string
  /** The title of the page that it leads to. */
  readonly children: ReactNode
}

/** Leads from the page of a record to its list. */
export function BackLink({ to, children }: BackLinkProps): ReactNode {
  return (
    <ProjectLink to={to} className="back-link">
      <Icon name="chevronLeft" />
      {children}
    </ProjectLink>
  )
}
