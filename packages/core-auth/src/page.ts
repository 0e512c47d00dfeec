import type { BrowserOptions } from './credentials.ts'

/**
 * Throws a TypeError if credentials contain a secret and this is a page, where everybody can read it. A page
 * has a window with a document: in browsers, in Electron's renderer, and in tests with jsdom. Bundles for
 * production contain `page.production.ts` instead, by `#page` in package.json, so that this costs their users
 * nothing.
 */
export function refuseSecretInPage(credentials: object | undefined, options: BrowserOptions): void {
  if (options.dangerouslyAllowBrowser || !('window' in globalThis && 'document' in globalThis)) return
  if (credentials === undefined || !('secret' in credentials || 'token' in credentials)) return
  throw new TypeError(
    'A secret must not be in a page, where everybody can read it. Call from your server, or use createBrowserGateway with a publishable key. ' +
      'Set dangerouslyAllowBrowser to true only in pages that nobody else opens',
  )
}
