/** Texts of the pages of those who operate the connected facilitator. */
const context = 'Facilitator'

/** A field in which an operator says why. */
const reason = {
  label: 'Reason',
  description: 'Those who read the list of decisions see it, and who decided.',
}

export const facilitatorTexts = {
  context,
  refresh: 'Refresh',
  reason,
  back: { accounts: 'Accounts', settlements: 'Settlements' },
  account: (id: string) => `Account ${id}`,
  settlement: (id: string) => `Settlement ${id}`,
  payer: (wallet: string) => `Wallet ${wallet}`,
  key: (id: string) => `Key ${id}`,
  session: (id: string) => `Session ${id}`,
  /** An actor of the facilitator's own transfers. */
  facilitator: 'the facilitator',
} as const

export const accountsTexts = {
  title: 'Accounts',
  context,
  description:
    'Who pays for settlements. Amounts are in the native token of the chain on which the treasury is.',
  search: 'Search by name, wallet or number',
  create: 'Create account',
  created: (name: string) => `${name} is created`,
  filters: { state: 'State', frozen: 'Frozen', open: 'Not frozen' },
  columns: {
    account: 'Account',
    wallet: 'Wallet',
    balance: 'Balance',
    reserved: 'Reserved',
    state: 'State',
    created: 'Created',
  },
  fields: {
    payer: { label: 'Wallet', description: 'What this wallet deposits is credited to the account.' },
    name: { label: 'Name', description: 'Such as the name of the shop.' },
  },
  states: { frozen: 'Frozen', owes: 'Owes', open: 'Can pay' },
  empty: {
    title: 'No accounts yet',
    advice: 'Create one for each wallet that pays for settlements, then a key for its programs.',
  },
} as const

export const accountTexts = {
  number: 'Number',
  wallet: 'Wallet',
  name: 'Name',
  balance: 'Balance',
  reserved: 'Reserved for settlements',
  owed: 'Owed',
  created: 'Created',
  details: 'Account',
  settlements: 'Its settlements',
  frozen: (why: string) => ({
    title: 'This account is frozen and cannot pay',
    advice: why,
  }),
  credit: {
    action: 'Credit',
    title: (name: string) => `Credit ${name}`,
    advice:
      'Adds an amount without a deposit. It is owed to the payer like any other, so the treasury must cover it. It cannot be taken back here.',
    amount: { label: 'Amount', description: 'In whole native tokens, such as 0.5.' },
    preview: (balance: string) => `The balance becomes ${balance}.`,
    done: (balance: string) => `Credited. The balance is ${balance}`,
    inDoubt: (amount: string, why: string) => ({
      title: `It is not known whether an earlier credit of ${amount} was made`,
      advice: `Its reason is “${why}”. Credit the same amount with the same reason to learn its outcome: that does not credit it twice. Any other amount or reason adds another credit.`,
    }),
  },
  freeze: {
    action: 'Freeze',
    title: (name: string) => `Freeze ${name}?`,
    advice: 'The account can no longer pay, with any key. What is reserved is still charged.',
    done: (name: string) => `${name} is frozen`,
  },
  unfreeze: {
    action: 'End the freeze',
    title: (name: string) => `End the freeze of ${name}?`,
    advice:
      'The account can pay again. If it was frozen because a deposit was reversed, what it owes stays owed.',
    done: (name: string) => `${name} can pay again`,
  },
  batches: {
    label: 'Shares transactions',
    never: 'Never',
    waits: (delay: string) => `Settles wait up to ${delay} ms for others`,
    action: 'Change the delay',
    title: (name: string) => `Delay of settles of ${name}`,
    advice:
      'A settle waits up to this time for other settles, of all accounts with a delay. Those that arrive in time share one transaction, which costs less gas. 0 turns it off. Only payments by EIP-3009 that this facilitator executes wait.',
    delay: {
      label: 'Delay',
      description: 'In milliseconds, from 0 to 5000. Each response can take that much longer.',
    },
    submit: 'Change',
    done: (name: string) => `The delay of ${name} is changed`,
  },
  keys: {
    title: 'Keys',
    create: 'Create key',
    columns: { name: 'Name', number: 'Number', prefix: 'Begins with', created: 'Created', state: 'State' },
    noName: 'Without a name',
    active: 'Active',
    ends: 'Ends',
    revoked: 'Revoked',
    name: { label: 'Name', description: 'Where the key is used, such as till.' },
    actionsOf: (name: string) => `Actions for ${name}`,
    rotate: 'Replace',
    rotateTitle: (name: string) => `Replace the key ${name}`,
    rotateAdvice: 'The next step shows the new token. The old one still works for the time that you choose.',
    grace: { label: 'The old token works for' },
    graces: [
      { value: '86400', label: '1 day' },
      { value: '3600', label: '1 hour' },
      { value: '604800', label: '7 days' },
      { value: '0', label: 'no longer' },
    ],
    revoke: 'Revoke',
    revokeTitle: (name: string) => `Revoke the key ${name}?`,
    revokeAdvice: 'Within seconds its token is refused. This cannot be undone.',
    revokedToast: (name: string) => `The key ${name} is revoked`,
    tokenTitle: 'Token of the new key',
    tokenOnce: {
      title: 'Copy the token now',
      advice: 'It is shown only once. Store it where the program reads its secrets, not in its code.',
    },
    token: 'Token',
    copyToken: 'Copy the token',
    done: 'Done',
    empty: { title: 'No keys', advice: 'Without a key nobody can call the facilitator for this account.' },
  },
  quotas: {
    title: 'Quotas',
    columns: {
      status: 'Status',
      limit: 'Limit',
      used: 'Used',
      left: 'Left',
      created: 'Created',
      ended: 'Ended',
    },
    statuses: {
      ACTIVE: 'Active',
      PENDING: 'Not valid yet',
      EXPIRED: 'Expired',
      REPLACED: 'Replaced',
      REVOKED: 'Revoked',
    },
    empty: { title: 'No quotas', advice: 'The payer allows charges by signing a quota.' },
  },
  deposits: {
    title: 'Deposits',
    columns: {
      transaction: 'Transaction',
      amount: 'Amount',
      block: 'Block',
      time: 'Credited',
      state: 'State',
    },
    credited: 'Credited',
    reversed: 'Reversed',
    empty: { title: 'No deposits', advice: 'A deposit is credited once its block is final.' },
  },
} as const

export const transfersTexts = {
  title: 'Ledger',
  columns: { kind: 'Transfer', amount: 'Amount', from: 'From', to: 'To', actor: 'By', time: 'Time' },
  empty: { title: 'No transfers', advice: 'Credits, deposits and settlements appear here.' },
  kinds: {
    hold: 'Reserved',
    capture: 'Charged',
    release: 'Released',
    refund: 'Refunded',
    credit: 'Credited',
    deposit: 'Deposited',
    suspense: 'Deposited without an account',
    claim: 'Claimed',
    repayment: 'Repaid',
    reversal: 'Deposit reversed',
  },
} as const

export const decisionsTexts = {
  title: 'Decisions of operators',
  columns: { operation: 'What', subject: 'About', actor: 'Who', reason: 'Why', time: 'When' },
  operations: {
    'operatorAccounts.create': 'Created the account',
    'operatorAccounts.credit': 'Credited',
    'operatorAccounts.freeze': 'Froze the account',
    'operatorAccounts.unfreeze': 'Ended the freeze',
    'operatorAccounts.setBatchDelay': 'Changed the delay of settles',
    'operatorKeys.create': 'Created a key',
    'operatorKeys.rotate': 'Replaced a key',
    'operatorKeys.revoke': 'Revoked a key',
    'operatorSettlements.resolve': 'Resolved the settlement',
    'operatorReverts.clear': 'Cleared reverts',
    'operatorHealth.endSession': 'Ended the session',
  },
  empty: {
    title: 'No decisions',
    advice:
      'What operators change here or through the interface appears here. Commands in a shell do not, except “sessions end”.',
  },
} as const

export const settlementsTexts = {
  title: 'Settlements',
  context,
  description: 'The payments of all accounts, newest first.',
  search: 'Search by order, transaction or wallet',
  filters: { status: 'Status', account: 'Account' },
  statuses: {
    stuck: 'Without an outcome for 5 minutes',
    unknown: 'Unknown',
    sent: 'Sent',
    settled: 'Settled',
    failed: 'Failed',
    not_sent: 'Not sent',
  },
  columns: {
    settlement: 'Settlement',
    status: 'Status',
    amount: 'Amount',
    payer: 'Payer',
    account: 'Account',
    chain: 'Chain',
    time: 'Requested',
  },
  open: (age: string) => `for ${age}`,
  newest: 'Newest',
  older: 'Older',
  pages: 'Parts of the list',
  empty: { title: 'No settlements', advice: 'Payments appear here once a program settles one.' },
  partEmpty: {
    title: 'None in this part of the list',
    advice: 'The facilitator has searched a part of all settlements. Older ones may match.',
  },
} as const

export const settlementTexts = {
  details: 'Settlement',
  order: 'Order',
  account: 'Account',
  payer: 'Payer',
  payTo: 'Paid to',
  amount: 'Amount',
  asset: 'Token',
  chain: 'Chain',
  scheme: 'Scheme',
  method: 'Method',
  schemes: { exact: 'Exact amount', upto: 'Up to a maximum', 'batch-settlement': 'Payment channel' },
  methods: { eip3009: 'EIP-3009', permit2: 'Permit2', channel: 'Claim, payout or refund' },
  upstream: 'Executed by',
  upstreams: { 'built-in': 'This facilitator', remote: 'Another facilitator' },
  transaction: 'Transaction',
  price: 'Price',
  hold: 'The price is',
  holds: { held: 'reserved', captured: 'charged', released: 'released', refunded: 'refunded' },
  charged: (cause: string) => `charged because of ${cause}`,
  causes: {
    upstream: 'its response',
    chain: 'the payment on the chain',
    operator: 'a decision of an operator',
  },
  reason: 'Reason',
  checks: 'Looked for its outcome',
  times: { one: 'time', other: 'times' },
  requested: 'Requested',
  ended: 'Ended',
  block: 'Block',
  final: 'final',
  notFinal: 'not final yet',
  inBlock: (number: string, state: string) => `${number}, ${state}`,
  observation: {
    title: 'What the chain shows now',
    settled: (state: string) => ({ title: 'The payment was made', advice: `Its block is ${state}.` }),
    failed: (why: string) => ({ title: 'The payment failed and can no longer be made', advice: why }),
    open: {
      title: 'The chain has not decided yet',
      advice: 'The payment was not made, and it can still be made.',
    },
    unreadable: (why: string) => ({ title: 'The chain cannot be read', advice: why }),
  },
  resolve: {
    action: 'Resolve',
    title: (id: string) => `Resolve settlement ${id}`,
    advice:
      'Do it only when you know what happened, for example from an explorer of the chain. It cannot be undone.',
    readable:
      'The chain can be read, so the facilitator decides by itself. Decide only if that can never happen.',
    outcome: { label: 'Outcome' },
    settled: { label: 'It was paid', description: 'The price is charged.' },
    failed: { label: 'It was not paid', description: 'The price is released.' },
    transaction: {
      label: 'Transaction that paid',
      ofEvm: '0x and 64 hexadecimal digits.',
      ofSolana: 'Its first signature, in base58.',
    },
    force: {
      label: 'Decide although the chain can be read',
      description: 'If the chain shows something else later, the charge stays as you decide it.',
    },
    done: (id: string, status: string) => `Settlement ${id}: ${status}`,
  },
  unknown: {
    title: 'The outcome of this settlement is unknown',
    advice:
      'Its price stays reserved. The facilitator looks for the outcome by itself while the chain can be read.',
  },
  events: 'Events',
  noEvents: { title: 'No events', advice: 'Nothing was reported about this settlement.' },
  transactions: {
    title: 'Signed transactions',
    columns: {
      nonce: 'Nonce',
      signer: 'Signer',
      signature: 'Signature',
      state: 'State',
      attempts: 'Attempts',
      block: 'Block',
      time: 'Signed',
    },
    succeeded: 'succeeded',
    reverted: 'reverted',
    empty: { title: 'No transactions', advice: 'This facilitator has signed none for this payment.' },
  },
  resolutions: {
    title: 'Resolved by operators',
    decided: (outcome: string, actor: string) => `${outcome} by ${actor}`,
  },
} as const

export const channelsTexts = {
  title: 'Channels',
  context,
  description:
    'Payment channels for which this facilitator signed transactions, newest first. The amounts are what the chains show now. A seller may have a higher voucher than the one here.',
  search: 'Search by wallet',
  role: 'The wallet is',
  roles: { payer: 'The payer', receiver: 'The receiver' },
  columns: {
    payer: 'Payer',
    receiver: 'Receiver',
    status: 'State',
    deposited: 'Deposited',
    claimed: 'Claimed',
    voucher: 'Voucher',
    unclaimed: 'To claim',
    unpaid: 'To pay out',
    changed: 'Last change',
  },
  states: {
    open: 'Open',
    withdrawing: 'Withdrawal announced',
    used: 'Used up',
    empty: 'Empty',
    unreadable: 'Cannot be read',
  },
  withdrawal: 'Payer can withdraw',
  empty: {
    title: 'No channels',
    advice: 'A channel appears when a payer deposits by the scheme batch-settlement.',
  },
} as const

export const grantsTexts = {
  title: 'Sponsored approvals',
  context,
  description: 'Gas that wallets received to approve Permit2, newest first. The operator pays for it.',
  search: 'Search by wallet',
  today: {
    title: 'Today',
    advice:
      'The largest totals of the day (UTC), which count against APPROVAL_GRANTS_PER_DAY_WEI. At the limit, settles that need gas for an approval are refused until midnight.',
    columns: { account: 'Account', chain: 'Chain', cost: 'Used', limit: 'Limit', state: 'State' },
    off: 'No longer sponsored',
    open: (percent: string) => `${percent} used`,
    full: 'Limit reached',
    empty: { title: 'Nothing today', advice: 'No wallet received gas since midnight (UTC).' },
  },
  list: 'Gas for approvals',
  columns: {
    payer: 'Wallet',
    amount: 'Received',
    state: 'State',
    transaction: 'Transaction',
    settlement: 'Settlement',
    account: 'Account',
    chain: 'Chain',
    time: 'Given',
  },
  states: { sent: 'Sent', mined: 'Mined', final: 'Final', superseded: 'Replaced' },
  failed: 'Failed',
  empty: {
    title: 'No sponsored approvals',
    advice: 'They appear once APPROVAL_GRANT_WEI is set and a wallet without gas pays by Permit2.',
  },
} as const

export const revertsTexts = {
  title: 'Reverts',
  context,
  description:
    'Payers and accounts whose transactions reverted recently. Each one costs gas, so too many are refused for a while.',
  columns: { subject: 'Who', reverts: 'Reverts', state: 'State' },
  refused: 'Refused',
  accepted: 'Accepted',
  clear: 'Accept again',
  // Begins with the words that the button shows, so that it is found by its voice command.
  clearOf: (who: string) => `Accept again: ${who}`,
  clearTitle: (who: string) => `Accept the payments of ${who} again?`,
  clearAdvice:
    'The reverted transactions so far no longer count. Do it when their cause is removed: every further one costs gas.',
  cleared: (who: string) => `${who} is accepted again`,
  empty: { title: 'Nothing reverted', advice: 'No transaction reverted recently.' },
} as const

export const ledgerTexts = {
  title: 'Ledger',
  context,
  description: 'Whether the entries of the ledger, the balances and the treasury agree.',
  check: 'Check now',
  advice: {
    title: 'Not checked yet',
    advice:
      'A check reads whole tables, which takes some seconds. Further checks at the same time share one.',
  },
  fine: { title: 'The ledger is correct', advice: 'All entries, balances and charges agree.' },
  problems: (count: string) => `${count} found`,
  problem: { one: 'problem', other: 'problems' },
  problemsAdvice: 'Read “Ledger check” in the guide on running the servers before you change anything.',
  problemsLabel: 'Problems of the ledger',
  notCompared: {
    treasury: 'The treasury was not compared',
    deposits: 'The deposits were not compared with the treasury',
  },
  columns: { invariant: 'Rule that does not hold', detail: 'What was found' },
  asOf: 'As of',
  totals: {
    title: 'Totals',
    liabilities: 'Owed to payers',
    treasury: 'In the treasury',
    available: 'Available to accounts',
    held: 'Reserved for settlements',
    suspense: 'Deposits without an account',
    revenue: 'Charged',
    receivable: 'Owed by accounts',
    granted: 'Credited by operators',
    external: 'Deposited',
    depositsBlock: 'Deposits compared at block',
  },
} as const

export const facilitatorHealthTexts = {
  title: 'Facilitator health',
  context,
  description: 'How the facilitator is, and what it depends on.',
  asOf: 'As of',
  fine: {
    title: 'Everything works',
    advice: 'No problem was found in the database, the chains, the signers, the jobs and the settlements.',
  },
  problems: {
    chain: (chain: string, problem: string) => ({
      title: `${chain} cannot be read: ${problem}`,
      remedy:
        'Check that the node named in CHAINS of the facilitator runs, or add a second one there. Until then nothing is settled on this chain; nothing is lost.',
    }),
    head: (chain: string, age: string) => ({
      title: `The newest block of ${chain} is ${age} old`,
      remedy: 'The node lags or the chain has stopped. Use another node in CHAINS.',
    }),
    deposits: (chain: string, blocks: string) => ({
      title: `Deposits on ${chain} are ${blocks} blocks behind`,
      remedy: 'They are credited late. Look at the job “deposits” below, and use a faster node.',
    }),
    signer: (signer: string, problem: string) => ({
      title: `Signer ${signer}: ${problem}`,
      remedy: 'Look at the guide before you send anything with this key.',
    }),
    missingKey: (signer: string, chain: string, count: string) => ({
      title: `The key of the signer ${signer} is missing, and ${count} of it on ${chain} cannot be replaced`,
      remedy:
        'If processes that have the key are being started, replace the old ones. Otherwise add the key again, and its address to RETIRED_SIGNERS, until nothing of it is outstanding.',
    }),
    balance: (signer: string, chain: string) => ({
      title: `The signer ${signer} has little left for gas on ${chain}`,
      remedy: 'Send it native tokens of this chain. Without them nothing is settled.',
    }),
    solana: (network: string, problem: string) => ({
      title: `${network} cannot be read: ${problem}`,
      remedy:
        'Check the nodes of this network in CHAINS of the facilitator, or add another one. Until then nothing is settled there; nothing is lost.',
    }),
    slot: (network: string, age: string) => ({
      title: `The newest slot of ${network} is ${age} old`,
      remedy: 'The nodes lag or the network has stopped: payments expire before they land. Use another node.',
    }),
    foreignNode: (node: string, network: string) => ({
      title: `Node ${node} of ${network} is of another network`,
      remedy: 'Correct its entry in CHAINS.',
    }),
    deadNode: (node: string, network: string, problem: string) => ({
      title: `Node ${node} of ${network} cannot be used: ${problem}`,
      remedy:
        'Check the node, or replace it in CHAINS. Prices of transactions that never landed stay reserved meanwhile.',
    }),
    lateNode: (node: string, network: string, slots: string) => ({
      title: `Node ${node} of ${network} is ${slots} slots behind`,
      remedy: 'It does not know payments of the last minute. Use a faster node.',
    }),
    oneNode: (network: string) => ({
      title: `${network} has one node`,
      remedy: 'Nothing is settled there while it fails. Add a second node to CHAINS.',
    }),
    noSol: (feePayer: string, network: string) => ({
      title: `The fee payer ${feePayer} has no SOL on ${network}`,
      remedy: 'Send SOL to it. Without it this fee payer settles nothing.',
    }),
    lowSol: (feePayer: string, network: string) => ({
      title: `The fee payer ${feePayer} has little SOL left on ${network}`,
      remedy: 'Send SOL to it before nothing can be settled.',
    }),
    job: (name: string, problem: string) => ({
      title: `The job “${name}” fails: ${problem}`,
      remedy: 'It is repeated by itself. If it keeps failing, look at the log of the facilitator.',
    }),
    lateJob: (name: string) => ({
      title: `The job “${name}” is late`,
      remedy:
        'It hangs or waits for a lock. If a session below has the lock, end it there; otherwise restart this process of the facilitator.',
    }),
    atLeast: (count: string) => `At least ${count}`,
    unknown: (count: string, age: string) => ({
      title: `${count} without a known outcome, the oldest for ${age}`,
      remedy:
        'The facilitator looks for them by itself while the chain can be read. Otherwise resolve them below.',
    }),
    settlement: { one: 'settlement', other: 'settlements' },
    due: (age: string) => ({
      title: `Webhooks are sent ${age} late`,
      remedy: 'Check that a process of the facilitator runs, or start another one.',
    }),
    audit: (count: string, kind: string) =>
      kind === '' ? `The last audit found ${count}` : `The last audit found ${count} of the kind “${kind}”`,
    auditRemedy: 'The log of the facilitator has “The audit found a problem” with the details.',
    /** What to do about the problems of each comparison. */
    auditRemedies: {
      ledger: 'Run a check on the page Ledger, freeze the accounts that it names, and keep its result.',
      settlements:
        'A transaction succeeded and its settlement was not settled or charged. The log names it: look at it on the page Settlements, then credit the account or leave it.',
      signers:
        'Another program has the key of a signer, or the database was restored. Run “settlements audit” in a shell, and replace the key.',
      payments:
        'A signer made a payment whose settlement is missing or differs. The log names it: look at it on the page Settlements. Without a settlement, the database was restored or another program has the key.',
      chains: 'A node did not return what a comparison needs. Look at the chains below, or use another node.',
    },
    problem: { one: 'problem', other: 'problems' },
    suspended: (count: string) => ({
      title: `${count} deposited without an account`,
      remedy: 'Create an account for each wallet below. It is credited with the deposits at once.',
    }),
    wallet: { one: 'wallet', other: 'wallets' },
    database: (ms: string) => ({
      title: `The database takes ${ms} ms to respond`,
      remedy: 'Look for its load and for long statements. Every settlement waits for it.',
    }),
  },
  server: {
    title: 'Facilitator',
    version: 'Version',
    database: 'Database responds in',
    milliseconds: (ms: string) => `${ms} ms`,
    due: 'Due deliveries of webhooks',
    late: (count: string, age: string) => `${count}, the oldest for ${age}`,
    audit: 'Last audit',
  },
  chains: {
    title: 'Chains',
    columns: {
      chain: 'Chain',
      status: 'Status',
      block: 'Newest block',
      age: 'Its age',
      response: 'Response',
      lag: 'Deposits behind',
    },
    reads: 'Reads',
    stopped: 'Cannot be read',
    blocks: (count: string) => `${count} blocks`,
    empty: { title: 'No chains', advice: 'CHAINS of the facilitator names its chains and their nodes.' },
  },
  suspended: {
    title: 'Deposits without an account',
    columns: { wallet: 'Wallet', chain: 'Chain', amount: 'Deposited', deposits: 'Deposits', time: 'Since' },
    create: 'Create account',
    createFor: (wallet: string) => `Create account for ${wallet}`,
    advice: 'The account is credited with what the wallet deposited.',
  },
  signers: {
    title: 'Signers',
    columns: { signer: 'Signer', chain: 'Chain', balance: 'Left for gas', nonces: 'Nonce', state: 'State' },
    nonces: (mined: string, next: string) => `${mined} mined, next ${next}`,
    works: 'Works',
    low: 'Little left',
    problem: 'Problem',
    retired: 'Retired',
    missing: 'Key is missing',
    transaction: { one: 'transaction', other: 'transactions' },
    notFinal: (count: string, isOne: boolean) => `${count} ${isOne ? 'is' : 'are'} not final`,
    mayBeUsed: 'Payments signed for it may not be settled yet',
    neededElsewhere: 'Its transactions on another chain are not final',
    removable: 'Its key can be removed once all sellers have read /supported again',
    empty: { title: 'No signers', advice: 'Another facilitator settles, or there is no chain.' },
  },
  solana: {
    title: 'Nodes of Solana',
    columns: {
      node: 'Node',
      network: 'Network',
      status: 'Status',
      slot: 'Newest slot',
      age: 'Its age',
      lag: 'Behind',
      response: 'Response',
    },
    node: (number: string) => `Node ${number}`,
    slots: (count: string) => `${count} slots`,
    foreign: 'Another network',
  },
  feePayers: {
    title: 'Fee payers of Solana',
    columns: { feePayer: 'Fee payer', network: 'Network', balance: 'Left for fees', state: 'State' },
    unread: 'Not read',
    noSol: 'Cannot settle',
    needsNoKey: 'What it has signed needs no key',
  },
  unknown: {
    title: 'Settlements without a known outcome',
    columns: { settlement: 'Settlement', order: 'Order', chain: 'Chain', age: 'Age' },
    empty: { title: 'None', advice: 'The outcome of every settlement is known, or is being awaited.' },
  },
  stuck: {
    title: 'Transactions that are not mined',
    columns: { nonce: 'Nonce', signer: 'Signer', settlement: 'Settlement', age: 'Age', action: 'What to do' },
    behind: 'waits for a lower nonce',
    empty: { title: 'None', advice: 'No transaction waits for more than 5 minutes.' },
  },
} as const
