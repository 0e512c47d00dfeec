import { useEffect, useRef } from 'react'

/** After `g`, a letter counts within this time. */
const SEQUENCE_MS = 1500

interface ShortcutHandlers {
  /** The pages by the letter after `g`. */
  readonly pages: Readonly<Record<string, () => void>>
  /** Opens the search of the project. Undefined without one. */
  readonly onSearch: (() => void) | undefined
  onHelp(): void
}

/**
 * Handles `/`, `?`, `g` with a letter, and `k` with Ctrl or Cmd. While a dialog is open, keys are ignored, and so
 * are those that are typed into a field, except the last one.
 */
export function useShortcuts(handlers: ShortcutHandlers): void {
  const current = useRef(handlers)
  current.current = handlers
  useEffect(() => {
    let prefixTime = Number.NEGATIVE_INFINITY
    const onKey = (event: KeyboardEvent) => {
      if (event.altKey || isDialogOpen()) return
      if (event.ctrlKey || event.metaKey) {
        if (event.key !== 'k' || current.current.onSearch === undefined) return
        event.preventDefault()
        return current.current.onSearch()
      }
      if (isTyping(event.target)) return
      const isAfterPrefix = event.timeStamp - prefixTime < SEQUENCE_MS
      prefixTime = Number.NEGATIVE_INFINITY
      const page = isAfterPrefix ? current.current.pages[event.key] : undefined
      if (page !== undefined) page()
      else if (event.key === 'g') prefixTime = event.timeStamp
      else if (event.key === '?') current.current.onHelp()
      else if (event.key !== '/' || !focusSearch()) return
      event.preventDefault()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('input, textarea, select, [role=menu], [contenteditable]') !== null
  )
}

/** Whether a dialog covers the page. A press on its text moves the focus to the document. */
function isDialogOpen(): boolean {
  return document.querySelector('dialog:modal') !== null
}

/** Moves the focus to the search of the page, or to that of the project. Returns whether there is one. */
export function focusSearch(): boolean {
  const search =
    document.querySelector<HTMLInputElement>('main [data-search]') ??
    document.querySelector<HTMLInputElement>('[data-search]')
  search?.focus()
  search?.select()
  return search !== null
}
