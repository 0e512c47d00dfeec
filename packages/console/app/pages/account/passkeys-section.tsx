import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import {
  addPasskey,
  hasPasskeySupport,
  listPasskeys,
  type Passkey,
  removePasskey,
} from '../../auth/passkeys.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import type { Columns } from '../../components/data-table.tsx'
import { Section } from '../../components/detail-list.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { TextField } from '../../components/field.tsx'
import { CancelButton } from '../../components/form-actions.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { openDialog } from '../../components/open-dialog.tsx'
import { QueryTable } from '../../components/query-view.tsx'
import { Time } from '../../components/time.tsx'
import { showToast } from '../../components/toast.tsx'
import { t } from '../../language/translate.ts'
import { accountTexts } from '../../texts/account.ts'

const texts = accountTexts.passkeys
const PASSKEYS_KEY = ['account', 'passkeys'] as const

const columns: Columns<Passkey> = {
  name: { label: texts.name, cell: (passkey) => <strong>{getName(passkey)}</strong> },
  createdAt: { label: t('Added'), cell: ({ createdAt }) => <Time value={createdAt} /> },
}

function getName({ name }: Passkey): string {
  return name === undefined || name === null || name === '' ? t('Passkey') : name
}

/** Shows the passkeys of the person, adds and removes them. */
export function PasskeysSection(): ReactNode {
  const query = useQuery({ queryKey: PASSKEYS_KEY, queryFn: listPasskeys })
  const add = hasPasskeySupport() && (
    <Button icon="plus" onClick={() => void openDialog((close) => <AddDialog onClose={() => close()} />)}>
      {texts.add}
    </Button>
  )
  return (
    <Section title={texts.title} actions={add}>
      <p className="muted">
        {t(
          'A passkey signs you in with the lock of your device: a fingerprint, your face or a PIN. It replaces the password and the second factor.',
        )}
      </p>
      {!hasPasskeySupport() && <p className="muted">{t('This browser does not support passkeys.')}</p>}
      <QueryTable
        query={query}
        empty={<p>{t('You have no passkeys.')}</p>}
        label={texts.title}
        columns={columns}
        actions={(passkey) => (
          <Button
            kind="plain"
            aria-label={t('Remove {name}', { name: getName(passkey) })}
            onClick={() =>
              void openDialog((close) => <RemoveDialog passkey={passkey} onClose={() => close()} />)
            }
          >
            {texts.remove}
          </Button>
        )}
      />
    </Section>
  )
}

function AddDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const client = useQueryClient()
  const [name, setName] = useState('')
  const add = useMutation({
    mutationFn: () => addPasskey(name.trim()),
    onSuccess: async () => {
      showToast(t('The passkey is added'))
      onClose()
      await client.invalidateQueries({ queryKey: PASSKEYS_KEY })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!add.isPending) add.mutate()
  }
  return (
    <Dialog title={texts.add} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <TextField
          label={texts.name}
          description={t('How you recognize the device, such as Work laptop.')}
          required
          autoFocus
          maxLength={100}
          value={name}
          onChange={setName}
        />
        <ErrorNotice error={add.error} />
        <div className="dialog-actions">
          <CancelButton onCancel={onClose} />
          <Button kind="primary" type="submit" isPending={add.isPending}>
            {texts.add}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

interface RemoveDialogProps {
  readonly passkey: Passkey
  readonly onClose: () => void
}

function RemoveDialog({ passkey, onClose }: RemoveDialogProps): ReactNode {
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: () => removePasskey(passkey.id),
    onSuccess: async () => {
      showToast(t('The passkey is removed'))
      onClose()
      await client.invalidateQueries({ queryKey: PASSKEYS_KEY })
    },
  })
  return (
    <ConfirmDialog
      title={t('Remove {name}?', { name: getName(passkey) })}
      action={texts.remove}
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>{t('You can no longer sign in with it. Remove it from your device too.')}</p>
    </ConfirmDialog>
  )
}
