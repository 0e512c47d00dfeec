import type { ReactNode } from 'react'
import { useSearchState } from '../navigation/use-address.ts'
import { TabLinks } from './tab-links.tsx'

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
