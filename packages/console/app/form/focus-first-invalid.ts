/** Moves the focus to the first field with an error, after it is marked: of a group, to its choice. */
export function focusFirstInvalid(form: HTMLFormElement | null): void {
  requestAnimationFrame(() => {
    const invalid = form?.querySelector<HTMLElement>('[aria-invalid], [data-invalid=true]')
    const choice = invalid?.querySelector('input:checked') ?? invalid?.querySelector('input')
    const target = choice instanceof HTMLInputElement ? choice : invalid
    target?.focus()
  })
}
