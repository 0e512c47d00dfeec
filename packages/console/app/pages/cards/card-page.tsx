import { parseApplicableStores } from '@mintmark/cards'
import { type ReactNode, useState } from 'react'
import { useOperation } from '../../api/operations.ts'
import { Button } from '../../components/button.tsx'
import { CopiedText, CopyButton, Identifier } from '../../components/copy-button.tsx'
import { DetailList, type Details } from '../../components/detail-list.tsx'
import { confirm } from '../../components/dialogs.tsx'
import { Icon } from '../../components/icon.tsx'
import { Notice } from '../../components/notice.tsx'
import { drawQrCode, QrCode } from '../../components/qr-code.tsx'
import { RecordPage } from '../../components/record-page.tsx'
import type { ActionContext } from '../../components/resource-definition.ts'
import { Time } from '../../components/time.tsx'
import { formatChain } from '../../format/chains.ts'
import { formatCount } from '../../format/number.ts'
import { formatExactTime } from '../../format/time.ts'
import { toImageAddress } from '../../format/web-address.ts'
import { t } from '../../language/translate.ts'
import { ProjectLink } from '../../navigation/project-link.tsx'
import { usePathParam } from '../../navigation/use-address.ts'
import '../../styles/cards.css'
import { saveFile } from '../../components/save-file.ts'
import { TechnicalDetails } from '../../components/technical-details.tsx'
import { cardFieldTexts, cardsTexts, cardTexts } from '../../texts/cards.ts'
import { findCardLink, formatUses, getValidityEnd } from './card.ts'
import { CardHistory } from './card-history.tsx'
import { CardPicture } from './card-preview.tsx'
import { CardStatusBadge } from './card-status.tsx'
import { type AnyCard, type Program, useProgram } from './programs.ts'
import { VerificationSection } from './verification-section.tsx'

async function removeCard({ operations, slug }: Program, { id, name }: AnyCard, { go }: ActionContext) {
  const { remove } = operations
  const removed = await confirm<typeof remove>({
    operation: remove,
    input: { id },
    title: t('Remove {name}?', { name }),
    text: t(
      'From now on it is refused at the counter, and its page is gone. This cannot be undone. Its scans stay in the history.',
    ),
    action: t('Remove'),
    done: t('{name} is removed', { name }),
  })
  if (removed !== undefined) go(`cards/${slug}`)
}

/** One card: its QR code, what it is worth, and what happened to it. */
export function CardPage(): ReactNode {
  const program = useProgram()
  const id = Number(usePathParam('id'))
  const path = `cards/${program.slug}`
  return (
    <RecordPage<AnyCard>
      query={useOperation(program.operations.get, { id })}
      list={{ to: path, title: program.texts.title }}
      title={({ name }) => name}
      titleFirst={cardsTexts.cardNumber(id)}
      status={(card) => <CardStatusBadge card={card} />}
      actions={(card, context) => [
        { label: t('Edit'), to: `${path}/${id}/edit` },
        { label: t('Remove'), onSelect: () => removeCard(program, card, context) },
      ]}
    >
      {(card) => (
        <>
          <div className="record-head">
            <CodePanel program={program} card={card} />
            <div className="stack">
              <CardPicture program={program} card={card} />
              <div className="panel stack">
                <DetailList details={listDetails(program, card)} />
                <TechnicalDetails isOpen={false}>
                  <DetailList details={listTechnicalDetails(card)} />
                </TechnicalDetails>
              </div>
            </div>
          </div>
          {program.verifications !== undefined && (
            <VerificationSection operation={program.verifications} card={card} />
          )}
          <CardHistory card={card} />
        </>
      )}
    </RecordPage>
  )
}

/** Shows the QR code of a card with what can be done with it. */
function CodePanel({ program, card }: { readonly program: Program; readonly card: AnyCard }): ReactNode {
  const link = findCardLink(card, location.origin)
  if (card.qrCodeUrl === '') return <HiddenCode />
  if (link === undefined) return <OwnCode card={card} />
  const { address, code } = link
  const save = () => {
    const { path, size } = drawQrCode(address)
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="512" height="512" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path d="${path}"/></svg>`
    saveFile(`card-${card.id}.svg`, 'image/svg+xml', svg)
  }
  return (
    <section className="panel card-code" aria-label={cardTexts.qrCode}>
      <QrCode content={address} label={cardTexts.qrCodeOf(card.name)} />
      <p className="card-code-text">
        <CopiedText text={code} label={t('Copy the code')} />
      </p>
      <div className="row">
        <Button onClick={save}>{t('Download')}</Button>
        <ProjectLink
          to={`cards/${program.slug}/print`}
          search={{ id: String(card.id) }}
          className="button button-secondary"
        >
          {t('Print')}
        </ProjectLink>
      </div>
      <p className="copied-text">
        <a href={address} target="_blank" rel="noreferrer noopener" className="row">
          {t('Open the page of the card')}
          <Icon name="external" />
        </a>
        <CopyButton text={address} label={t('Copy the link')} />
      </p>
      <p className="muted">{t('Whoever has the code has the card.')}</p>
    </section>
  )
}

/** Explains that the person does not see the code: only those who issue cards do. */
function HiddenCode(): ReactNode {
  return (
    <section className="card-code" aria-label={cardTexts.qrCode}>
      <Notice
        tone="info"
        title={t('Only owners and managers see the QR code')}
        advice={t('To redeem the card, scan the code that its holder shows.')}
      />
    </section>
  )
}

/** Shows the picture of a QR code that the card's creator drew. */
function OwnCode({ card }: { readonly card: AnyCard }): ReactNode {
  const source = toImageAddress(card.qrCodeUrl)
  const [hasFailed, setHasFailed] = useState(false)
  return (
    <section className="panel card-code" aria-label={cardTexts.qrCode}>
      {source !== undefined && !hasFailed && (
        <img
          className="qr-code"
          src={source}
          alt={cardTexts.qrCodeOf(card.name)}
          referrerPolicy="no-referrer"
          onError={() => setHasFailed(true)}
        />
      )}
      <Notice
        tone="info"
        title={t('This card has a QR code of its own')}
        advice={t(
          'Its creator has set the address of a picture. The code of the card is only in that picture.',
        )}
      />
    </section>
  )
}

function listDetails({ texts }: Program, card: AnyCard): Details {
  const stores = parseApplicableStores(card)
  const end = getValidityEnd(card)
  return {
    [texts.usesColumn]: formatUses(card),
    // The uses of a promo code card are its supply.
    ...(!('usedCount' in card) && { [t('Supply')]: formatCount(card.totalIssued) }),
    [cardFieldTexts.startTime.label]: formatExactTime(card.startTime),
    [cardFieldTexts.endTime.label]: formatExactTime(card.endTime),
    ...(end !== card.endTime && { [cardFieldTexts.validityPeriod.label]: formatExactTime(end) }),
    ...('benefits' in card && { [cardFieldTexts.benefits.label]: card.benefits.join(', ') }),
    [cardFieldTexts.applicableStores.label]: stores.length === 0 ? t('All stores') : stores.join(', '),
    [cardFieldTexts.usageInstructions.label]:
      card.usageInstructions === '' ? '' : <p className="pre-line">{card.usageInstructions}</p>,
    [t('Created')]: <Time value={new Date(card.createTimeLong).toISOString()} />,
    [t('Your reference')]: card.reference,
  }
}

function listTechnicalDetails(card: AnyCard): Details {
  return {
    [cardFieldTexts.contract.label]: <Identifier value={card.nftAddress} />,
    [cardFieldTexts.nftId.label]: card.nftId,
    [t('Chain')]: card.chainId === '' ? '' : formatChain(card.chainId),
    [t('Number')]: card.id,
  }
}
