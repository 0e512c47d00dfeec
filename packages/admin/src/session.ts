import { ForbiddenError, Integer, record, type Schema } from '@mintmark/envelope'
import { gatewayOperation, type InputOf } from '@mintmark/operation'
import * as v from 'valibot'
import { OpenRole } from './role.ts'

const projectMembership = record({
  /** The project's id. */
  projectId: Integer,
  /** The project's name. */
  projectName: v.string(),
  /** The person's role: `OWNER`, `MANAGER`, `STAFF` or `AUDITOR`. */
  role: OpenRole,
  /** The wallet of what the person does in the project; `''` if it has none. */
  wallet: v.string(),
})
/** The role of a person in one project. */
export interface ProjectMembership extends v.InferOutput<typeof projectMembership> {}
export const ProjectMembership: Schema<ProjectMembership> = projectMembership

const session = record({
  /** The person's id. */
  personId: v.string(),
  /** The person's name. */
  name: v.string(),
  /** The person's email address, in lower case. */
  email: v.string(),
  /**
   * Whether the person operates this server: sees all projects, and resolves what the server cannot decide.
   */
  isOperator: v.boolean(),
  /** Whether a facilitator is connected to this server, so that operators also operate it. */
  hasFacilitator: v.boolean(),
  /** Whether the person signs in with a second factor. */
  hasSecondFactor: v.boolean(),
  /**
   * The person's projects, by name: the first 1,000. An operator without a role in a project does not see it
   * here.
   */
  projects: v.array(projectMembership),
})
/** Who is signed in to the console. */
export interface Session extends v.InferOutput<typeof session> {}
export const Session: Schema<Session> = session

/**
 * Returns who is signed in, with the projects and roles. Only a session of the console can call it: a call
 * with a key fails with ForbiddenError. UnauthorizedError if nobody is signed in.
 *
 * @example
 * const { name, projects } = await session.get(gateway)
 */
export const get = gatewayOperation({
  id: 'session.get',
  method: 'GET',
  path: '/admin/v1/session',
  source: 'own',
  data: Session,
  errors: [ForbiddenError],
})
export type GetSessionInput = InputOf<typeof get>
