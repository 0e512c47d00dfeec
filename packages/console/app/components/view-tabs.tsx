import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { ProjectLink } from '../navigation/project-link.tsx'
import { useSearchState } from '../navigation/use-address.ts'

interface ViewTabsProps {
  readonly label: string
  /** The address of the page, below that of the project. */
  readonly to: string
  /** The titles and contents of the views, by their names in the address. The first one is shown at first. */
  readonly views: Readonly<Record<string, readonly [title: string, content: ReactNode]>>
}

/** Shows one of the views of a page, with links to the others. */
export function ViewTabs({ label, to, views }: ViewTabsProps): ReactNode {
  const [{ view = '' }] = useSearchState('view')
  const names = Object.keys(views)
  const current = Object.hasOwn(views, view) ? view : (names[0] ?? '')
  return (
    <>
      <TabLinks
        label={label}
        current={current}
        tabs={names.map((name) => ({
          key: name,
          label: views[name]?.[0] ?? name,
          to,
          search: { view: name },
        }))}
      />
      {views[current]?.[1]}
    </>
  )
}

/** A view of a page with its own address. */
interface TabLink {
  readonly key: string
  readonly label: string
  /** The address below that of the project. */
  readonly to: string
  readonly search?: Readonly<Record<string, string>>
}

interface TabLinksProps {
  readonly label: string
  readonly tabs: readonly TabLink[]
  /** The key of the view that is shown. */
  readonly current: string
}

/**
 * Links between the views of a page. They are links and no tabs, because each view has an address of its own.
 */
export function TabLinks({ label, tabs, current }: TabLinksProps): ReactNode {
  const list = useRef<HTMLElement>(null)
  // On a phone the list is wider than the window.
  useLayoutEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>('.tab-current')
    if (list.current === null || tab === null || tab === undefined) return
    const end = tab.offsetLeft - list.current.offsetLeft + tab.offsetWidth
    list.current.scrollLeft = Math.max(0, end - list.current.clientWidth)
  }, [current])
  return (
    <nav ref={list} className="tabs" aria-label={label}>
      {tabs.map(({ key, label: text, ...link }) => (
        <span key={key} className={key === current ? 'tab tab-current' : 'tab'}>
          <ProjectLink {...link}>{text}</ProjectLink>
        </span>
      ))}
    </nav>
  )
}
