import type { Program } from '../programs/cards-store.ts'
import type { ShownStatus } from './shown-status.ts'

/** The texts of the pages of cards in one language. */
export interface PageTexts {
  /** The language of the page, as in `<html lang>`. */
  readonly language: string
  /** How dates are written. */
  readonly locale: string
  readonly programs: Readonly<Record<Program, string>>
  /** The label of each status and its explanation. */
  readonly statuses: Readonly<Record<ShownStatus, readonly [label: string, note: string]>>
  readonly qrCode: string
  readonly admission: string
  readonly checkedIn: string
  readonly notCheckedIn: string
  readonly usesLeft: string
  readonly formatUses: (left: number, total: number) => string
  readonly level: string
  readonly amount: string
  readonly benefits: string
  readonly validFrom: string
  readonly validUntil: string
  readonly store: string
  readonly stores: string
  readonly allStores: string
  readonly usage: string
  readonly addToCalendar: string
  readonly noCard: { readonly title: string; readonly label: string; readonly note: string }
}

const english: PageTexts = {
  language: 'en',
  locale: 'en-GB',
  programs: {
    promo_code: 'Promo code card',
    event: 'Event card',
    commemorative: 'Commemorative card',
    membership: 'Membership card',
  },
  statuses: {
    NOT_YET_VALID: ['Not yet valid', 'This card cannot be used yet.'],
    ACTIVE: ['Active', 'This card is valid now.'],
    EXHAUSTED: ['Used up', 'This card has no uses left.'],
    CHECKED_IN: ['Checked in', 'This card is already checked in.'],
    EXPIRED: ['Expired', 'This card can no longer be used.'],
    REMOVED: ['Removed', 'The issuer has removed this card.'],
    PAUSED: ['Paused', 'This card cannot be used at the moment.'],
    ENDED: ['Ended', 'This card can no longer be used.'],
  },
  qrCode: 'The card’s QR code',
  admission: 'Admission',
  checkedIn: 'Checked in',
  notCheckedIn: 'Not checked in yet',
  usesLeft: 'Uses left',
  formatUses: (left, total) => `${left} of ${total}`,
  level: 'Level',
  amount: 'Amount',
  benefits: 'Benefits',
  validFrom: 'Valid from',
  validUntil: 'Valid until',
  store: 'Store',
  stores: 'Stores',
  allStores: 'All stores',
  usage: 'How to use it',
  addToCalendar: 'Add to calendar',
  noCard: {
    title: 'Card not found',
    label: 'Unknown code',
    note: 'The address may be incomplete. Scan the code again.',
  },
}

const german: PageTexts = {
  language: 'de',
  locale: 'de-DE',
  programs: {
    promo_code: 'Gutscheinkarte',
    event: 'Eintrittskarte',
    commemorative: 'Erinnerungskarte',
    membership: 'Mitgliedskarte',
  },
  statuses: {
    NOT_YET_VALID: ['Noch nicht gültig', 'Diese Karte kann noch nicht verwendet werden.'],
    ACTIVE: ['Gültig', 'Diese Karte ist jetzt gültig.'],
    EXHAUSTED: ['Aufgebraucht', 'Diese Karte ist vollständig eingelöst.'],
    CHECKED_IN: ['Eingecheckt', 'Diese Karte ist bereits eingecheckt.'],
    EXPIRED: ['Abgelaufen', 'Diese Karte kann nicht mehr verwendet werden.'],
    REMOVED: ['Entfernt', 'Der Aussteller hat diese Karte entfernt.'],
    PAUSED: ['Pausiert', 'Diese Karte kann zurzeit nicht verwendet werden.'],
    ENDED: ['Beendet', 'Diese Karte kann nicht mehr verwendet werden.'],
  },
  qrCode: 'QR-Code der Karte',
  admission: 'Einlass',
  checkedIn: 'Eingecheckt',
  notCheckedIn: 'Noch nicht eingecheckt',
  usesLeft: 'Noch einlösbar',
  formatUses: (left, total) => `${left} von ${total}`,
  level: 'Stufe',
  amount: 'Betrag',
  benefits: 'Vorteile',
  validFrom: 'Gültig ab',
  validUntil: 'Gültig bis',
  store: 'Filiale',
  stores: 'Filialen',
  allStores: 'Alle Filialen',
  usage: 'So wird sie verwendet',
  addToCalendar: 'Zum Kalender hinzufügen',
  noCard: {
    title: 'Karte nicht gefunden',
    label: 'Unbekannter Code',
    note: 'Die Adresse ist vielleicht unvollständig. Bitte den Code noch einmal scannen.',
  },
}

const spanish: PageTexts = {
  language: 'es',
  locale: 'es-ES',
  programs: {
    promo_code: 'Tarjeta promocional',
    event: 'Tarjeta de evento',
    commemorative: 'Tarjeta conmemorativa',
    membership: 'Tarjeta de socio',
  },
  statuses: {
    NOT_YET_VALID: ['Aún no es válida', 'Esta tarjeta todavía no se puede usar.'],
    ACTIVE: ['Válida', 'Esta tarjeta es válida ahora.'],
    EXHAUSTED: ['Agotada', 'A esta tarjeta no le quedan usos.'],
    CHECKED_IN: ['Entrada registrada', 'La entrada con esta tarjeta ya está registrada.'],
    EXPIRED: ['Caducada', 'Esta tarjeta ya no se puede usar.'],
    REMOVED: ['Eliminada', 'El emisor ha eliminado esta tarjeta.'],
    PAUSED: ['En pausa', 'Esta tarjeta no se puede usar por el momento.'],
    ENDED: ['Finalizada', 'Esta tarjeta ya no se puede usar.'],
  },
  qrCode: 'Código QR de la tarjeta',
  admission: 'Entrada',
  checkedIn: 'Registrada',
  notCheckedIn: 'Aún no registrada',
  usesLeft: 'Usos restantes',
  formatUses: (left, total) => `${left} de ${total}`,
  level: 'Nivel',
  amount: 'Importe',
  benefits: 'Ventajas',
  validFrom: 'Válida desde',
  validUntil: 'Válida hasta',
  store: 'Tienda',
  stores: 'Tiendas',
  allStores: 'Todas las tiendas',
  usage: 'Cómo usarla',
  addToCalendar: 'Añadir al calendario',
  noCard: {
    title: 'Tarjeta no encontrada',
    label: 'Código desconocido',
    note: 'La dirección puede estar incompleta. Vuelva a escanear el código.',
  },
}

/** A language with its region, and how much it is preferred. */
const RANGE = /^\s*([a-z]{2,8})(?:-[a-z\d]{1,8})*\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?$/i

/** Chooses the texts that a header `Accept-Language` prefers. English for other languages and without one. */
export function choosePageTexts(acceptLanguage = ''): PageTexts {
  let chosen = english
  let best = 0
  for (const range of acceptLanguage.split(',')) {
    const [, language, quality = '1'] = RANGE.exec(range) ?? []
    const texts = [english, german, spanish].find((each) => each.language === language?.toLowerCase())
    if (texts === undefined || Number(quality) <= best) continue
    chosen = texts
    best = Number(quality)
  }
  return chosen
}
