import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Dialog } from '../../components/dialog.tsx'
import { TextField } from '../../components/field.tsx'
import { FormActions } from '../../components/form-actions.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { t } from '../../language/translate.ts'
import { useSession } from '../../session/project-context.tsx'
import { accountTexts } from '../../texts/account.ts'

interface PasswordDialogProps<Result> {
  readonly title: string
  readonly warning?: string
  readonly action: string
  /** Whether the action makes the account less safe. Default: no. */
  readonly isDangerous?: boolean
  readonly run: (password: string) => Promise<Result>
  readonly onDone: (result: Result) => void
  readonly onClose: () => void
}

/** Asks for the password before a change of how the person signs in. */
export function PasswordDialog<Result>(props: PasswordDialogProps<Result>): ReactNode {
  const { title, warning, action, isDangerous = false, run, onDone, onClose } = props
  const { email } = useSession()
  const [password, setPassword] = useState('')
  const confirm = useMutation({ mutationFn: () => run(password), onSuccess: onDone })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!confirm.isPending) confirm.mutate()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <p>{warning ?? accountTexts.secondFactor.passwordFirst}</p>
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        <TextField
          label={t('Password')}
          type="password"
          autoComplete="current-password"
          required
          autoFocus
          value={password}
          onChange={setPassword}
        />
        <ErrorNotice error={confirm.error} />
        <FormActions
          action={action}
          kind={isDangerous ? 'danger' : 'primary'}
          isPending={confirm.isPending}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  )
}
