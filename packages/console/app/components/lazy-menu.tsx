import { type ComponentProps, lazy, type ReactNode, Suspense, useState } from 'react'
import { Icon } from './icon.tsx'
import type { Menu } from './menu.tsx'

const loadMenu = () => import('./menu.tsx')
const LoadedMenu = lazy(async () => ({ default: (await loadMenu()).Menu }))

/**
 * A `Menu` whose scripts load when a person points at its button or moves the focus to it, because most pages
 * are used without one.
 */
export function LazyMenu(props: Omit<ComponentProps<typeof Menu>, 'isOpenFirst'>): ReactNode {
  const { label, children, kind = 'icon' } = props
  const [isPressed, setIsPressed] = useState(false)
  const preload = () => void loadMenu()
  const button = (
    <button
      type="button"
      className={kind === 'icon' ? 'icon-button' : 'menu-button'}
      aria-label={label}
      aria-haspopup="true"
      aria-expanded="false"
      onPointerEnter={preload}
      onFocus={preload}
      onClick={() => setIsPressed(true)}
    >
      {children ?? <Icon name="more" />}
    </button>
  )
  if (!isPressed) return button
  return (
    <Suspense fallback={button}>
      <LoadedMenu {...props} isOpenFirst />
    </Suspense>
  )
}
