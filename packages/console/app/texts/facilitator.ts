/** Texts of the pages of those who operate the connected facilitator. */
export const facilitatorTexts = {
  account: (id: string) => `Account ${id}`,
  settlement: (id: string) => `Settlement ${id}`,
} as const

export const accountTexts = {
  frozen: (why: string) => ({ title: 'This account is frozen and cannot pay', advice: why }),
  credit: {
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
} as const

export const transfersTexts = {
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
} as const

export const settlementTexts = {
  schemes: {
    exact: 'Exact amount',
    upto: 'Up to a maximum',
    'batch-settlement': 'Payment channel',
    'auth-capture': 'Capture later',
  },
  methods: {
    eip3009: 'EIP-3009',
    permit2: 'Permit2',
    channel: 'Claim, payout or refund',
    escrow: 'Capture, void or refund',
  },
  upstreams: { 'built-in': 'This facilitator', remote: 'Another facilitator' },
  holds: { held: 'reserved', captured: 'charged', released: 'released', refunded: 'refunded' },
  causes: {
    upstream: 'its response',
    chain: 'the payment on the chain',
    operator: 'a decision of an operator',
  },
  times: { one: 'time', other: 'times' },
  final: 'final',
  notFinal: 'not final yet',
  observation: {
    settled: (state: string) => ({ title: 'The payment was made', advice: `Its block is ${state}.` }),
    failed: (why: string) => ({ title: 'The payment failed and can no longer be made', advice: why }),
    unreadable: (why: string) => ({ title: 'The chain cannot be read', advice: why }),
  },
  resolve: { action: 'Resolve' },
  events: 'Events',
  transactions: {
    title: 'Signed transactions',
    columns: { state: 'State', time: 'Signed' },
  },
} as const

export const grantsTexts = {
  states: { sent: 'Sent', mined: 'Mined', final: 'Final', superseded: 'Replaced' },
} as const

export const ledgerTexts = {
  problem: { one: 'problem', other: 'problems' },
  totals: {
    title: 'Totals',
    liabilities: 'Owed to payers',
    treasury: 'In the treasury',
    available: 'Available to accounts',
    held: 'Reserved for settlements',
    suspense: 'Deposits without an account',
    revenue: 'Charged',
    receivable: 'Owed by accounts',
    granted: 'Credited by operators and for trials',
    trials: 'Left of trials, owed to nobody',
    external: 'Deposited',
    depositsBlock: 'Deposits compared at block',
  },
} as const

export const facilitatorHealthTexts = {
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
  signers: {
    works: 'Works',
    low: 'Little left',
    missing: 'Key is missing',
    transaction: { one: 'transaction', other: 'transactions' },
  },
} as const
