/** Tells a hook of the caller's. It is not awaited; what it throws, then or later, goes to the console. */
export function notify(tell: () => unknown): void {
  new Promise((resolve) => resolve(tell())).catch((error) =>
    console.error('A hook of a Mintmark client failed:', error),
  )
}
