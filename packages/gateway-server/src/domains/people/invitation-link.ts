import type { Caller } from '../../http/authentication.ts'
import { createInvitationMail } from './mails.ts'
import type { PeoplePorts } from './people-port.ts'

/** An invitation that is committed. */
interface NewLink {
  readonly email: string
  readonly token: string
  readonly expiresAt: Date
  /** The name of the project. Undefined for an operator of the server. */
  readonly projectName?: string
}

/**
 * Returns the link of an invitation, and whether it was mailed if the server sends mails. The link is
 * returned in any case, so that a mail that is lost loses nothing.
 */
export async function sendInvitationLink(
  { email, token, expiresAt, projectName }: NewLink,
  { mailer, publicUrl }: Pick<PeoplePorts, 'mailer' | 'publicUrl'>,
  { project, person, actor }: Pick<Caller, 'project' | 'person' | 'actor'>,
): Promise<{ url: string; isMailed?: boolean }> {
  const url = `${publicUrl}/console/invitation/${token}`
  if (mailer === undefined) return { url }
  const mail = createInvitationMail({ to: email, url, expiresAt, inviter: person?.name, projectName })
  // The keys and people of a project share its limit: an owner can create more of them.
  return { url, isMailed: await mailer.send(mail, project === 0 ? actor : `project:${project}`) }
}
