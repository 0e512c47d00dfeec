/** What the fields of a form showed before the person changed one. */
const shownBefore = new WeakMap<HTMLFormElement, string>()
/** Forms in which the person has changed a field. */
const changedForms = new WeakSet<HTMLFormElement>()

/**
 * What nobody misses: searches, which are in the address, what the browser has filled, such as a stored
 * password, and what has `data-transient`, such as the sign-in.
 */
const TRANSIENT = 'search *, [data-transient] *, :autofill'

/**
 * Records what people change in the forms of the page. It reads the fields themselves, so that it includes
 * every form, however its component keeps the values. Returns the function that ends it.
 *
 * @param onChange Called when a field is changed.
 */
export function watchForms(onChange: () => void): () => void {
  const listening = new AbortController()
  const options = { capture: true, signal: listening.signal }
  // Before a change: by the keyboard, or by a press on a field or its label.
  for (const type of ['focusin', 'pointerdown']) addEventListener(type, rememberFields, options)
  addEventListener(
    'input',
    ({ target }) => {
      const form = findForm(target)
      if (form === null || isMissedByNobody(target)) return
      changedForms.add(form)
      onChange()
    },
    options,
  )
  return () => listening.abort()
}

/** Whether forms have input that is not saved: on the whole page, or in a part of it. */
export function hasUnsavedInput(within: ParentNode = document): boolean {
  return listUnsavedForms(within).length > 0
}

/** Counts what is entered in a form, or on the whole page, as saved, because a call has sent it. */
export function markSaved(within: ParentNode | null): void {
  if (within === null) return
  for (const form of listUnsavedForms(within)) {
    changedForms.delete(form)
    shownBefore.set(form, readFields(form))
  }
}

function listUnsavedForms(within: ParentNode): readonly HTMLFormElement[] {
  const forms = within instanceof HTMLFormElement ? [within] : [...within.querySelectorAll('form')]
  return forms.filter((form) => changedForms.has(form) && readFields(form) !== shownBefore.get(form))
}

function rememberFields({ target }: Event): void {
  const form = findForm(target)
  if (form !== null && !shownBefore.has(form)) shownBefore.set(form, readFields(form))
}

function findForm(target: EventTarget | null): HTMLFormElement | null {
  return target instanceof Element ? target.closest('form') : null
}

function isMissedByNobody(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches(TRANSIENT)
}

function readFields({ elements }: HTMLFormElement): string {
  return JSON.stringify([...elements].map(readField))
}

function readField(element: Element): string | boolean | null {
  if (element instanceof HTMLInputElement) {
    return ['checkbox', 'radio'].includes(element.type) ? element.checked : element.value
  }
  const hasText = element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement
  return hasText ? element.value : null
}
