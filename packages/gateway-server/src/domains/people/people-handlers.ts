import {
  ALREADY_MEMBER,
  type Invitation,
  LAST_OWNER,
  type Person,
  people,
  Role,
  TOO_MANY_PEOPLE,
} from '@mintmark/admin'
import { NotFoundError } from '@mintmark/envelope'
import { type FieldLimits, refusal } from '@mintmark/server-kit'
import { implementWithLimits } from '../../http/context.ts'
import { ensureFound } from '../../http/ensure-found.ts'
import { ADDRESS, CHOICE, KEY, RESPONSE_ITEMS } from '../../http/field-limits.ts'
import { EMAIL_FORMAT } from '../../http/formats.ts'
import { isRole } from '../../http/roles.ts'
import { sendInvitationLink } from './invitation-link.ts'
import {
  type CreatedInvitation,
  createInvitation,
  type InvitationRow,
  listInvitations,
  removeInvitation,
} from './invitations-store.ts'
import {
  type ChangeResult,
  endSessions,
  findMember,
  listMembers,
  type Member,
  removeMember,
  updateMember,
} from './members-store.ts'
import type { PeoplePorts } from './people-port.ts'

const peopleLimits: FieldLimits = {
  email: { characters: 320, format: EMAIL_FORMAT },
  personId: KEY,
  role: { ...CHOICE, oneOf: Object.values(Role) },
  wallet: ADDRESS,
}

function toPerson(member: Member): Person {
  const { personId, name, email, role, wallet, hasSecondFactor, createdAt, lastSeenAt } = member
  return {
    personId,
    name,
    email,
    role,
    wallet,
    hasSecondFactor,
    createTime: createdAt.toISOString(),
    ...(lastSeenAt !== null && { lastSeenTime: lastSeenAt.toISOString() }),
  }
}

/** Converts the row of an invitation to the record. */
export function toInvitation({ id, email, role, wallet, created_at, expires_at }: InvitationRow): Invitation {
  const [createTime, expireTime] = [created_at.toISOString(), expires_at.toISOString()]
  return { id, email, role, wallet, createTime, expireTime }
}

/** Returns what the link of a new invitation needs. */
export function toLink({ row, token, projectName }: CreatedInvitation) {
  return { email: row.email, expiresAt: row.expires_at, token, projectName }
}

/** Returns a role whose name the limits of the operation have checked. */
function toRole(name: string): Role {
  if (!isRole(name)) throw new TypeError(`${name} is no role`)
  return name
}

function checkResult(result: ChangeResult): void {
  if (result === 'not found') throw refusal(NotFoundError)
  if (result === 'last owner') throw refusal(LAST_OWNER)
}

export const peopleRoutes = implementWithLimits<PeoplePorts>(peopleLimits)(people, {
  async list(_, { people: { db }, tenant }) {
    return (await listMembers(db, tenant.project)).map(toPerson)
  },

  async invite({ email, role, wallet }, context) {
    const {
      people: { db },
      tenant,
      caller,
    } = context
    const invitation = { project: tenant.project, email, role: toRole(role), wallet, inviter: caller.actor }
    const created = await createInvitation(db, invitation)
    if (created === 'member') throw refusal(ALREADY_MEMBER)
    if (typeof created === 'string')
      throw refusal(TOO_MANY_PEOPLE, `A project has at most ${RESPONSE_ITEMS.people} people and invitations`)
    return { ...toInvitation(created.row), ...(await sendInvitationLink(toLink(created), context, caller)) }
  },

  async listInvitations(_, { people: { db }, tenant }) {
    return (await listInvitations(db, tenant.project)).map(toInvitation)
  },

  async revokeInvitation({ id }, { people: { db }, tenant }) {
    if (!(await removeInvitation(db, tenant.project, id))) throw refusal(NotFoundError)
    return {}
  },

  async update({ personId, role, wallet }, context) {
    const { people: port, tenant } = context
    checkResult(
      await updateMember(port.db, tenant.project, personId, {
        role: role === undefined ? undefined : toRole(role),
        wallet,
      }),
    )
    return toPerson(ensureFound(await findMember(port.db, tenant.project, personId)))
  },

  async remove({ personId }, context) {
    const { people: port, tenant } = context
    checkResult(await removeMember(port.db, tenant.project, personId))
    return {}
  },

  async signOut({ personId }, { people: { db }, tenant }) {
    if ((await findMember(db, tenant.project, personId)) === undefined) throw refusal(NotFoundError)
    await endSessions(db, personId)
    return {}
  },
})
