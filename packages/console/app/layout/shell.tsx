import type { ProjectMembership, Session } from '@mintmark/admin'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { LiveState } from '../api/live.ts'
import { useLive } from '../api/use-live.ts'
import { IconButton } from '../components/button.tsx'
import { Icon } from '../components/icon.tsx'
import { useIsOnline } from '../components/notice.tsx'
import { PAGE_ID } from '../components/page-header.tsx'
import { ToastRegion } from '../components/toast.tsx'
import { t } from '../language/translate.ts'
import { mayFollowEvents, mayOpen } from '../navigation/areas.ts'
import { listNavigation, listOperatorNavigation } from '../navigation/items.ts'
import { useIsCovered } from '../session/project-context.tsx'
import { shellTexts } from '../texts/shell.ts'
import { AccountMenu } from './account-menu.tsx'
import { ProjectMenu } from './project-menu.tsx'
import { ProjectSearch } from './project-search.tsx'
import { ShortcutHelp } from './shortcut-help.tsx'
import { BottomBar, NavigationList } from './sidebar.tsx'
import { ThemeSelect } from './theme-select.tsx'
import { useFocusAfterNavigation, useFocusAfterRemoval } from './use-page-focus.ts'
import { focusSearch, useShortcuts } from './use-shortcuts.ts'

interface ShellProps {
  readonly session: Session
  /** The project whose pages the navigation has; undefined if the person has none. */
  readonly project: ProjectMembership | undefined
  readonly children: ReactNode
}

/** The frame around every page behind the sign-in: the navigation, the account and the live mark. */
export function Shell({ session, project, children }: ShellProps): ReactNode {
  const [isMenuOpen, setIsMenuOpen] = useState(false)
  const [isHelpOpen, setIsHelpOpen] = useState(false)
  const followed = mayFollowEvents(project?.role) ? project?.projectId : undefined
  const isCovered = useIsCovered()
  const live = useLive(isCovered ? undefined : followed)
  const isOnline = useIsOnline()
  const navigate = useNavigate()
  const router = useRouter()
  const groups = listNavigation(project?.role)
  const main = useFocusAfterNavigation()
  useFocusAfterRemoval(main)
  const lettered = groups.flatMap(({ items }) => items).filter(({ letter }) => letter !== undefined)
  const hasSearch = project !== undefined && mayOpen(project.role, 'orders')
  const searchPath = `/p/${project?.projectId}/search`
  useShortcuts({
    pages: Object.fromEntries(
      lettered.map(({ letter, path }) => [
        letter,
        () => void navigate({ to: `/p/${project?.projectId}/${path}` }),
      ]),
    ),
    onSearch: hasSearch
      ? () => {
          if (router.latestLocation.pathname === searchPath) focusSearch()
          else void navigate({ to: searchPath })
        }
      : undefined,
    onHelp: () => setIsHelpOpen(true),
  })
  const closeMenu = () => setIsMenuOpen(false)
  return (
    <div className="shell">
      <a className="skip-link" href={`#${PAGE_ID}`}>
        {t('Skip to content')}
      </a>
      <header className={isMenuOpen ? 'sidebar sidebar-open' : 'sidebar'}>
        <div className="sidebar-top">
          {project === undefined ? (
            <span className="project-name">{shellTexts.product}</span>
          ) : (
            <ProjectMenu session={session} project={project} />
          )}
          {isMenuOpen && <IconButton icon="close" label={t('Close the menu')} onClick={closeMenu} />}
        </div>
        {hasSearch && <ProjectSearch path={searchPath} onSearch={closeMenu} />}
        <nav className="sidebar-navigation" aria-label={shellTexts.mainNavigation}>
          {project !== undefined && (
            <NavigationList base={`/p/${project.projectId}`} groups={groups} onChoose={closeMenu} />
          )}
          <NavigationList base="" groups={listOperatorNavigation(session)} onChoose={closeMenu} />
        </nav>
        <div className="sidebar-bottom">
          <div className="sidebar-status">
            {followed !== undefined && <LiveMark state={live} />}
            <IconButton
              icon="keyboard"
              label={shellTexts.shortcuts.open}
              onClick={() => setIsHelpOpen(true)}
            />
          </div>
          <ThemeSelect />
          <AccountMenu session={session} />
        </div>
      </header>
      <div className="shell-page">
        {!isOnline && (
          <p className="offline-bar" role="status">
            <Icon name="warning" /> {t('You are offline. What you see may be out of date.')}
          </p>
        )}
        <main id={PAGE_ID} ref={main} tabIndex={-1} className="content">
          {children}
        </main>
      </div>
      {(project !== undefined || session.isOperator) && (
        <BottomBar
          projectId={project?.projectId}
          groups={groups}
          isMenuOpen={isMenuOpen}
          onMenu={() => setIsMenuOpen(!isMenuOpen)}
        />
      )}
      {isHelpOpen && (
        <ShortcutHelp navigation={groups} hasSearch={hasSearch} onClose={() => setIsHelpOpen(false)} />
      )}
      <ToastRegion />
    </div>
  )
}

/** Shows whether pages change as soon as something happens. */
function LiveMark({ state }: { readonly state: LiveState }): ReactNode {
  return (
    <span className={`live-mark live-mark-${state}`} role="status" title={shellTexts.liveHints[state]}>
      <span className="live-dot" aria-hidden="true" />
      {shellTexts.live[state]}
    </span>
  )
}
