import { type Person, people } from '@mintmark/admin'
import type { ReactNode } from 'react'
import { useWrite } from '../../api/operations.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { showToast } from '../../components/toast.tsx'
import { OperationForm } from '../../form/operation-form.tsx'
import { peopleTexts } from '../../texts/people.ts'
import { componentTexts } from '../../texts/shell.ts'
import { roleOptions } from './role-options.ts'

interface PersonDialogProps {
  readonly person: Person
  readonly onClose: () => void
}

/** Changes the role and the wallet of a person. */
export function EditPersonDialog({ person, onClose }: PersonDialogProps): ReactNode {
  const { role, wallet } = peopleTexts.fields
  return (
    <Dialog title={`Change ${person.name}`} isOpen onClose={onClose} isDismissable={false}>
      <OperationForm
        operation={people.update}
        fields={{
          role: { kind: 'radio', isRequired: true, options: roleOptions, ...role },
          wallet: { kind: 'address', sendsEmpty: true, ...wallet },
        }}
        fixed={{ personId: person.personId }}
        initial={person}
        action={componentTexts.save}
        onDone={({ name }) => {
          showToast(`${name} is changed`)
          onClose()
        }}
        onCancel={onClose}
      />
    </Dialog>
  )
}

/** Ends all sessions of a person. */
export function SignOutPersonDialog({ person, onClose }: PersonDialogProps): ReactNode {
  const signOut = useWrite(people.signOut)
  const { personId, name } = person
  return (
    <ConfirmDialog
      title={`Sign out ${name} everywhere?`}
      action={peopleTexts.signOut}
      isOpen
      isPending={signOut.isPending}
      error={signOut.error}
      onConfirm={() => {
        const onSuccess = () => {
          showToast(`${name} is signed out`)
          onClose()
        }
        signOut.mutate({ personId }, { onSuccess })
      }}
      onClose={onClose}
    >
      <p>
        The person must sign in again on every device, for other projects too. Use it when a device is lost.
      </p>
    </ConfirmDialog>
  )
}

/** Removes a person from the project. */
export function RemovePersonDialog({ person, onClose }: PersonDialogProps): ReactNode {
  const remove = useWrite(people.remove)
  const { personId, name } = person
  return (
    <ConfirmDialog
      title={`Remove ${name}?`}
      action="Remove"
      isOpen
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => {
        const onSuccess = () => {
          showToast(`${name} is removed`)
          onClose()
        }
        remove.mutate({ personId }, { onSuccess })
      }}
      onClose={onClose}
    >
      <p>{`${name} can no longer open this project. The API keys of the project stay valid: revoke those that ${name} knows.`}</p>
    </ConfirmDialog>
  )
}
