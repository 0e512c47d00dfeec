import { usePathParam } from '../../navigation/use-address.ts'
import { findProgram, type Program, programs } from './programs.ts'

/** Returns the program that the address names; the first one for an unknown name. */
export function useProgram(): Program {
  return findProgram(usePathParam('program')) ?? programs.promoCodeCards
}
