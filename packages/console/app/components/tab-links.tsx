import { type ReactNode, useLayoutEffect, useRef } from 'react'

/** A view of a page with its own address. */
export interface TabLink {
  readonly key: string
  readonly isCurrent: boolean
  /** A link of the router. */
  readonly link: ReactNode
}

interface TabLinksProps {
  readonly label: string
  readonly tabs: readonly TabLink[]
}

/**
 * Links between the views of a page. They are links and no tabs, because each view has an address of its own.
 */
export function TabLinks({ label, tabs }: TabLinksProps): ReactNode {
  const list = useRef<HTMLElement>(null)
  const current = tabs.find(({ isCurrent }) => isCurrent)?.key
  // On a phone the list is wider than the window.
  useLayoutEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>('.tab-current')
    if (list.current === null || tab === null || tab === undefined) return
    const end = tab.offsetLeft - list.current.offsetLeft + tab.offsetWidth
    list.current.scrollLeft = Math.max(0, end - list.current.clientWidth)
  }, [current])
  return (
    <nav ref={list} className="tabs" aria-label={label}>
      {tabs.map(({ key, isCurrent, link }) => (
        <span key={key} className={isCurrent ? 'tab tab-current' : 'tab'}>
          {link}
        </span>
      ))}
    </nav>
  )
}
