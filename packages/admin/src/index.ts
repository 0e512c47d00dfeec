export type {
  ApiKey,
  CreateApiKeyInput,
  RevokeApiKeyInput,
  RotateApiKeyInput,
} from './api-keys.ts'
export * as apiKeys from './api-keys.ts'
export type {
  Invitation,
  InvitePersonInput,
  Person,
  RemovePersonInput,
  RevokeInvitationInput,
  SignOutPersonInput,
  UpdatePersonInput,
} from './people.ts'
export * as people from './people.ts'
export { Role } from './role.ts'
export { ALREADY_MEMBER, LAST_OWNER, SCOPE_NOT_HELD, TOO_MANY_KEYS, TOO_MANY_PEOPLE } from './rules.ts'
export type { GetSessionInput, ProjectMembership, Session } from './session.ts'
export * as session from './session.ts'
