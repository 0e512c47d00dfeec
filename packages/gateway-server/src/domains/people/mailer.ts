import { createRateLimiter, HttpError, type Logger, type RateLimit } from '@mintmark/server-kit'
import { createTransport } from 'nodemailer'

/** The mail server, and who sends. */
export interface MailSettings {
  /** `smtps://user:password@host:port`, or `smtp:` with STARTTLS. */
  readonly server: URL
  /** The sender's address. */
  readonly from: string
}

/** A mail in plain text. */
export interface Mail {
  /** The recipient's address. */
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** Sends mails. */
export interface Mailer {
  /**
   * Sends a mail. Returns false if the mail server does not accept it in time, or beyond the limits.
   *
   * @param sender Who causes the mail, such as a project. Its mails are limited.
   */
  send(mail: Mail, sender: string): Promise<boolean>
}

/** How long a mail may take, because a person waits for it. */
const SEND_TIMEOUT_MS = 4000
/** How many mails one address gets, whoever causes them, and how many one sender causes. */
interface MailLimits {
  readonly address: RateLimit
  readonly sender: RateLimit
}

/** For links, which anybody can cause: three to an address, then one in 20 minutes; 50 of a sender, then one a minute. */
const LINK_LIMITS: MailLimits = {
  address: { perSecond: 1 / 1200, burst: 3 },
  sender: { perSecond: 1 / 60, burst: 50 },
}
/** For notices to people of a project, which it has switched on: 100 to an address, then one a minute. */
export const NOTICE_LIMITS: MailLimits = {
  address: { perSecond: 1 / 60, burst: 100 },
  sender: { perSecond: 1 / 10, burst: 500 },
}
const NOT_SENT = 'a mail was not sent'

/** Whether a host of a URL is this machine. */
export const isLoopback = (hostname: string) => /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)

/**
 * Creates the mailer of a server. The limits apply to each process. Failures are logged by their codes only:
 * responses of mail servers can repeat the link of a mail or a password.
 */
export function createMailer(
  { server, from }: MailSettings,
  log: Logger,
  { now, limits = LINK_LIMITS }: { now?: (() => number) | undefined; limits?: MailLimits } = {},
): Mailer {
  const transport = openTransport(server)
  const addresses = createRateLimiter(limits.address, now)
  const senders = createRateLimiter(limits.sender, now)

  function isWithinLimits(to: string, sender: string): boolean {
    try {
      senders.take(sender)
      addresses.take(to)
      return true
    } catch (error) {
      if (error instanceof HttpError) return false
      throw error
    }
  }

  return {
    async send({ to, ...mail }, sender) {
      if (!isWithinLimits(to, sender)) {
        log.warn({ part: 'mail', code: 'LIMITED' }, NOT_SENT)
        return false
      }
      const signal = AbortSignal.timeout(SEND_TIMEOUT_MS)
      try {
        await transport.sendMail({ ...mail, from, to: { name: '', address: to }, signal })
        return true
      } catch (error) {
        log.warn({ part: 'mail', ...describeMailFailure(error) }, NOT_SENT)
        return false
      }
    },
  }
}

/** Opens no connection yet: each mail has its own. */
function openTransport({ protocol, hostname, port, username, password }: URL) {
  const isLocal = isLoopback(hostname)
  const auth = { user: decodeURIComponent(username), pass: decodeURIComponent(password) }
  return createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? undefined : Number(port),
    secure: protocol === 'smtps:',
    // Links of mails and the password are secrets, so they are never sent to another machine in clear text.
    requireTLS: !isLocal,
    ignoreTLS: isLocal,
    ...(username !== '' && { auth, forceAuth: true }),
    connectionTimeout: SEND_TIMEOUT_MS,
    greetingTimeout: SEND_TIMEOUT_MS,
    socketTimeout: SEND_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/** Returns why the mail server cannot be used; undefined if it answers and accepts the login. */
export async function findMailProblem({ server }: MailSettings): Promise<MailFailure | undefined> {
  try {
    await openTransport(server).verify()
    return undefined
  } catch (error) {
    return describeMailFailure(error)
  }
}

interface MailFailure {
  /** Such as `ETIMEDOUT`, `EAUTH` or `ETLS`. */
  readonly code: string
  /** The reply code of the mail server, such as 535. */
  readonly reply?: number
}

function describeMailFailure(error: unknown): MailFailure {
  if (!(error instanceof Error)) return { code: 'unknown error' }
  const { code = error.name, responseCode } = error as {
    code?: unknown
    responseCode?: unknown
    name: string
  }
  return { code: String(code), ...(typeof responseCode === 'number' && { reply: responseCode }) }
}
