export type {
  AddAddressBookEntryInput,
  AddressBookEntry,
  GetAddressBookEntryInput,
  ImportFollowingInput,
  ListAddressBookEntriesInput,
  RemoveAddressBookEntryInput,
  UpdateAddressBookEntryInput,
} from './address-book.ts'
export * as addressBook from './address-book.ts'
export { Fanship, type WalletEvents, walletEvents } from './events.ts'
export type {
  AddFanInput,
  Fan,
  IsFanInput,
  IsFanResult,
  ListFansInput,
  ListFollowingInput,
  RemoveFanInput,
} from './fans.ts'
export * as fans from './fans.ts'
export type {
  AddFollowInput,
  Follow,
  IsFollowingInput,
  IsFollowingResult,
  ListFollowsInput,
} from './follows.ts'
export * as follows from './follows.ts'
export type {
  AddWalletInfoInput,
  EditWalletInfoInput,
  GetWalletInfoInput,
  WalletInfo,
} from './wallet-info.ts'
export * as walletInfo from './wallet-info.ts'
export type {
  AddWordsInput,
  AddWordsToGroupInput,
  Conversation,
  ListConversationsInput,
  ListGroupWordsRecordsInput,
  ListMessagesInput,
  ListWordsRecordsInput,
  Message,
  ReadAllMessagesInput,
  ReadAllMessagesResult,
  RemoveMessageInput,
} from './words.ts'
export * as words from './words.ts'
