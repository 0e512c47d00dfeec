import { session } from '@mintmark/admin'
import { HttpError } from '@mintmark/server-kit'
import { implement } from '../../context.ts'

export const sessionRoutes = implement(session, {
  get(_, { person }) {
    if (person === undefined) throw new HttpError(403, 'A key has no session. Sign in to the console')
    const { personId, name, email, isOperator, hasSecondFactor, memberships } = person
    return { personId, name, email, isOperator, hasSecondFactor, projects: [...memberships] }
  },
})
