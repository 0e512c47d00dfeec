import type { commemorativeCards, eventCards, membershipCards, promoCodeCards } from '@mintmark/cards'
import type { assets, contracts, lazyMinting, nfts } from '@mintmark/contracts'
import type * as market from '@mintmark/market'
import type { ErrorsOf, Rule } from '@mintmark/operation'
import type * as orders from '@mintmark/orders'
import type { RuleAnswers } from '@mintmark/server-kit'
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
  | OfPackage<typeof market>
  | OfPackage<typeof orders>
  | OfPackage<typeof wallet>

const messages = {
  CHAIN_UNREADABLE: 'The chain cannot be read just now: nothing was stored, call again later',

  TOTAL_BELOW_USED: 'More of the card are used already than there would be',
  NONCE_REUSED: 'The nonce stands for another verification of this device',

  MINT_NOT_OPEN: 'No phase of the presale is open',
  MINT_LIMIT_REACHED: 'The wallet has reserved and minted as many as it may in this phase',
  MINTED_OUT: 'There are not so many left to mint',
  NFT_NOT_MINTABLE: 'The NFT is hidden, reserved by another wallet, or minted',
  MINT_UNDECIDED:
    'The signature before has expired, and the chain does not show yet whether it was used: call again later',
  MINT_NOT_PAID: 'It is sold by an order, which has to be paid before it is signed',
  NOT_WHITELISTED: 'The whitelist does not let the wallet mint',

  NOT_ENOUGH_OWNED: 'The seller owns fewer of the token, or has promised them elsewhere',
  LISTING_CLOSED: 'The listing is sold, or was taken off the shelf',
  COUPON_CODE_TAKEN: 'Another coupon of the project has this code',
  AUCTION_CLOSED: 'The auction has not begun, has ended, or was cancelled',
  BID_TOO_LOW: 'The bid is too low',
  BID_TOO_HIGH: 'Nobody has to pay more than the buyout amount',
  AUCTION_HAS_BIDS: 'The auction has bids, and goes on to its end',
  OFFER_NOT_YOURS: 'The wallet has not made the offer, or does not own what it is for',
  OFFER_CLOSED: 'The offer was answered or taken back, or has expired',
  OFFER_FOR_OTHERS: 'The offer stands for other owners too, who can still accept it',
  TOKEN_DATA_CHANGED: 'The token data has another version by now: read it, and write again',

  ORDER_NOT_PAYABLE:
    'The order can no longer be paid; the hash was noted, and a payment that shows up counts',
  ORDER_RECIPIENT_MISMATCH: "The recipient is not the order's",
  PAYMENT_HASH_TAKEN: 'The transaction counts for another order: report the one that pays this order',
  PAYMENT_MINED: 'A payment is mined already; a second one is owed back',
  ORDER_NOT_CANCELLABLE: 'Only an order that waits for its payment can be cancelled',
  LISTING_NOT_OPEN: 'The listing is sold, off the shelf, past its end or before its start',
  LISTING_RESERVED: 'The listing is for other wallets',
  OUT_OF_STOCK: 'Fewer are left than were asked for',
  TOO_MANY_OPEN_ORDERS:
    'The wallet has as many open orders of this as it may: pay one or cancel it, then order again',
  TOO_MANY_PAYMENTS: 'Too many transactions were reported for the order',
  COUPON_INVALID: 'The listing takes no such coupon code, or its coupon is not good now',
  COUPON_USED_UP: 'Every use of the coupon is taken; open orders may still set some free',
  COUPON_WALLET_LIMIT: 'The wallet has used the coupon as often as it may',
  COUPON_MINIMUM: 'The order costs less than what the coupon is good for',
} satisfies Record<GatewayRule, string>

/** What the gateway says where a rule refuses and the handler does not know better. */
export const ruleAnswers: RuleAnswers = Object.fromEntries(
  Object.entries(messages).map(([reason, message]) => [reason, { message }]),
)
