import { parseApplicableStores } from '@mintmark/cards'
import { type ReactNode, useState } from 'react'
import { QrCode } from '../../components/qr-code.tsx'
import { type FormValues, splitLines } from '../../form/form-values.ts'
import { formatCount } from '../../format/number.ts'
import { formatDate } from '../../format/time.ts'
import { toImageAddress } from '../../format/web-address.ts'
import { findCardLink, getValidityEnd } from './card.ts'
import type { AnyCard, Program } from './programs.ts'

/** What a card looks like. */
interface CardFace {
  readonly name: string
  readonly program: Program
  /** ISO 8601, or the value of an input for a time; `''` if it is not entered yet. */
  readonly startTime: string
  readonly endTime: string
  readonly level: string
  readonly totalIssued: string
  readonly stores: readonly string[]
  readonly logoUrl: string
  readonly backgroundImageUrl: string
  /** The address of the card's page. Undefined before the card exists, and if it has a QR code of its own. */
  readonly link: string | undefined
}

interface CardPreviewProps {
  readonly program: Program
  /** What is entered in a form. */
  readonly values: FormValues
  /** The card that is changed. */
  readonly card: AnyCard | undefined
}

/** Shows the card that a form describes, while it is filled in. */
export function CardPreview({ program, values, card }: CardPreviewProps): ReactNode {
  const text = (name: string) => {
    const value = values[name]
    return typeof value === 'string' ? value.trim() : ''
  }
  const stores = values.applicableStores
  const link = card === undefined ? undefined : findCardLink(card, location.origin)?.address
  return (
    <>
      <CardFacePicture
        program={program}
        name={text('name')}
        startTime={text('startTime')}
        endTime={text('validityPeriod') || text('endTime')}
        level={text('level')}
        totalIssued={text('totalIssued')}
        stores={typeof stores === 'object' ? stores : splitLines(text('applicableStores')).filter(Boolean)}
        logoUrl={text('logoUrl')}
        backgroundImageUrl={text('backgroundImageUrl')}
        link={link}
      />
      <p className="muted">
        {link === undefined ? 'The QR code is made when the card is created.' : 'The QR code stays the same.'}
      </p>
    </>
  )
}

/** Shows a card as its owner knows it. */
export function CardPicture({
  program,
  card,
}: {
  readonly program: Program
  readonly card: AnyCard
}): ReactNode {
  return (
    <CardFacePicture
      program={program}
      name={card.name}
      startTime={card.startTime}
      endTime={getValidityEnd(card)}
      level={'level' in card ? card.level : ''}
      totalIssued={String(card.totalIssued)}
      stores={parseApplicableStores(card)}
      logoUrl={card.logoUrl}
      backgroundImageUrl={card.backgroundImageUrl}
      link={findCardLink(card, location.origin)?.address}
    />
  )
}

function CardFacePicture(face: CardFace): ReactNode {
  const { name, program, startTime, endTime, level, totalIssued, stores, link } = face
  const uses = /^\d{1,15}$/.test(totalIssued) ? formatCount(Number(totalIssued)) : ''
  return (
    <div className="card-face">
      <SafeImage className="card-face-background" address={face.backgroundImageUrl} />
      <div className="card-face-text">
        <div className="card-face-top">
          <SafeImage className="card-face-logo" address={face.logoUrl} />
          <span>{level === '' ? program.texts.single : level}</span>
        </div>
        <p className="card-face-name">{name === '' ? 'Name of the card' : name}</p>
        <p className="card-face-line">{formatPeriod(startTime, endTime)}</p>
        <p className="card-face-line">
          {[uses === '' ? '' : program.texts.supply(uses), stores.join(', ')].filter(Boolean).join(' · ')}
        </p>
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
