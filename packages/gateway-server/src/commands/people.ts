import { Role } from '@mintmark/admin'
import { type Command, ConfigurationError, readEnvironment, transaction } from '@mintmark/server-kit'
import { createInvitation } from '../domains/people/invitations-store.ts'
import { setOperator } from '../domains/people/operators-store.ts'
import { isRole } from '../domains/people/roles.ts'
import { EMAIL_FORMAT } from '../http/formats.ts'
import { ensureProject } from '../keys/keys-store.ts'
import { print, withDatabase } from './command-database.ts'

/** Commands for people who use the console. */
export const peopleCommands: Record<string, Command> = {
  'people invite': {
    summary:
      'Invites a person to a project and prints the link that accepts the invitation, which is a secret. Roles: OWNER (default), MANAGER, STAFF, AUDITOR.',
    arguments: ['email'],
    options: { project: 'name', role: 'role?', 'public-url': 'url?' },
    async run({ arguments: [email = ''], options }) {
      const { project = '', role = Role.OWNER } = options
      if (!isRole(role))
        throw new ConfigurationError(`--role: expected one of ${Object.values(Role).join(', ')}`)
      if (EMAIL_FORMAT.findProblem(email) !== undefined)
        throw new ConfigurationError('email: expected an email address')
      const publicUrl = options['public-url'] ?? readEnvironment().url('PUBLIC_URL')?.href
      if (publicUrl === undefined)
        throw new ConfigurationError(
          '--public-url: expected the URL of the server, because PUBLIC_URL is not set',
        )
      await withDatabase('people', async (db) => {
        const projectId = await transaction(db, (trx) => ensureProject(trx, project))
        const created = await createInvitation(db, { project: projectId, email, role })
        if (created === 'member')
          throw new ConfigurationError(`${email} already has a role in the project ${project}`)
        if (typeof created === 'string')
          throw new ConfigurationError(
            `The project ${project} has reached its limit of people and invitations`,
          )
        const url = new URL(`/console/invitation/${created.token}`, publicUrl).href
        print({ email: created.row.email, project, role, url, expires: created.row.expires_at.toISOString() })
      })
    },
  },
  'people operator': {
    summary:
      'Makes a person an operator of this server, who sees all projects. --remove ends that. The person must have accepted an invitation.',
    arguments: ['email'],
    flags: ['remove'],
    async run({ arguments: [email = ''], options }) {
      const isOperator = options.remove === undefined
      await withDatabase('people', async (db) => {
        if (!(await setOperator(db, email, isOperator)))
          throw new ConfigurationError(`Nobody has the email address ${email}`)
        print({ email, isOperator })
      })
    },
  },
}
