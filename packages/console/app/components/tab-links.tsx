import type { ReactNode } from 'react'

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

/** Links between the views of a page. They are links and no tabs, because each view has an address of its own. */
export function TabLinks({ label, tabs }: TabLinksProps): ReactNode {
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map(({ key, isCurrent, link }) => (
        <span key={key} className={isCurrent ? 'tab tab-current' : 'tab'}>
          {link}
        </span>
      ))}
    </nav>
  )
}
