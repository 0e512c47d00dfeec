export type {
  ApiKey,
  CreateApiKeyInput,
  CurrentApiKey,
  RevokeApiKeyInput,
  RotateApiKeyInput,
} from './api-keys.ts'
export * as apiKeys from './api-keys.ts'
export type { AuditAction, AuditEntry, AuditVerification, ListAuditInput } from './audit.ts'
export * as audit from './audit.ts'
export type { DailyTotals, GetDailyTotalsInput, TokenRevenue } from './daily-totals.ts'
export * as dailyTotals from './daily-totals.ts'
export type { CreateOperatorProjectInput, InviteOwnerInput, OperatorProject } from './operator-projects.ts'
export * as operatorProjects from './operator-projects.ts'
export type {
  InviteOperatorInput,
  Operator,
  OperatorInvitation,
  RemovedPerson,
  RemoveOperatorPersonInput,
  RevokeOperatorInput,
} from './operators.ts'
export * as operators from './operators.ts'
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
export type { FindInProjectInput, FoundBy, FoundKind, FoundRecord } from './project-search.ts'
export * as projectSearch from './project-search.ts'
export type {
  CreatePublishableKeyInput,
  PublishableKey,
  RevokePublishableKeyInput,
} from './publishable-keys.ts'
export * as publishableKeys from './publishable-keys.ts'
export type {
  RedemptionsReportInput,
  RedemptionsRow,
  RefusalCount,
  SalesReportInput,
  SalesRow,
} from './reports.ts'
export * as reports from './reports.ts'
export { Role } from './role.ts'
export {
  ALREADY_MEMBER,
  DECISION_REFUSED,
  HAS_OWNER,
  LAST_OPERATOR,
  LAST_OWNER,
  REPORT_TOO_LARGE,
  SCOPE_NOT_HELD,
  TOO_MANY_KEYS,
  TOO_MANY_PEOPLE,
} from './rules.ts'
export type { ListServerAuditInput } from './server-audit.ts'
export * as serverAudit from './server-audit.ts'
export type {
  EndedSession,
  EndSessionInput,
  RetriedChanges,
  RetryUnreportedInput,
  ServerHealth,
} from './server-health.ts'
export * as serverHealth from './server-health.ts'
export type { GetSessionInput, ProjectMembership, Session } from './session.ts'
export * as session from './session.ts'
export type { ResolvedMint, ResolveStuckMintInput, StuckMint } from './stuck-mints.ts'
export * as stuckMints from './stuck-mints.ts'
export type {
  ConfirmDeliveryInput,
  ListStuckOrdersInput,
  RecordRefundInput,
  ResolvedOrder,
  ResolveStuckOrderInput,
  StuckOrder,
} from './stuck-orders.ts'
export * as stuckOrders from './stuck-orders.ts'
