import type { EventWebhook } from '@mintmark/events'
import { showSecret } from '../../components/dialogs.tsx'
import { formatExactTime } from '../../format/time.ts'

/** Shows the secret of a new webhook, or a new secret, once. Returns true unless the person leaves the page. */
export function showWebhookSecret({
  secret = '',
  previousSecretExpireTime,
}: EventWebhook): Promise<true | undefined> {
  return showSecret({
    title: 'The signing secret',
    notice: {
      title: 'Copy the secret now',
      advice: 'It is shown only once. Your receiver verifies with it that messages come from this gateway.',
    },
    texts: { Secret: secret },
    note:
      previousSecretExpireTime &&
      `Messages are signed with the previous secret too until ${formatExactTime(previousSecretExpireTime)}.`,
  })
}
