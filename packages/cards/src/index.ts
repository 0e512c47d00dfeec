export { parseApplicableStores } from './applicable-stores.ts'
export type {
  Campaign,
  CampaignDay,
  CampaignRefusals,
  CampaignStatus,
  CampaignTotals,
  CreateCampaignInput,
  EndCampaignInput,
  GetCampaignInput,
  IssueCampaignInput,
  PauseCampaignInput,
  ResumeCampaignInput,
  UpdateCampaignInput,
} from './campaigns.ts'
export * as campaigns from './campaigns.ts'
export { findCardCode, parseCardCode } from './card-code.ts'
export type { CardStatus } from './card-fields.ts'
export type { CardSettings, UpdateCardSettingsInput } from './card-settings.ts'
export * as cardSettings from './card-settings.ts'
export type {
  CommemorativeCard,
  CommemorativeCardItem,
  CreateCommemorativeCardBatchInput,
  CreateCommemorativeCardInput,
  GetCommemorativeCardByQrCodeInput,
  GetCommemorativeCardInput,
  ListCommemorativeCardsByCreatorInput,
  ListCommemorativeCardsByNftInput,
  ListCommemorativeCardsByOwnerInput,
  ListCommemorativeCardsByStoreInput,
  ListCommemorativeCardsInput,
  RemoveCommemorativeCardInput,
  SearchCommemorativeCardsInput,
  UpdateCommemorativeCardInput,
} from './commemorative-cards.ts'
export * as commemorativeCards from './commemorative-cards.ts'
export type {
  CreateEventCardBatchInput,
  CreateEventCardInput,
  CreateEventCardVerificationInput,
  EventCard,
  GetEventCardByQrCodeInput,
  GetEventCardInput,
  ListEventCardsByCreatorInput,
  ListEventCardsByNftInput,
  ListEventCardsByOwnerInput,
  ListEventCardsByStoreInput,
  ListEventCardsInput,
  ListEventCardVerificationsInput,
  RemoveEventCardInput,
  SearchEventCardsInput,
  UpdateEventCardInput,
} from './event-cards.ts'
export * as eventCards from './event-cards.ts'
export { type CardEvents, cardEvents, ProgramCard } from './events.ts'
export type { UploadedPicture, UploadPictureInput } from './media.ts'
export * as media from './media.ts'
export type {
  CreateMembershipCardBatchInput,
  CreateMembershipCardInput,
  CreateMembershipCardVerificationInput,
  GetMembershipCardByQrCodeInput,
  GetMembershipCardInput,
  ListMembershipCardsByCreatorInput,
  ListMembershipCardsByNftInput,
  ListMembershipCardsByOwnerInput,
  ListMembershipCardsByStoreInput,
  ListMembershipCardsInput,
  ListMembershipCardVerificationsInput,
  MembershipCard,
  RemoveMembershipCardInput,
  SearchMembershipCardsInput,
  UpdateMembershipCardInput,
} from './membership-cards.ts'
export * as membershipCards from './membership-cards.ts'
export type {
  CreatePromoCodeCardBatchInput,
  CreatePromoCodeCardInput,
  CreatePromoCodeCardVerificationInput,
  GetPromoCodeCardByQrCodeInput,
  GetPromoCodeCardInput,
  ListPromoCodeCardsByCreatorInput,
  ListPromoCodeCardsByNftInput,
  ListPromoCodeCardsByOwnerInput,
  ListPromoCodeCardsByStoreInput,
  ListPromoCodeCardsInput,
  ListPromoCodeCardVerificationsInput,
  PromoCodeCard,
  RemovePromoCodeCardInput,
  SearchPromoCodeCardsInput,
  UpdatePromoCodeCardInput,
} from './promo-code-cards.ts'
export * as promoCodeCards from './promo-code-cards.ts'
export {
  ALREADY_REVERSED,
  CAMPAIGN_ENDED,
  CAMPAIGN_FULL,
  MEDIA_FULL,
  NONCE_REUSED,
  NOT_REVERSIBLE,
  REVERSAL_NOT_ALLOWED,
  STORE_NAME_TAKEN,
  TOO_MANY_CAMPAIGNS,
  TOO_MANY_REVERSALS,
  TOO_MANY_STORES,
  TOTAL_BELOW_USED,
} from './rules.ts'
export type { CreateStoreInput, Store, StoreStatus, UpdateStoreInput } from './stores.ts'
export * as stores from './stores.ts'
export {
  PreviousUse,
  type VerifiableProgram,
  type VerificationAction,
  type VerificationReason,
  VerificationRecord,
  type VerificationResult,
} from './verification.ts'
export type { ReversalCount, ReverseVerificationInput } from './verifications.ts'
export * as verifications from './verifications.ts'
