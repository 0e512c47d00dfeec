import type { Store } from '@mintmark/cards'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Identifier } from '../../components/copy-button.tsx'
import { DetailList } from '../../components/detail-list.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Checkbox, RadioGroup, SelectField, TextField } from '../../components/field.tsx'
import { FormActions } from '../../components/form-actions.tsx'
import { Notice } from '../../components/notice.tsx'
import { showToast } from '../../components/toast.tsx'
import { t } from '../../language/translate.ts'
import { scannerTexts } from '../../texts/scanner.ts'
import { componentTexts } from '../../texts/shell.ts'
import type { ScannerSettings } from './scan-storage.ts'

interface ScannerSettingsDialogProps {
  readonly settings: ScannerSettings
  /** The stores of the project, as far as they are read. */
  readonly stores: readonly Store[]
  readonly onSave: (settings: ScannerSettings) => Promise<void>
  readonly onClose: () => void
}
const MAX_STORE_LENGTH = 128

/** Changes what this device sends with each scan. Scans that wait keep what they were made with. */
export function ScannerSettingsDialog(props: ScannerSettingsDialogProps): ReactNode {
  const { settings, stores, onSave, onClose } = props
  const [draft, setDraft] = useState(settings)
  const [hasFailed, setHasFailed] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const store = draft.store.trim()
    const storeId =
      store === settings.store ? settings.storeId : stores.find(({ name }) => name === store)?.id
    onSave({ ...draft, store, storeId }).then(
      () => {
        showToast(t('The settings are saved'))
        onClose()
      },
      () => setHasFailed(true),
    )
  }
  return (
    <Dialog title={t('Settings of this scanner')} onClose={onClose} isDismissable={false}>
      <form className="stack" onSubmit={submit}>
        <StoreField stores={stores} value={draft.store} onChange={(store) => setDraft({ ...draft, store })} />
        <RadioGroup
          label={t('A scan of a membership card')}
          name="membershipAction"
          value={draft.membershipAction}
          options={[
            { value: 'CHECK_IN', label: t('Checks in'), description: t('The member visits the store.') },
            {
              value: 'REDEEM',
              label: t('Redeems a benefit'),
              description: t('The member uses a benefit, such as a free coffee.'),
            },
          ]}
          onChange={(value) =>
            setDraft({ ...draft, membershipAction: value === 'REDEEM' ? 'REDEEM' : 'CHECK_IN' })
          }
        />
        <Checkbox
          label={t('Sound after each scan')}
          name="sound"
          checked={!draft.isMuted}
          onChange={(isOn) => setDraft({ ...draft, isMuted: !isOn })}
        />
        <DetailList
          details={{
            [t('This device')]: <Identifier value={draft.device} />,
          }}
        />
        {hasFailed && <Notice tone="danger" {...scannerTexts.noStorage} />}
        <FormActions action={componentTexts.save} isPending={false} onCancel={onClose} />
      </form>
    </Dialog>
  )
}

interface StoreFieldProps {
  readonly stores: readonly Store[]
  /** `''` for no store. */
  readonly value: string
  readonly onChange: (store: string) => void
}

/** Chooses a store of the project, or takes any name while it has none or they cannot be read. */
function StoreField({ stores, value, onChange }: StoreFieldProps): ReactNode {
  const shared = { label: t('Store'), name: 'store', value, onChange }
  if (stores.length === 0) {
    return (
      <TextField
        {...shared}
        description={t(
          'Cards that name stores are accepted only there. Write its name or code. Empty for no store.',
        )}
        maxLength={MAX_STORE_LENGTH}
        autoComplete="off"
      />
    )
  }
  const names = stores.filter(({ status }) => status === 'OPEN').map(({ name }) => name)
  // The store may be closed, have another name by now, or be entered by its code.
  if (value !== '' && !names.includes(value)) names.unshift(value)
  return (
    <SelectField
      {...shared}
      description={t('Cards that name stores are accepted only there.')}
      options={[
        { value: '', label: scannerTexts.noStore },
        ...names.map((name) => ({ value: name, label: name })),
      ]}
    />
  )
}
