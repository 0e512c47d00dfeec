type Hook = ((event: never) => unknown) | undefined
type EventOf<H> = H extends (event: infer Event) => unknown ? Event : never

/** Tells a hook of the caller's, where there is one; what it throws, then or later, goes to the console. */
export async function notify<Name extends string, Hooks extends { [name in Name]?: Hook }>(
  hooks: Hooks | undefined,
  name: Name,
  event: EventOf<Hooks[Name]>,
): Promise<void> {
  try {
    // The event is of the hook's own type: see above.
    await hooks?.[name]?.(event as never)
  } catch (error) {
    console.error('A Mintmark hook failed:', error)
  }
}
