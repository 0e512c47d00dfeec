import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/operations.ts'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Skeleton } from '../../components/placeholders.tsx'
import { showToast } from '../../components/toast.tsx'
import { usePathParam } from '../../navigation/use-address.ts'
import { useMayChange, useProject } from '../../session/project-context.tsx'
import '../../styles/cards.css'
import { BackLink } from '../../components/back-link.tsx'
import { cardsTexts } from '../../texts/cards.ts'
import { CardForm } from './card-form.tsx'
import { NotAllowed } from './not-allowed.tsx'
import { useProgram } from './use-program.ts'

/** Creates a card. */
export function NewCardPage(): ReactNode {
  const program = useProgram()
  const { projectId, projectName } = useProject()
  const mayChange = useMayChange()
  const navigate = useNavigate()
  const path = `/p/${projectId}/cards/${program.slug}`
  return (
    <>
      <PageHeader
        title={program.texts.create}
        context={projectName}
        above={<BackLink to={`cards/${program.slug}`}>{program.texts.title}</BackLink>}
      />
      {mayChange ? (
        <CardForm
          program={program}
          onDone={({ id, name }) => {
            showToast(`${name} is created`)
            void navigate({ to: `${path}/${id}` })
          }}
          onCancel={() => void navigate({ to: path })}
        />
      ) : (
        <NotAllowed />
      )}
    </>
  )
}

/** Changes a card. */
export function EditCardPage(): ReactNode {
  const program = useProgram()
  const id = Number(usePathParam('id'))
  const { projectId, projectName } = useProject()
  const mayChange = useMayChange()
  const navigate = useNavigate()
  const { data, error, refetch, isFetching } = useOperation(program.operations.get, { id })
  const path = `/p/${projectId}/cards/${program.slug}/${id}`
  const leave = () => void navigate({ to: path })
  return (
    <>
      <PageHeader
        title={data === undefined ? 'Edit card' : `Edit ${data.name}`}
        context={projectName}
        above={
          <BackLink to={`cards/${program.slug}/${id}`}>{data?.name ?? cardsTexts.cardNumber(id)}</BackLink>
        }
      />
      {!mayChange && <NotAllowed />}
      <ErrorNotice error={error} onRetry={() => void refetch()} isRetrying={isFetching} />
      {data === undefined && error === null && <Skeleton lines={12} />}
      {mayChange && data !== undefined && (
        <CardForm
          key={id}
          program={program}
          card={data}
          onDone={() => {
            showToast('The card is changed')
            leave()
          }}
          onCancel={leave}
        />
      )}
    </>
  )
}
