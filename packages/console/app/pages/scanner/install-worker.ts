import { session } from '@mintmark/admin'
import { getGateway } from '../../api/gateway.ts'

/**
 * Installs the worker that opens the console without a connection. Where the browser has none, or refuses,
 * the scanner works as long as its page stays open.
 */
export function installWorker(): void {
  const workers: ServiceWorkerContainer | undefined = navigator.serviceWorker
  if (import.meta.env.DEV || workers === undefined) return
  if (workers.controller === null) {
    // The worker stores who is signed in when a page reads it. This page read it before.
    const readSession = () => session.get(getGateway(), {}).catch((error: unknown) => console.warn(error))
    workers.addEventListener('controllerchange', () => void readSession(), { once: true })
  }
  workers.register(`${import.meta.env.BASE_URL}worker.js`).catch((error: unknown) => console.warn(error))
}
