import type { ApiKey } from '@mintmark/admin'
import type { ReactNode } from 'react'
import { Badge } from '../../components/badge.tsx'
import { Time } from '../../components/time.tsx'
import { t } from '../../language/translate.ts'

interface KeyStatusProps {
  /** A key of either kind. */
  readonly apiKey: Pick<ApiKey, 'revokeTime'>
}

/** Shows whether a key is active, or when it was revoked. */
export function KeyStatus({ apiKey: { revokeTime } }: KeyStatusProps): ReactNode {
  if (revokeTime === undefined) return <Badge tone="success">{t('Active')}</Badge>
  return (
    <span className="row">
      <Badge tone="neutral">{t('Revoked')}</Badge>
      <span className="faint">
        <Time value={revokeTime} />
      </span>
    </span>
  )
}
