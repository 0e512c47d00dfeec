import { campaigns, type Store, stores } from '@mintmark/cards'
import type { InputOf } from '@mintmark/operation'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useOperation } from '../../../api/operations.ts'
import { Skeleton } from '../../../components/placeholders.tsx'
import { showToast } from '../../../components/toast.tsx'
import type { FieldDefinitions, FormValues } from '../../../form/form-values.ts'
import { AdaptedForm } from '../../../form/operation-form.tsx'
import { t } from '../../../language/translate.ts'
import { useProject } from '../../../session/project-context.tsx'
import { IssuerPage } from '../issuer-page.tsx'
import '../../../styles/cards.css'
import { campaignsTexts as texts } from '../../../texts/campaigns.ts'
import { createCardValues, listCardFields, TECHNICAL_FIELDS } from '../card-fields.ts'
import { CardPreview } from '../card-preview.tsx'
import { programList, programs } from '../programs.ts'

const programOptions = programList.map((each) => ({ value: each.name, label: each.texts.title }))

const readProgram = ({ program }: FormValues) =>
  programList.find(({ name }) => name === program) ?? programs.promoCodeCards

/** Lists the fields of the campaign, then those that its cards have in common. */
function listFields(values: FormValues, projectStores: readonly Store[]): FieldDefinitions {
  const { name } = readProgram(values)
  const card = listCardFields(name, { mode: 'create', contracts: [], stores: projectStores })
  return {
    campaignName: {
      kind: 'text',
      isRequired: true,
      label: t('Name of the campaign'),
      description: t('Only your team reads it.'),
    },
    cards: {
      kind: 'integer',
      isRequired: true,
      label: t('Maximum number of cards'),
      description: t('How many cards can be issued, at most 1,000,000.'),
    },
    program: { kind: 'select', isRequired: true, options: programOptions, label: t('Kind of cards') },
    ...Object.fromEntries(Object.entries(card).filter(([name]) => !TECHNICAL_FIELDS.has(name))),
  }
}

function toCampaign(fields: Readonly<Record<string, unknown>>): InputOf<typeof campaigns.create> {
  const { campaignName: name, cards, program, ...card } = fields
  // The form compares the input with the operation's schema before it is sent.
  return { name, cards, program, card } as InputOf<typeof campaigns.create>
}

const toFieldPath = (path: string) => (path === 'name' ? 'campaignName' : path.replace(/^card\./, ''))

/** Creates a campaign. */
export function NewCampaignPage(): ReactNode {
  const { projectId } = useProject()
  const navigate = useNavigate()
  const path = `/p/${projectId}/campaigns`
  const { data: projectStores = [], isPending } = useOperation(stores.list, {})
  return (
    <IssuerPage title={texts.create} list={{ to: 'campaigns', title: texts.title }}>
      {isPending ? (
        <Skeleton />
      ) : (
        <AdaptedForm
          operation={campaigns.create}
          fields={(values) => listFields(values, projectStores)}
          entered={{ ...createCardValues(), program: programs.promoCodeCards.name }}
          toOperationInput={toCampaign}
          toFieldPath={toFieldPath}
          aside={(values) => <CardPreview program={readProgram(values)} values={values} card={undefined} />}
          action={texts.create}
          onDone={({ id, name }) => {
            showToast(t('{name} is created', { name }))
            void navigate({ to: `${path}/${id}` })
          }}
          onCancel={() => void navigate({ to: path })}
        />
      )}
    </IssuerPage>
  )
}
