import { useEffect, useRef } from 'react'

/** After `g`, a letter counts within this time. */
const SEQUENCE_MS = 1500

interface ShortcutHandlers {
  /** The pages by the letter after `g`. */
  readonly pages: Readonly<Record<string, () => void>>
  onHelp(): void
}

/**
 * Handles `/`, `?`, and `g` with a letter. Keys that are typed into a field, or while a dialog is open, are
 * ignored.
 */
export function useShortcuts(handlers: ShortcutHandlers): void {
  const current = useRef(handlers)
  current.current = handlers
  useEffect(() => {
    let prefixTime = Number.NEGATIVE_INFINITY
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (isTyping(event.target) || isDialogOpen()) return
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
function focusSearch(): boolean {
  const search =
    document.querySelector<HTMLInputElement>('main [data-search]') ??
    document.querySelector<HTMLInputElement>('[data-search]')
  search?.focus()
  search?.select()
  return search !== null
}
