export {
  InvalidWebhookError,
  type SignedWebhook,
  signTestWebhook,
  type VerifyWebhookOptions,
} from '@mintmark/envelope'
export {
  type AccountProofTerms,
  accountProofTypes,
  type SignedAccountProof,
  signAccountProof,
} from './account-proof.ts'
export * as accountTotals from './account-totals.ts'
export {
  type AccountTotals,
  AssetTotal,
  type GetAccountTotalsInput,
  NetworkTotal,
  ResourceTotal,
} from './account-totals.ts'
export type { OpenAccountInput, OpenedAccount } from './accounts.ts'
export * as accounts from './accounts.ts'
export type {
  CatalogResource,
  ListResourcesInput,
  ResourceList,
  ResourceSearch,
  SearchResourcesInput,
} from './catalog.ts'
export * as catalog from './catalog.ts'
export type {
  ChannelConfig,
  ChannelState,
  ChannelVoucher,
  ChannelVoucherList,
  ListChannelVouchersInput,
} from './channel-vouchers.ts'
export * as channelVouchers from './channel-vouchers.ts'
export type {
  GetMicropaymentOrderInput,
  ListMicropaymentOrdersInput,
  MicropaymentOrder,
  MicropaymentOrderStatus,
} from './micropayment-orders.ts'
export * as micropaymentOrders from './micropayment-orders.ts'
export type {
  GetActivePayerQuotaInput,
  ListPayerQuotaHistoryInput,
  PayerQuota,
  PayerQuotaStatus,
  RegisterPayerQuotaInput,
  RevokePayerQuotaInput,
  SigningDomain,
} from './payer-quotas.ts'
export * as payerQuotas from './payer-quotas.ts'
export { PaymentStatus } from './payment-status.ts'
export type { GetPaymentInput, SettlePaymentInput, VerifyPaymentInput } from './payments.ts'
export * as payments from './payments.ts'
export {
  type QuotaDomain,
  type QuotaSigning,
  type QuotaTerms,
  quotaTypes,
  type SignedQuota,
  type SignedRevocation,
  signPayerQuota,
  signRevocation,
  type TypedDataWallet,
} from './quota-signing.ts'
export {
  ACCOUNT_FROZEN,
  ACCOUNTS_NOT_OPENED,
  DUPLICATE_SETTLEMENT,
  INVALID_ACCOUNT_PROOF,
  INVALID_QUOTA_SIGNATURE,
  PAYER_HAS_ACCOUNT,
  PAYER_MISMATCH,
  PROOF_USED,
  QUOTA_NONCE_USED,
  TOO_MANY_WEBHOOKS,
  WEBHOOK_URL_REFUSED,
} from './rules.ts'
export { verifyWebhook } from './verify-webhook.ts'
export {
  type BalanceCreditedData,
  type BalanceLowData,
  PaymentRefundedData,
  type QuotaExhaustedData,
  type QuotaRegisteredData,
  type QuotaRevokedData,
  SettlementEventData,
  type WebhookData,
  WebhookEvent,
  type WebhookType,
  webhookEvents,
} from './webhook-events.ts'
export type {
  ConfigureWebhookInput,
  Delivery,
  DeliveryStatus,
  EventType,
  GetWebhookInput,
  ListDeliveriesInput,
  RedeliverInput,
  RemoveWebhookInput,
  RotateWebhookSecretInput,
  Webhook,
  WebhookStatus,
} from './webhooks.ts'
export * as webhooks from './webhooks.ts'
export {
  FieldIssue,
  Health,
  type PaymentPayload,
  type PaymentPayloadV1,
  type PaymentPayloadV2,
  type PaymentRequirements,
  type PaymentRequirementsV1,
  type PaymentRequirementsV2,
  Settlement,
  Supported,
  VerifyResponse,
} from './x402.ts'
