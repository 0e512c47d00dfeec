import { createStore } from '../components/store.ts'
import { hasUnsavedInput, markSaved } from './unsaved-input.ts'

/** What the person wants to do although it loses input; undefined while nothing is asked. */
export const requestedDiscard = createStore<(() => void) | undefined>(undefined)

/** Asks before an action that loses the input in a part of the page. */
export function requestDiscard(action: () => void, within: ParentNode = document): void {
  requestedDiscard.set(() => {
    // The action may lead to another page, about which the person is not asked again.
    markSaved(within)
    action()
  })
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
