import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { ProjectLink } from '../navigation/project-link.tsx'

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
