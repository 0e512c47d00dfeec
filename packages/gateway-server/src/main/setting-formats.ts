import { listServerUrls } from '@mintmark/server-kit'
import { EMAIL_FORMAT } from '../http/formats.ts'

/** Parses the time zone of the stores, an IANA name that both Intl and PostgreSQL accept. */
export function parseTimeZone(name = 'UTC'): string {
  if (name !== 'UTC' && !Intl.supportedValuesOf('timeZone').includes(name))
    throw new Error('STORE_TIME_ZONE: expected an IANA time zone such as Europe/Berlin')
  return name
}

/** Parses the address of a mail server. The error does not repeat it, because it contains a password. */
export function parseSmtpUrl(value: string | undefined): URL | undefined {
  if (value === undefined) return undefined
  const url = URL.parse(value)
  if (
    url === null ||
    !/^smtps?:\/\/[^/?#]+\/?$/.test(url.href) ||
    !canDecode(`${url.username}${url.password}`)
  )
    throw new Error(
      'SMTP_URL: expected an address such as smtps://user:password@mail.example.com, with percent-encoded user and password',
    )
  return url
}

function canDecode(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** Parses the address of the sender of mails. */
export function parseSender(value: string | undefined): string | undefined {
  if (value !== undefined && EMAIL_FORMAT.findProblem(value) !== undefined)
    throw new Error('MAIL_FROM: expected an email address')
  return value
}

/** Checks the connection string of a replica. */
export function parseReadDatabaseUrl(value: string | undefined): string | undefined {
  if (value !== undefined) listServerUrls(value, 'READ_DATABASE_URL')
  return value
}
