import { parseApplicableStores } from '@mintmark/cards'
import { type ReactNode, useState } from 'react'
import { QrCode } from '../../components/qr-code.tsx'
import { type FormValues, splitLines } from '../../form/form-values.ts'
import { formatDate } from '../../format/time.ts'
import { toImageAddress } from '../../format/web-address.ts'
import { t } from '../../language/translate.ts'
import { findCardLink, getValidityEnd } from './card.ts'
import type { AnyCard, Program } from './programs.ts'

interface CardPreviewProps {
  readonly program: Program
  /** What is entered in a form. */
  readonly values: FormValues
  /** The card that is changed. */
  readonly card: AnyCard | undefined
}

/** Shows the card that a form describes, while it is filled in. */
export function CardPreview({ program, values, card }: CardPreviewProps): ReactNode {
  const link = card === undefined ? undefined : findCardLink(card, location.origin)?.address
  return (
    <>
      <CardFace program={program} values={values} link={link} />
      <p className="muted">
        {link === undefined
          ? t('The QR code is made when the card is created.')
          : t('The QR code stays the same.')}
      </p>
    </>
  )
}

interface CardPictureProps {
  readonly program: Program
  readonly card: AnyCard
}

/** Shows a card as its owner knows it. */
export function CardPicture({ program, card }: CardPictureProps): ReactNode {
  const values = {
    ...card,
    endTime: getValidityEnd(card),
    validityPeriod: '',
    totalIssued: String(card.totalIssued),
    applicableStores: parseApplicableStores(card),
  }
  return <CardFace program={program} values={values} link={findCardLink(card, location.origin)?.address} />
}

interface CardFaceProps {
  readonly program: Program
  /** The fields of the card, as a form has them. */
  readonly values: Readonly<Record<string, unknown>>
  /** The address of the card's page. Undefined before the card exists, and if it has a QR code of its own. */
  readonly link: string | undefined
}

function CardFace({ program, values, link }: CardFaceProps): ReactNode {
  const text = (name: string) => {
    const value = values[name]
    return typeof value === 'string' ? value.trim() : ''
  }
  const name = text('name')
  const uses = /^\d{1,15}$/.test(text('totalIssued')) ? program.texts.supply(Number(text('totalIssued'))) : ''
  const { applicableStores } = values
  const stores: readonly string[] = Array.isArray(applicableStores)
    ? applicableStores
    : splitLines(text('applicableStores')).filter(Boolean)
  return (
    <div className="card-face">
      <SafeImage className="card-face-background" address={text('backgroundImageUrl')} />
      <div className="card-face-text">
        <div className="card-face-top">
          <SafeImage className="card-face-logo" address={text('logoUrl')} />
          <span>{text('level') || program.texts.single}</span>
        </div>
        <p className="card-face-name">{name === '' ? t('Name of the card') : name}</p>
        <p className="small">{formatPeriod(text('startTime'), text('validityPeriod') || text('endTime'))}</p>
        <p className="small">{[uses, stores.join(', ')].filter(Boolean).join(' · ')}</p>
      </div>
      {link === undefined ? (
        <div className="card-face-code card-face-placeholder" aria-hidden="true" />
      ) : (
        <div className="card-face-code">
          <QrCode content={link} label={name} />
        </div>
      )}
    </div>
  )
}

function formatPeriod(startTime: string, endTime: string): string {
  const format = (time: string) => (Number.isNaN(new Date(time).getTime()) ? '…' : formatDate(time))
  return startTime === '' && endTime === '' ? '' : `${format(startTime)} – ${format(endTime)}`
}

interface SafeImageProps {
  readonly className: string
  /** As a person entered it. Nothing is shown for anything but an https address of an image. */
  readonly address: string
}

function SafeImage({ className, address }: SafeImageProps): ReactNode {
  const [failed, setFailed] = useState<string>()
  const source = toImageAddress(address)
  if (source === undefined || source === failed) return null
  return (
    <img
      className={className}
      src={source}
      alt=""
      referrerPolicy="no-referrer"
      onError={() => setFailed(source)}
    />
  )
}
