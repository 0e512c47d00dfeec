import { useCallback, useSyncExternalStore } from 'react'

/** Matches where a page is wide enough for tables; narrower pages show lists of cards. */
export const TABLE_WIDTH = '(min-width: 700px)'

/** Whether a media query matches at present. */
export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (notify: () => void) => {
      const list = matchMedia(query)
      list.addEventListener('change', notify)
      return () => list.removeEventListener('change', notify)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches)
}
