import type { Logger } from '@mintmark/server-kit'
import type { Db } from '../database/tables.ts'
import { createMailer, type MailSettings, NOTICE_LIMITS } from '../domains/people/mailer.ts'
import { isMember } from '../domains/people/members-store.ts'
import type { Notices } from '../domains/webhooks/notices.ts'

/**
 * Creates what mails events to people. Undefined for a server without a mail server.
 *
 * @param db Connections of the schema's owner, who reads the people of all projects.
 */
export function createNotices(
  mail: MailSettings | undefined,
  { db, publicUrl, log }: { readonly db: Db; readonly publicUrl: string; readonly log: Logger },
): Notices | undefined {
  if (mail === undefined) return undefined
  const { send } = createMailer(mail, log, { limits: NOTICE_LIMITS })
  return { publicUrl, send, isMember: async (project, address) => await isMember(db, project, address) }
}
