import {
  type CardStatus,
  type CommemorativeCard,
  commemorativeCards,
  type EventCard,
  eventCards,
  type MembershipCard,
  membershipCards,
  type PromoCodeCard,
  promoCodeCards,
} from '@mintmark/cards'
import { programSlugs } from '../../navigation/program-slugs.ts'
import { usePathParam } from '../../navigation/use-address.ts'
import { cardStatusTexts, programTexts } from '../../texts/cards.ts'

/** A card of any program. */
export type AnyCard = PromoCodeCard | EventCard | MembershipCard | CommemorativeCard

/** The card programs with their operations. `slug` is the program in addresses. */
export const programs = {
  promoCodeCards: {
    name: 'promoCodeCards',
    slug: programSlugs.promoCodeCards,
    operations: promoCodeCards,
    verifications: promoCodeCards.verifications,
    texts: programTexts.promoCodeCards,
  },
  eventCards: {
    name: 'eventCards',
    slug: programSlugs.eventCards,
    operations: eventCards,
    verifications: eventCards.verifications,
    texts: programTexts.eventCards,
  },
  membershipCards: {
    name: 'membershipCards',
    slug: programSlugs.membershipCards,
    operations: membershipCards,
    verifications: membershipCards.verifications,
    texts: programTexts.membershipCards,
  },
  commemorativeCards: {
    name: 'commemorativeCards',
    slug: programSlugs.commemorativeCards,
    operations: commemorativeCards,
    /** Nothing is redeemed with these cards. */
    verifications: undefined,
    texts: programTexts.commemorativeCards,
  },
} as const

export type ProgramName = keyof typeof programs
export type Program = (typeof programs)[ProgramName]

/** All programs, in the order of the page. */
export const programList: readonly Program[] = Object.values(programs)

/** Whether a text of an address is a status. */
export function isCardStatus(text: string | undefined): text is CardStatus {
  return text !== undefined && Object.hasOwn(cardStatusTexts, text)
}

/** Returns the program that the address names; the first one for an unknown name. */
export function useProgram(): Program {
  const named = usePathParam('program')
  return programList.find(({ slug }) => slug === named) ?? programs.promoCodeCards
}
