import { session } from '@mintmark/admin'
import { HttpError } from '@mintmark/server-kit'
import { implementWithLimits } from '../../http/context.ts'
import { RESPONSE_ITEMS } from '../../http/field-limits.ts'
import type { PeoplePorts } from './people-port.ts'

export const sessionRoutes = implementWithLimits<PeoplePorts>({})(session, {
  get(_, { caller: { person }, hasFacilitator }) {
    if (person === undefined) throw new HttpError(403, 'A key has no session. Sign in to the console')
    const { personId, name, email, isOperator, hasSecondFactor, memberships } = person
    const projects = memberships.slice(0, RESPONSE_ITEMS.memberships)
    return { personId, name, email, isOperator, hasFacilitator, hasSecondFactor, projects }
  },
})
