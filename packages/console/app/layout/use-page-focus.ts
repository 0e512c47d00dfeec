import { useLocation } from '@tanstack/react-router'
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

type PageRef = RefObject<HTMLElement | null>

/**
 * Moves the focus to the page after a navigation, as a browser does when it loads one, so that screen readers
 * begin there. An address that leads to another one is no navigation: a page that is loaded by it has its
 * first stop at its beginning.
 */
export function useFocusAfterNavigation(): PageRef {
  const page = useRef<HTMLElement>(null)
  const pathname = useLocation({ select: (location) => location.pathname })
  // The number of the entry in the history. A redirect replaces the entry.
  const entry = useLocation({ select: (location) => location.state.__TSR_index })
  const previous = useRef({ pathname, entry })
  // Before the browser shows the page, so that the first key that is pressed there counts.
  useLayoutEffect(() => {
    const { pathname: earlier, entry: replaced } = previous.current
    previous.current = { pathname, entry }
    if (earlier === pathname || replaced === entry) return
    page.current?.focus({ preventScroll: true })
  }, [pathname, entry])
  return page
}

/**
 * Moves the focus to the heading of the page when the element that has it is removed, such as the menu of a
 * removed row. Browsers report no event then.
 */
export function useFocusAfterRemoval(page: PageRef): void {
  useEffect(() => {
    let focused: EventTarget | null = null
    const onFocus = ({ target }: FocusEvent) => {
      focused = target
    }
    const isLost = () => document.activeElement === document.body
    function focusHeading(): void {
      if (!isLost()) return
      const heading = page.current?.querySelector<HTMLElement>('h1') ?? page.current
      heading?.focus({ preventScroll: true })
    }
    const observer = new MutationObserver(() => {
      const isRemoved = focused instanceof Node && !focused.isConnected
      if (!isRemoved || !isLost()) return
      focused = null
      // A menu that closes returns the focus to its button in the next frame.
      requestAnimationFrame(() => requestAnimationFrame(focusHeading))
    })
    addEventListener('focusin', onFocus)
    observer.observe(document.body, { childList: true, subtree: true })
    return () => {
      removeEventListener('focusin', onFocus)
      observer.disconnect()
    }
  }, [page])
}
