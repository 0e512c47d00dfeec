export type {
  AccountDeposit,
  AccountDetails,
  CreateOperatorAccountInput,
  CreditAccountInput,
  FreezeAccountInput,
  GetOperatorAccountInput,
  ListOperatorAccountsInput,
  OperatorAccount,
  SetBatchDelayInput,
  UnfreezeAccountInput,
} from './operator/accounts.ts'
export * as operatorAccounts from './operator/accounts.ts'
export type { ChannelList, ListOperatorChannelsInput, OperatorChannel } from './operator/channels.ts'
export * as operatorChannels from './operator/channels.ts'
export type { DecisionList, ListOperatorDecisionsInput, OperatorDecision } from './operator/decisions.ts'
export * as operatorDecisions from './operator/decisions.ts'
export type {
  ApprovalGrant,
  GrantList,
  GrantTotal,
  GrantTotals,
  ListOperatorGrantsInput,
} from './operator/grants.ts'
export * as operatorGrants from './operator/grants.ts'
export type { EndedSession, EndSessionInput, OperatorHealth } from './operator/health.ts'
export * as operatorHealth from './operator/health.ts'
export type {
  CreateOperatorKeyInput,
  OperatorKey,
  RevokeOperatorKeyInput,
  RotateOperatorKeyInput,
} from './operator/keys.ts'
export * as operatorKeys from './operator/keys.ts'
export type { LedgerCheck } from './operator/ledger.ts'
export * as operatorLedger from './operator/ledger.ts'
export type { LedgerTransfer } from './operator/ledger-transfer.ts'
export type { ClearRevertsInput, RevertCount } from './operator/reverts.ts'
export * as operatorReverts from './operator/reverts.ts'
export {
  BALANCE_TOO_LARGE,
  CHAIN_DECIDES,
  DECISION_REFUSED,
  SETTLEMENT_NOT_UNKNOWN,
} from './operator/rules.ts'
export type {
  ChainObservation,
  GetOperatorSettlementInput,
  ListOperatorSettlementsInput,
  OperatorSettlement,
  ResolvedSettlement,
  ResolveSettlementInput,
  SettlementDetails,
  SettlementList,
  SettlementTransaction,
  SolanaTransaction,
} from './operator/settlements.ts'
export * as operatorSettlements from './operator/settlements.ts'
export type { ListStuckTransactionsInput, StuckTransaction } from './operator/transactions.ts'
export * as operatorTransactions from './operator/transactions.ts'
export { PAYER_HAS_ACCOUNT } from './rules.ts'
