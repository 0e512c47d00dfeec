import { t } from '../language/translate.ts'
import { showSecret } from './dialogs.tsx'

interface InvitationLink {
  readonly email: string
  readonly url?: string | undefined
  /** Whether the link was mailed. Undefined if the server sends no mails. */
  readonly isMailed?: boolean | undefined
}

/** Shows the link of a new invitation, once. */
export function showInvitationLink(link: InvitationLink): Promise<true | undefined> {
  const { email, url = '' } = link
  return showSecret({
    title: t('Invitation of {email}', { email }),
    notice: toNotice(link),
    texts: { [t('Link')]: url },
  })
}

/** Says whether the person has the link already. */
function toNotice({ email, isMailed }: InvitationLink) {
  const advice = t(
    'It is shown only once, and works for seven days. Whoever opens it can set the password of the account.',
  )
  if (isMailed === true)
    return {
      tone: 'success',
      title: t('Sent to {email}. You can also copy the link.', { email }),
      advice,
    } as const
  const title = t('Send this link to the person now')
  if (isMailed === undefined) return { tone: 'warning', title, advice } as const
  return {
    tone: 'warning',
    title,
    advice: t('The mail to {email} could not be sent. {advice}', { email, advice }),
  } as const
}
