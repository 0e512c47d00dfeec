export type {
  ApiKey,
  CreateApiKeyInput,
  ListApiKeysInput,
  RevokeApiKeyInput,
  RotateApiKeyInput,
} from './api-keys.ts'
export * as apiKeys from './api-keys.ts'
export type { AuditAction, AuditEntry, AuditVerification, ListAuditInput } from './audit.ts'
export * as audit from './audit.ts'
export type {
  Invitation,
  InvitePersonInput,
  ListPeopleInput,
  Person,
  RemovePersonInput,
  RevokeInvitationInput,
  SignOutPersonInput,
  UpdatePersonInput,
} from './people.ts'
export * as people from './people.ts'
export { Role } from './role.ts'
export { ALREADY_MEMBER, LAST_OWNER, SCOPE_NOT_HELD, TOO_MANY_KEYS } from './rules.ts'
export type { GetSessionInput, ProjectMembership, Session } from './session.ts'
export * as session from './session.ts'
