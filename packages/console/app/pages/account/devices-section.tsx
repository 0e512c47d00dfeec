import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { listDevices, revokeDevice, revokeOtherDevices, type SignedInDevice } from '../../auth/account.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import type { Columns } from '../../components/data-table.tsx'
import { Section } from '../../components/detail-list.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { QueryTable } from '../../components/query-view.tsx'
import { Time } from '../../components/time.tsx'
import { showToast } from '../../components/toast.tsx'
import { formatDevice } from '../../format/device.ts'
import { t } from '../../language/translate.ts'
import { accountTexts } from '../../texts/account.ts'

const texts = accountTexts.sessions

/** The key of the devices in the cache. They are read by no operation, so no event refreshes them. */
export const DEVICES_KEY = ['account', 'devices'] as const

const columns: Columns<SignedInDevice> = {
  userAgent: {
    label: t('Device'),
    cell: ({ userAgent, isCurrent }) => (
      <span className="row">
        {formatDevice(userAgent)}
        {isCurrent && <Badge tone="success">{t('This device')}</Badge>}
      </span>
    ),
  },
  ipAddress: t('Address'),
  updatedAt: { label: t('Last used'), cell: ({ updatedAt }) => <Time value={updatedAt} /> },
  createdAt: { label: t('Since'), cell: ({ createdAt }) => <Time value={createdAt} /> },
}

/** Shows where the person is signed in, and signs devices out. */
export function DevicesSection(): ReactNode {
  const client = useQueryClient()
  const query = useQuery({ queryKey: DEVICES_KEY, queryFn: listDevices })
  const onSuccess = async (message: string) => {
    showToast(message)
    await client.invalidateQueries({ queryKey: DEVICES_KEY })
  }
  const revoke = useMutation({
    mutationFn: revokeDevice,
    onSuccess: () => onSuccess(t('The device is signed out')),
  })
  const revokeOthers = useMutation({
    mutationFn: revokeOtherDevices,
    onSuccess: () => onSuccess(t('All other devices are signed out')),
  })
  const hasOthers = query.data?.some(({ isCurrent }) => !isCurrent)
  const revokeAll = hasOthers && (
    <Button isPending={revokeOthers.isPending} onClick={() => revokeOthers.mutate()}>
      {t('Sign out all others')}
    </Button>
  )
  return (
    <Section title={texts.title} actions={revokeAll}>
      <ErrorNotice error={revoke.error ?? revokeOthers.error} />
      <QueryTable
        query={query}
        empty={null}
        label={texts.title}
        columns={columns}
        actions={({ token, isCurrent, userAgent }) =>
          !isCurrent && (
            <Button
              kind="plain"
              aria-label={t('Sign out {device}', { device: formatDevice(userAgent) })}
              isPending={revoke.isPending && revoke.variables === token}
              onClick={() => revoke.mutate(token)}
            >
              {t('Sign out')}
            </Button>
          )
        }
      />
    </Section>
  )
}
