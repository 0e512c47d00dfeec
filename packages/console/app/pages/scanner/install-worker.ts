/**
 * Installs the worker that opens the console without a connection. Where the browser has none, or refuses,
 * the scanner works as long as its page stays open.
 */
export function installWorker(): void {
  if (import.meta.env.DEV) return
  const { BASE_URL } = import.meta.env
  navigator.serviceWorker?.register(`${BASE_URL}worker.js`).catch((error: unknown) => console.warn(error))
}
