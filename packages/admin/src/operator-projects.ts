import { Id, Integer, NotFoundError, record, type Schema, Text, Timestamp } from '@mintmark/envelope'
import { gatewayOperation, type InputOf } from '@mintmark/operation'
import * as v from 'valibot'
import { Invitation } from './people.ts'
import { ALREADY_MEMBER, HAS_OWNER, TOO_MANY_PEOPLE } from './rules.ts'

const project = record({
  /** The project's id. */
  projectId: Integer,
  /** The project's name. */
  name: v.string(),
  /** When the project was created. */
  createTime: Timestamp,
  /** The number of people with a role in the project. */
  people: Integer,
  /** The number of active keys. */
  activeKeys: Integer,
})
/** A project of the server, as operators see it. */
export interface OperatorProject extends v.InferOutput<typeof project> {}
export const OperatorProject: Schema<OperatorProject> = project

/**
 * Lists all projects of the server by name, at most 10,000. Only operators and keys with the scope
 * `operator:read` may call it.
 *
 * @example
 * for (const { projectId, name } of await operatorProjects.list(gateway)) console.log(projectId, name)
 */
export const list = gatewayOperation({
  id: 'operatorProjects.list',
  method: 'GET',
  path: '/admin/v1/operator/projects',
  source: 'own',
  scope: 'operator:read',
  data: v.array(OperatorProject),
})

/**
 * Creates a project, or returns the one that has the name. Invite its owner afterwards.
 *
 * @example
 * const { projectId } = await operatorProjects.create(gateway, { name: 'Corner Coffee' })
 */
export const create = gatewayOperation({
  id: 'operatorProjects.create',
  method: 'POST',
  path: '/admin/v1/operator/projects',
  source: 'own',
  scope: 'operator:write',
  idempotent: true,
  body: {
    /** The project's name. */
    name: Text,
  },
  data: OperatorProject,
})
export type CreateOperatorProjectInput = InputOf<typeof create>

/**
 * Invites the first owner of a project for seven days and returns the link that accepts the invitation. Send
 * it to that person only: it sets a password. An earlier invitation of the same address is replaced.
 * NotFoundError if there is no such project. `HAS_OWNER` if the project has an owner, who invites everybody
 * else. `ALREADY_MEMBER` if the person has another role in the project. `TOO_MANY_PEOPLE` at the project's
 * limit of 1,000 people and open invitations.
 *
 * @example
 * const { url } = await operatorProjects.inviteOwner(gateway, { projectId, email: 'kim@example.com' })
 */
export const inviteOwner = gatewayOperation({
  id: 'operatorProjects.inviteOwner',
  method: 'POST',
  path: '/admin/v1/operator/projects/{projectId}/owner',
  source: 'own',
  scope: 'operator:write',
  params: {
    /** The project's id. */
    projectId: Id,
  },
  body: {
    /** The email address of the owner. */
    email: Text,
  },
  data: Invitation,
  errors: [NotFoundError, HAS_OWNER, ALREADY_MEMBER, TOO_MANY_PEOPLE],
})
export type InviteOwnerInput = InputOf<typeof inviteOwner>
