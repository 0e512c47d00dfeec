import { type Check, defineCheck, failIf } from '@mintmark/server-kit/doctor'
import { openAddressList } from '../screening/address-list.ts'
import type { ScreeningSettings } from '../screening/screening.ts'

/** Creates the check of the list of payers and recipients whose payments are refused, if there is one. */
export const createScreeningCheck = ({ file }: ScreeningSettings): readonly Check[] =>
  file === undefined
    ? []
    : [
        defineCheck({
          area: 'settings',
          name: 'SCREENING_FILE',
          read: async () => [await openAddressList(file).catch((error: Error) => error)],
          problems: (list) => [
            failIf(list instanceof Error)`${list instanceof Error ? list.message : ''}
              Correct the file. A running server uses the last valid list, and a new one does not start`,
          ],
          ok: (list) => (list instanceof Error ? undefined : `Addresses in SCREENING_FILE: ${list.size}`),
        }),
      ]
