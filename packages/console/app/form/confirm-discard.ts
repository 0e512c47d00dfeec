import { hasUnsavedInput, markSaved } from './unsaved-input.ts'

/** What the person wants to do although it loses input; undefined while nothing is asked. */
let requested: (() => void) | undefined
const listeners = new Set<() => void>()

function setRequested(action: (() => void) | undefined): void {
  requested = action
  for (const notify of listeners) notify()
}

/** Asks before an action that loses the input in a part of the page. */
export function requestDiscard(action: () => void, within: ParentNode = document): void {
  setRequested(() => {
    // The action may lead to another page, about which the person is not asked again.
    markSaved(within)
    action()
  })
}

/** Ends the question. */
export function endDiscardRequest(): void {
  setRequested(undefined)
}

/** Returns the action that the person is asked about. */
export function getRequestedDiscard(): (() => void) | undefined {
  return requested
}

/** Calls a function after each change of {@link getRequestedDiscard}. Returns the function that ends it. */
export function subscribeToDiscards(notify: () => void): () => void {
  listeners.add(notify)
  return () => listeners.delete(notify)
}

/**
 * Runs an action that removes forms. If they have input that is not saved, the person is asked first.
 *
 * @param within The part of the page that the action removes. Default: all of it.
 */
export function confirmDiscard(action: () => void, within: ParentNode = document): void {
  if (hasUnsavedInput(within)) requestDiscard(action, within)
  else action()
}
