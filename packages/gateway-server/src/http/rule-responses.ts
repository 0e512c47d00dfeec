import type {
  apiKeys,
  operatorProjects,
  operators,
  people,
  publishableKeys,
  stuckMints,
  stuckOrders,
} from '@mintmark/admin'
import type { commemorativeCards, eventCards, membershipCards, promoCodeCards } from '@mintmark/cards'
import type { assets, contracts, lazyMinting, nfts } from '@mintmark/contracts'
import type { events, eventWebhooks } from '@mintmark/events'
import type * as market from '@mintmark/market'
import type { ErrorsOf, Rule } from '@mintmark/operation'
import type * as orders from '@mintmark/orders'
import type { RuleResponses } from '@mintmark/server-kit'
import type * as wallet from '@mintmark/wallet'

type OfGroup<Group> = Extract<{ [Name in keyof Group]: ErrorsOf<Group[Name]> }[keyof Group], Rule>['reason']
type OfPackage<Package> = { [Name in keyof Package]: OfGroup<Package[Name]> }[keyof Package]
type GatewayRule =
  | OfGroup<typeof commemorativeCards>
  | OfGroup<typeof eventCards>
  | OfGroup<typeof membershipCards>
  | OfGroup<typeof promoCodeCards>
  | OfGroup<typeof assets>
  | OfGroup<typeof contracts>
  | OfGroup<typeof lazyMinting>
  | OfGroup<typeof nfts>
  | OfGroup<typeof events>
  | OfGroup<typeof eventWebhooks>
  | OfGroup<typeof people>
  | OfGroup<typeof apiKeys>
  | OfGroup<typeof publishableKeys>
  | OfGroup<typeof operatorProjects>
  | OfGroup<typeof operators>
  | OfGroup<typeof stuckOrders>
  | OfGroup<typeof stuckMints>
  | OfPackage<typeof market>
  | OfPackage<typeof orders>
  | OfPackage<typeof wallet>

const messages = {
  CHAIN_UNREADABLE: 'The chain cannot be read at present. Nothing was stored. Retry later',

  EVENTS_EXPIRED: 'Events after this place were deleted because of their age',
  TOO_MANY_EVENT_WEBHOOKS: 'The project has reached the maximum number of webhooks',

  HAS_OWNER: 'The project has an owner. Let an owner of the project invite the person',
  LAST_OPERATOR: 'The person is the last operator of the server. Make another person an operator first',
  LAST_OWNER: 'The person is the last owner of the project. Make another person an owner first',
  ALREADY_MEMBER: 'The person already has a role in the project. Change that role',
  DECISION_REFUSED: 'The state does not allow this decision',
  SCOPE_NOT_HELD: 'The key would have scopes that you lack',
  TOO_MANY_KEYS: 'The project has reached its limit of active keys. Revoke one first',
  TOO_MANY_PEOPLE: 'The project has reached its limit of people and invitations',

  TOTAL_BELOW_USED: 'The card has more uses than the new total allows',
  NONCE_REUSED: 'This device has used the nonce for another verification',

  MINT_NOT_OPEN: 'No phase of the presale is open',
  MINT_LIMIT_REACHED: 'The wallet has reached its mint limit for this phase',
  MINTED_OUT: 'Not enough supply left to mint that many',
  NFT_NOT_MINTABLE: 'The NFT is hidden, reserved by another wallet, or minted',
  MINT_UNDECIDED:
    'The previous signature has expired, and the chain does not show yet whether it was used. Retry later',
  MINT_NOT_PAID: 'The mint is sold by an order. Pay the order first',
  NOT_WHITELISTED: 'The wallet is not on the whitelist',

  NOT_ENOUGH_OWNED: 'The seller owns fewer tokens, or has reserved them elsewhere',
  LISTING_CLOSED: 'The listing is sold, or was taken off the shelf',
  COUPON_CODE_TAKEN: 'Another coupon of the project has this code',
  AUCTION_CLOSED: 'The auction has not started, has ended, or was cancelled',
  BID_TOO_LOW: 'The bid is too low',
  BID_TOO_HIGH: 'Bid exceeds the buyout price',
  AUCTION_HAS_BIDS: 'The auction has bids and cannot be cancelled',
  OFFER_NOT_YOURS: 'The wallet did not make the offer, or does not own its token',
  OFFER_CLOSED: 'The offer was accepted, rejected or cancelled, or has expired',
  OFFER_FOR_OTHERS: 'The offer is for other owners too, who can still accept it',
  TOKEN_DATA_CHANGED: 'The token data has a newer version. Read it and write again',

  ORDER_NOT_PAYABLE:
    'The order can no longer be paid. The hash was recorded, and a payment that is found counts',
  ORDER_RECIPIENT_MISMATCH: "The recipient is not the order's recipient",
  PAYMENT_HASH_TAKEN: 'The transaction paid another order. Report the one that pays this order',
  PAYMENT_MINED: 'A payment is already mined. A second one would be refunded',
  ORDER_NOT_CANCELLABLE: 'Only an order that waits for its payment can be cancelled',
  LISTING_NOT_OPEN: 'The listing is sold, off the shelf, ended or not started',
  LISTING_RESERVED: 'The listing is reserved for other wallets',
  OUT_OF_STOCK: 'Not enough stock for this quantity',
  TOO_MANY_OPEN_ORDERS: 'The wallet has too many open orders for this listing. Pay or cancel one first',
  TOO_MANY_PAYMENTS: 'Too many transactions were reported for the order',
  COUPON_INVALID: 'The coupon code does not apply to the listing, or is not valid now',
  COUPON_USED_UP: 'The coupon has no uses left. Open orders may release some',
  COUPON_WALLET_LIMIT: 'The wallet has reached its limit for the coupon',
  COUPON_MINIMUM: 'The order is below the minimum amount of the coupon',
} satisfies Record<GatewayRule, string>

/** The default message of each rule. */
export const ruleResponses: RuleResponses = Object.fromEntries(
  Object.entries(messages).map(([reason, message]) => [reason, { message }]),
)
