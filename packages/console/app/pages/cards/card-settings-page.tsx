import { cardSettings } from '@mintmark/cards'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/operations.ts'
import { Section } from '../../components/detail-list.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { showToast } from '../../components/toast.tsx'
import { OperationForm } from '../../form/operation-form.tsx'
import { useMayChange } from '../../session/project-context.tsx'
import { cardSettingsTexts } from '../../texts/cards.ts'
import { componentTexts } from '../../texts/shell.ts'
import { findCardLink } from './card.ts'
import { IssuerPage } from './issuer-page.tsx'
import { type Program, programList } from './programs.ts'

const { title, preview, fields: texts } = cardSettingsTexts
const sendsEmpty = true
const COLOR = /^#[0-9a-f]{6}$/i

/** The settings of all cards: how their pages look, and which scans staff can undo. */
export function CardSettingsPage(): ReactNode {
  const query = useOperation(cardSettings.get, {}, { enabled: useMayChange() })
  return (
    <IssuerPage title={title} list={{ to: 'cards', title: cardSettingsTexts.back }}>
      <QueryView query={query}>
        {(data) => (
          <div className="stack">
            <div className="panel narrow">
              <OperationForm
                operation={cardSettings.update}
                initial={data}
                fields={{
                  shopName: { kind: 'text', sendsEmpty, ...texts.shopName },
                  logoUrl: { kind: 'picture', sendsEmpty, ...texts.logoUrl },
                  accentColor: {
                    kind: 'text',
                    sendsEmpty,
                    check: { pattern: COLOR, message: texts.wrongColor },
                    ...texts.accentColor,
                  },
                  reversalMinutes: { kind: 'integer', isRequired: true, ...texts.reversalMinutes },
                  reversalsPerDay: { kind: 'integer', isRequired: true, ...texts.reversalsPerDay },
                }}
                action={componentTexts.save}
                onDone={() => showToast(cardSettingsTexts.done)}
              />
            </div>
            <Section title={preview.title}>
              <p className="muted">{preview.advice}</p>
              <div className="row">
                {programList.map((program) => (
                  <PreviewLink key={program.name} program={program} />
                ))}
              </div>
            </Section>
          </div>
        )}
      </QueryView>
    </IssuerPage>
  )
}

/** Opens the page of the newest card of a program, as customers see it. */
function PreviewLink({ program }: { readonly program: Program }): ReactNode {
  const { data } = useOperation(program.operations.search, { pageSize: 1 })
  const card = data?.list[0]
  const link = card && findCardLink(card, location.origin)
  if (link === undefined) return null
  return (
    <a className="button button-secondary" href={link.address} target="_blank" rel="noreferrer noopener">
      {program.texts.single}
    </a>
  )
}
