import type { EventWebhook } from '@mintmark/events'
import { showSecret } from '../../components/dialogs.tsx'
import { formatExactTime } from '../../format/time.ts'
import { t } from '../../language/translate.ts'

/** Shows the secret of a new webhook, or a new secret, once. Returns true unless the person leaves the page. */
export function showWebhookSecret({
  secret = '',
  previousSecretExpireTime,
}: EventWebhook): Promise<true | undefined> {
  return showSecret({
    title: t('The signing secret'),
    notice: {
      title: t('Copy the secret now'),
      advice: t(
        'It is shown only once. Your receiver verifies with it that messages come from this gateway.',
      ),
    },
    texts: { [t('Secret')]: secret },
    note:
      previousSecretExpireTime &&
      t('Messages are signed with the previous secret too until {previousSecretExpireTime}.', {
        previousSecretExpireTime: formatExactTime(previousSecretExpireTime),
      }),
  })
}
