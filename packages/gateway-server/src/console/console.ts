import { consoleFolder } from '@mintmark/console'
import { addConsoleFiles, CONSOLE_PATH, type Logger, type Sealer } from '@mintmark/server-kit'
import type { DestinationRules } from '@mintmark/webhooks'
import type { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { Db } from '../database/tables.ts'
import { ensureAuthSecret } from '../domains/people/auth-secret.ts'
import type { Mailer } from '../domains/people/mailer.ts'
import { createPeopleAuth, type OidcSettings, type PeopleAuth } from '../domains/people/people-auth.ts'
import { addConsoleImages } from './console-images.ts'
import { addInvitationRoutes } from './invitation-routes.ts'
import { addSignInRoutes } from './sign-in-routes.ts'

const MAX_BODY_BYTES = 64 * 1024

const refuseLargeBody = () =>
  Response.json({ message: `Expected a body of at most ${MAX_BODY_BYTES} bytes` }, { status: 413 })

export interface ConsoleOptions {
  /** Connections of the schema's owner. */
  readonly db: Db
  readonly sealer: Sealer
  /** This server's public URL. */
  readonly publicUrl: string
  readonly oidc?: OidcSettings | undefined
  readonly mailer?: Mailer | undefined
  readonly trustedProxyHops: number
  /** Returns which addresses of images the server may read: those of webhooks. */
  readonly getDestinations: () => DestinationRules
  readonly log: Logger
  readonly now?: (() => number) | undefined
}

/**
 * Serves the console: its files and images, signing in and out, and invitations. Returns what finds the
 * session of a call.
 */
export async function addConsole(app: Hono, options: ConsoleOptions): Promise<PeopleAuth> {
  const { db, sealer, publicUrl } = options
  const secret = await ensureAuthSecret(db, sealer)
  const auth = createPeopleAuth({ ...options, secret })
  app.use(`${CONSOLE_PATH}/*`, bodyLimit({ maxSize: MAX_BODY_BYTES, onError: refuseLargeBody }))
  const ownOrigin = new URL(publicUrl).origin
  addSignInRoutes(app, { ...options, auth, ownOrigin, sendsMails: options.mailer !== undefined })
  addInvitationRoutes(app, { ...options, auth, ownOrigin })
  addConsoleImages(app, { ...options, auth })
  addConsoleFiles(app, consoleFolder)
  return auth
}
