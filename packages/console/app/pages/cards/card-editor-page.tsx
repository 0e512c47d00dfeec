import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/operations.ts'
import { QueryView } from '../../components/query-view.tsx'
import { showToast } from '../../components/toast.tsx'
import { t } from '../../language/translate.ts'
import { usePathParam } from '../../navigation/use-address.ts'
import { useProject } from '../../session/project-context.tsx'
import { IssuerPage } from './issuer-page.tsx'
import { type AnyCard, useProgram } from './programs.ts'
import '../../styles/cards.css'
import { cardsTexts } from '../../texts/cards.ts'
import { CardForm } from './card-form.tsx'

/** Creates a card. */
export function NewCardPage(): ReactNode {
  const program = useProgram()
  const { projectId } = useProject()
  const navigate = useNavigate()
  const path = `/p/${projectId}/cards/${program.slug}`
  return (
    <IssuerPage
      title={program.texts.create}
      list={{ to: `cards/${program.slug}`, title: program.texts.title }}
    >
      <CardForm
        program={program}
        onDone={({ id, name }) => {
          showToast(t('{name} is created', { name }))
          void navigate({ to: `${path}/${id}` })
        }}
        onCancel={() => void navigate({ to: path })}
      />
    </IssuerPage>
  )
}

/** Changes a card. */
export function EditCardPage(): ReactNode {
  const program = useProgram()
  const id = Number(usePathParam('id'))
  const { projectId } = useProject()
  const navigate = useNavigate()
  const query = useOperation(program.operations.get, { id })
  const name = query.data?.name
  const path = `cards/${program.slug}/${id}`
  const leave = () => void navigate({ to: `/p/${projectId}/${path}` })
  return (
    <IssuerPage
      title={name === undefined ? t('Edit card') : t('Edit {name}', { name })}
      list={{ to: path, title: name ?? cardsTexts.cardNumber(id) }}
    >
      <QueryView<AnyCard> query={query}>
        {(card) => (
          <CardForm
            key={id}
            program={program}
            card={card}
            onDone={() => {
              showToast(t('The card is changed'))
              leave()
            }}
            onCancel={leave}
          />
        )}
      </QueryView>
    </IssuerPage>
  )
}
