import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Icon } from '../components/icon.tsx'
import { t } from '../language/translate.ts'
import type { NavigationGroup, PageGroup } from '../navigation/items.ts'
import { shellTexts } from '../texts/shell.ts'

interface NavigationListProps {
  /** The address of the project; `''` for pages of none. */
  readonly base: string
  readonly groups: readonly PageGroup[]
  /** Called when a page was chosen. */
  readonly onChoose: () => void
}

/** Links to pages in groups. */
export function NavigationList({ base, groups, onChoose }: NavigationListProps): ReactNode {
  return groups.map(({ label: title, items }) => (
    <div key={title} className="navigation-group">
      <h2 className="navigation-title">{title}</h2>
      <ul>
        {items.map(({ path, icon, label }) => (
          <li key={path}>
            <Link to={`${base}/${path}`} className="navigation-link" onClick={onChoose}>
              <Icon name={icon} />
              <span className="truncate">{label}</span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  ))
}

interface BottomBarProps {
  /** Undefined without a project, whose pages the bar then lacks. */
  readonly projectId: number | undefined
  readonly groups: readonly NavigationGroup[]
  readonly isMenuOpen: boolean
  readonly onMenu: () => void
}

/** The bar at the bottom of phones: the most important pages and the menu of all. */
export function BottomBar({ projectId, groups, isMenuOpen, onMenu }: BottomBarProps): ReactNode {
  const items = groups.flatMap((group) => group.items).filter(({ isOnPhoneBar }) => isOnPhoneBar)
  return (
    <nav className="bottom-bar" aria-label={shellTexts.mainNavigation}>
      {items.map((item) => (
        <Link key={item.path} to={`/p/${projectId}/${item.path}`} className="bottom-bar-item">
          <Icon name={item.icon} />
          <span>{item.label}</span>
        </Link>
      ))}
      <button type="button" className="bottom-bar-item" aria-expanded={isMenuOpen} onClick={onMenu}>
        <Icon name="menu" />
        <span>{t('Menu')}</span>
      </button>
    </nav>
  )
}
