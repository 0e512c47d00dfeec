type Hook = ((event: never) => unknown) | undefined
type EventOf<H> = H extends (event: infer Event) => unknown ? Event : never

/** Calls a hook when it is defined. Logs what it throws to the console, asynchronous errors included. */
export async function notify<Name extends string, Hooks extends { [name in Name]?: Hook }>(
  hooks: Hooks | undefined,
  name: Name,
  event: EventOf<Hooks[Name]>,
): Promise<void> {
  try {
    // EventOf is the hook's own parameter, which TypeScript cannot relate to the optional call.
    await hooks?.[name]?.(event as never)
  } catch (error) {
    console.error('Hook failed:', error)
  }
}
