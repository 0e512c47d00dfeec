import { showSecret } from './dialogs.tsx'

/** Shows the link of a new invitation, once. */
export function showInvitationLink({
  email,
  url = '',
}: {
  readonly email: string
  readonly url?: string | undefined
}): Promise<true | undefined> {
  return showSecret({
    title: `Invitation of ${email}`,
    notice: {
      title: 'Send this link to the person now',
      advice:
        'It is shown only once, and works for seven days. Whoever opens it can set the password of the account.',
    },
    texts: { Link: url },
  })
}
