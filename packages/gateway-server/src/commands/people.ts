import { Role } from '@mintmark/admin'
import {
  type Command,
  ConfigurationError,
  readEnvironment,
  readSettings,
  serverSettings,
  transaction,
} from '@mintmark/server-kit'
import { findPersonByEmail, removeAccount } from '../domains/people/accounts-store.ts'
import { createInvitation, createOperatorInvitation } from '../domains/people/invitations-store.ts'
import { revokeOperator } from '../domains/people/operators-store.ts'
import { EMAIL_FORMAT } from '../http/formats.ts'
import { isRole } from '../http/roles.ts'
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
      checkEmail(email)
      const publicUrl = readPublicUrl(options)
      await withDatabase('people', async (db) => {
        const projectId = await transaction(db, (trx) => ensureProject(trx, project))
        const created = await createInvitation(db, { project: projectId, email, role })
        if (created === 'member')
          throw new ConfigurationError(`${email} already has a role in the project ${project}`)
        if (typeof created === 'string')
          throw new ConfigurationError(
            `The project ${project} has reached its limit of people and invitations`,
          )
        const url = toLink(created.token, publicUrl)
        print({ email: created.row.email, project, role, url, expires: created.row.expires_at.toISOString() })
      })
    },
  },
  'people operator': {
    summary:
      'Invites a person to be an operator of this server, who sees all projects, and prints the link that accepts the invitation, which is a secret. --remove ends that the person with the address is an operator, and all open invitations of operators.',
    arguments: ['email'],
    options: { 'public-url': 'url?' },
    flags: ['remove'],
    async run({ arguments: [email = ''], options }) {
      checkEmail(email)
      if (options.remove !== undefined) return await removeOperator(email)
      const publicUrl = readPublicUrl(options)
      await withDatabase('people', async (db) => {
        const { token, expiresAt, ...created } = await createOperatorInvitation(db, email)
        print({ ...created, url: toLink(token, publicUrl), expires: expiresAt.toISOString() })
      })
    },
  },
  'people remove': {
    summary:
      'Removes the account of an email address from this server: the person, the password, the sessions and the roles in all projects. Afterwards an invitation creates a new account with the address. Use it when somebody else has accepted an invitation of the address.',
    arguments: ['email'],
    async run({ arguments: [email = ''] }) {
      await withDatabase('people', async (db) => {
        const removed = await removeAccount(db, email, { mayBeLast: true })
        if (typeof removed === 'string') throw new ConfigurationError(`Nobody has the email address ${email}`)
        const { memberships, ...person } = removed
        print({ ...person, projects: memberships.map(({ projectName, role }) => ({ projectName, role })) })
      })
    },
  },
}

async function removeOperator(email: string): Promise<void> {
  await withDatabase('people', async (db) => {
    const person = await findPersonByEmail(db, email)
    const result = person && (await revokeOperator(db, person.personId, { mayBeLast: true }))
    if (result !== 'revoked') throw new ConfigurationError(`No operator has the email address ${email}`)
    print({ email, isOperator: false })
  })
}

function checkEmail(email: string): void {
  if (EMAIL_FORMAT.findProblem(email) !== undefined)
    throw new ConfigurationError('email: expected an email address')
}

function readPublicUrl(options: Readonly<Record<string, string | undefined>>): string {
  const publicUrl = options['public-url'] ?? readSettings(serverSettings, readEnvironment()).PUBLIC_URL?.href
  if (publicUrl === undefined)
    throw new ConfigurationError(
      '--public-url: expected the URL of the server, because PUBLIC_URL is not set',
    )
  return publicUrl
}

function toLink(token: string, publicUrl: string): string {
  return new URL(`/console/invitation/${token}`, publicUrl).href
}
