import type { Mail } from './mailer.ts'

const MAX_NAME_CHARACTERS = 60

/**
 * Returns a name of a person or project for a mail to somebody else. Only letters, digits and a few signs
 * remain, so that it contains no line break, markup or address that mail programs turn into a link.
 */
function toPlainName(name: string, fallback: string): string {
  const words = name.replaceAll(/[^\p{L}\p{M}\p{N}&'’()-]+/gu, ' ').trim()
  return [...words].slice(0, MAX_NAME_CHARACTERS).join('').trim() || fallback
}

const TIME = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

function createMail(to: string, subject: string, lines: readonly string[]): Mail {
  return { to, subject, text: `${lines.join('\n\n')}\n` }
}

const describeLink = (action: string, expiresAt: Date, url: string) =>
  `${action} It works once, until ${TIME.format(expiresAt)} UTC:\n${url}`

/** What the mail of an invitation says. */
export interface InvitationMail {
  readonly to: string
  readonly url: string
  readonly expiresAt: Date
  /** The name of the person who invites. Undefined for a key. */
  readonly inviter: string | undefined
  /** The name of the project. Undefined for an operator of the server. */
  readonly projectName: string | undefined
}

export function createInvitationMail({ to, url, expiresAt, inviter, projectName }: InvitationMail): Mail {
  const target =
    projectName === undefined
      ? `operate the server ${new URL(url).host}`
      : `join ${toPlainName(projectName, 'a project')}`
  const start = inviter === undefined ? 'You are invited' : `${toPlainName(inviter, 'Somebody')} invites you`
  return createMail(to, `Invitation to ${target}`, [
    `${start} to ${target}.`,
    describeLink('Open this link to accept the invitation.', expiresAt, url),
    'Keep the link to yourself: whoever opens it first sets the password.',
    'If you did not expect this invitation, ignore this mail. Nothing happens then.',
  ])
}

interface NewPasswordMail {
  readonly to: string
  readonly url: string
  readonly expiresAt: Date
}

export function createNewPasswordMail({ to, url, expiresAt }: NewPasswordMail): Mail {
  return createMail(to, 'Your new password', [
    `Somebody requested a new password for ${to} on ${new URL(url).host}.`,
    describeLink('Open this link to choose it.', expiresAt, url),
    'Choosing it signs you out everywhere and removes your passkeys. A second factor stays.',
    'If you did not request it, ignore this mail. Your password stays as it is.',
  ])
}
