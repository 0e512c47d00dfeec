/** Texts of the pages of those who operate the server. */
export const healthTexts = {
  title: 'Health',
  context: 'Operator',
  description: 'How the server is, and what it depends on.',
  refresh: 'Refresh',
  asOf: 'As of',
  fine: {
    title: 'Everything works',
    advice: 'No problem was found in the database, the chains, the jobs and the webhooks.',
  },
  problems: {
    database: (ms: string) => ({
      title: `The database takes ${ms} ms to respond`,
      remedy:
        'Look for its load and for long statements, and whether it is near the server. Every page and every call waits for it.',
    }),
    chain: (chain: string, problem: string) => ({
      title: `${chain} cannot be read: ${problem}`,
      remedy:
        'Check that the node named in CHAINS runs and can be reached from the server, or add a second one there. Until then payments on this chain are not confirmed, and orders wait; nothing is lost.',
    }),
    node: (node: string, chain: string, problem: string) => ({
      title: `Node ${node} of ${chain} does not respond: ${problem}`,
      remedy:
        'The other nodes in CHAINS are used until it responds again. Check that it runs, or replace it in CHAINS.',
    }),
    slowChain: (chain: string, ms: string) => ({
      title: `The node of ${chain} takes ${ms} ms to respond`,
      remedy: 'Use a faster node in CHAINS, or add a second one. Payments are confirmed late meanwhile.',
    }),
    lag: (chain: string, blocks: string, age: string) => ({
      title: `The index of ${chain} is ${blocks} blocks and ${age} behind`,
      remedy:
        'Owners of tokens on this chain are out of date. If the node responds, wait: the index catches up. If the lag grows, look at the job “transfers” below and use a faster node.',
    }),
    job: (name: string, problem: string) => ({
      title: `The job “${name}” fails: ${problem}`,
      remedy:
        'It is repeated by itself. If it keeps failing, look for “job failed” in the log of the server; a job that fails with a lock time-out waits for another session of the database, which is listed below while it waits.',
    }),
    lateJob: (name: string, age: string) => ({
      title: `The job “${name}” has not succeeded for ${age}`,
      remedy:
        'It hangs or waits for a lock. If a session below has the lock, end it there; otherwise restart this server process.',
    }),
    unreadable: (chain: string, block: string) => ({
      title: `No node of ${chain} returns the logs of block ${block}`,
      remedy:
        'Owners of tokens on this chain are not updated until one does. Add a node to CHAINS that serves the logs of this block, and restart.',
    }),
    sessions: (count: string, age: string) => ({
      title: `${count} for a lock of the database, the longest for ${age}`,
      remedy:
        'The section “Sessions that wait” shows which session has the lock. End it there, or wait if it works on something long that must not be lost.',
    }),
    webhooks: (count: string) => ({
      title: `${count} after failing for too long`,
      remedy:
        'Their projects see it and enable them again. If many fail at the same time, check that the server resolves names and reaches public addresses.',
    }),
    payments: (count: string) => ({
      title: `${count} by orders of several projects`,
      remedy: 'Compare the orders below and ask the projects. No order changes by itself.',
    }),
    unreported: (count: string) => ({
      title: `${count} could not be reported as events`,
      remedy:
        'Update the server to a version that knows the records, then retry them below. All other events continue.',
    }),
    waiting: (age: string) => ({
      title: `Changes wait for ${age} to become events`,
      remedy:
        'Check that a gateway process runs and that its job “events” succeeds. A project that changed very many records at once needs some minutes.',
    }),
    due: (age: string) => ({
      title: `Webhooks are sent ${age} late`,
      remedy:
        'Check that a gateway process runs. If more events happen than are sent, start another process, or raise the rate limits of the webhooks.',
    }),
  },
  change: { one: 'change', other: 'changes' },
  waitingSession: { one: 'session waits', other: 'sessions wait' },
  disabledWebhook: { one: 'webhook was disabled', other: 'webhooks were disabled' },
  sharedPayment: { one: 'payment is counted', other: 'payments are counted' },
  server: {
    title: 'Server',
    version: 'Version',
    database: 'Database responds in',
    milliseconds: (ms: string) => `${ms} ms`,
    unreported: 'Oldest change without an event',
    due: 'Oldest due delivery of a webhook',
    none: 'None waits',
  },
  chains: {
    title: 'Chains',
    columns: {
      chain: 'Chain',
      status: 'Status',
      block: 'Newest block',
      response: 'Response',
      lag: 'Index behind',
    },
    reads: 'Reads',
    stopped: 'Cannot be read',
    noLag: 'Nothing indexed',
    upToDate: 'Up to date',
    lag: (blocks: string, age: string) => `${blocks} blocks, ${age}`,
    empty: { title: 'No chains', advice: 'CHAINS names the chains of this server and their nodes.' },
  },
  jobs: {
    title: 'Jobs of this process',
    columns: { name: 'Job', status: 'Status', every: 'Every', success: 'Last success' },
    works: 'Works',
    fails: 'Fails',
    late: 'Late',
    starting: 'Starting',
    empty: { title: 'No jobs', advice: 'This process runs no jobs. Another process of the server does.' },
  },
  changes: {
    title: 'Changes that could not be reported',
    columns: { table: 'Table', row: 'Row', project: 'Project', time: 'Changed', problem: 'Problem' },
    retry: 'Retry all',
    retryTitle: (count: string) => `Retry ${count}?`,
    retryAdvice:
      'Do it when the cause is removed. The events get numbers after those that are in the feed already.',
    retried: (count: string) => `${count} are retried`,
  },
  webhooks: {
    title: 'Disabled webhooks',
    description:
      'Their receivers failed for five days. The project enables each one again on its page Webhooks, after the receiver is fixed, and sends again what it missed.',
    columns: {
      url: 'Receiver',
      project: 'Project',
      problem: 'Newest failure',
      failed: 'Failed deliveries',
      since: 'Fails since',
    },
  },
  payments: {
    title: 'Payments that several projects count',
    description:
      'Either the same buyer paid the same seller once for two orders, or somebody places orders between other people’s wallets. The list has the last seven days.',
    columns: { hash: 'Transaction', chain: 'Chain', orders: 'Orders', time: 'Counted' },
    project: (id: string) => `project ${id}`,
  },
  sessions: {
    title: 'Sessions that wait',
    description: 'Statements that wait for a lock of the database, and the sessions that have it.',
    columns: { waits: 'Waits', age: 'For', blockers: 'For the session' },
    session: (program: string, id: string) => `${program === '' ? 'Session' : program} ${id}`,
    end: 'End session',
    endOf: (session: string) => `End session ${session}`,
    question: (session: string) => `End the session ${session}?`,
    consequence:
      'Its transaction is rolled back, and its program loses the connection. Do it when the program hangs, or works on something that can be repeated: what it had not committed is lost. A server of Mintmark connects again by itself.',
    ended: (session: string) => `${session} was ended`,
    ends: (session: string) => `${session} ends as soon as the database can end it`,
    notEndable: (role: string) =>
      role === ''
        ? 'It is a process of the database itself, which this server may not end.'
        : `This server may not end it: it belongs to the database role ${role} or to another database. End its program.`,
  },
  commands: {
    title: 'Commands',
    description: 'These need the settings of the server, so they run in its shell and not here.',
    /** When each command is needed. */
    purposes: {
      doctor:
        'Checks the settings, the database, the chains, the clocks and the network, with what to do about each problem. Run it before the first start, after a change of the settings and when this page shows a problem.',
      migrate:
        'Brings the schema of the database up to date. Run it before you start a newer version, unless AUTO_MIGRATE is true.',
      'keys reseal':
        'Encrypts every stored secret with the first of SECRET_KEYS. Run it after you put a new key there, before you remove the old one.',
    },
  },
} as const

export const operatorProjectsTexts = {
  title: 'Projects',
  context: 'Operator',
  description: 'All projects of this server. Each has its own people, keys and records.',
  create: 'Create project',
  columns: { name: 'Name', id: 'Number', people: 'People', keys: 'Active keys', created: 'Created' },
  search: 'Search by name',
  fields: {
    name: { label: 'Name', description: 'The name of the shop or the company, such as Corner Coffee.' },
  },
  noOwner: 'Nobody yet',
  invite: 'Invite its owner',
  created: (name: string) => `${name} exists`,
  inviteTitle: (name: string) => `Invite the owner of ${name}`,
  inviteAction: 'Invite',
  inviteAdvice:
    'The next step shows a link for this person. The owner then invites everybody else on the page People.',
  email: { label: 'Email address of the owner' },
  empty: { title: 'No projects yet', advice: 'Create the first one, then invite its owner.' },
} as const

export const operatorsTexts = {
  title: 'Operators',
  context: 'Operator',
  description: 'Who sees all projects and decides what the server cannot. This gives no role in any project.',
  invite: 'Add operator',
  inviteAdvice:
    'The next step shows a link. Whoever accepts it sees all projects, so give it to that person only.',
  email: { label: 'Email address' },
  columns: { name: 'Name', secondFactor: 'Second factor', lastSeen: 'Last seen' },
  secondFactor: { on: 'On', off: 'Off' },
  you: 'You',
  neverSeen: 'Not signed in',
  revoke: 'Remove',
  revokeOf: (name: string) => `Remove ${name} as an operator`,
  revokeTitle: (name: string) => `Remove ${name} as an operator?`,
  revokeAdvice: (name: string) =>
    `${name} can no longer open these pages, and links for new operators that nobody has accepted stop working. Roles in projects and API keys with operator scopes stay.`,
  revokeSelf:
    'You can no longer open these pages, and links for new operators that nobody has accepted stop working. Another operator can invite you again.',
  last: {
    title: (name: string) => `${name} is the only operator`,
    titleSelf: 'You are the only operator',
    advice:
      'The last operator cannot be removed, so that nobody is locked out of these pages. Add a second one, who can help when the first is away or has lost a device.',
  },
  revoked: (name: string) => `${name} is no operator any more`,
  empty: {
    title: 'No operators',
    advice: 'Only keys with operator scopes operate this server. Add a person.',
  },
  removeAccount: {
    title: 'Remove an account',
    advice:
      'For a person whose email address somebody else has used to create an account. The account, its sessions and its roles in all projects end. The next invitation of the address creates a new account. This cannot be undone.',
    email: { label: 'Email address of the account' },
    action: 'Remove the account',
    removed: (email: string, projects: string) =>
      projects === ''
        ? `The account of ${email} is removed. It had no role in a project`
        : `The account of ${email} is removed. It had a role in ${projects}`,
  },
} as const

export const stuckOrdersTexts = {
  title: 'Stuck orders',
  context: 'Operator',
  description:
    'Orders of all projects that the server cannot decide by itself: those with money at stake first, then the oldest.',
  empty: { title: 'No order is stuck', advice: 'The server decides all orders by itself at present.' },
  filters: { minutes: 'Unfinished for', delivery: 'Not delivered for' },
  minutes: { '60': '1 hour', '10': '10 minutes', '360': '6 hours', '1440': '1 day' },
  deliveryHours: { '72': '3 days', '1': '1 hour', '24': '1 day', '168': '7 days' },
  columns: { order: 'Order', status: 'Status', amount: 'Price', age: 'Age', action: 'What to do' },
  project: (id: string) => `Project ${id}`,
  refundDue: 'Refund due',
  underMinute: 'under 1 min',
  deliveryPending: 'Not delivered',
  open: (orderNo: string) => `Decide the order ${orderNo}`,
  details: {
    title: (orderNo: string) => `Order ${orderNo}`,
    whatToDo: 'What to do',
    project: 'Project',
    status: 'Status',
    price: 'Price',
    age: 'Age',
    seller: 'Seller',
    buyer: 'Buyer',
    chain: 'Chain',
    payments: 'Reported transactions',
    noPayments: 'No transaction was reported.',
  },
  payments: { hash: 'Transaction', outcome: 'Outcome', paid: 'Paid', refundDue: 'To be paid back' },
  notFinal: 'Not final yet',
  unknown: 'Unknown',
  baseUnits: (amount: string) => `${amount} base units`,
  /** A line does not end between an amount and its token. */
  amountOf: (amount: string, token: string) => `${amount}\u00a0${token}`,
  decisions: {
    success: 'Resolve as paid',
    failed: 'Close as failed',
    refund: 'Record the refund',
    delivery: 'End the wait for delivery',
  },
  questions: {
    success: (orderNo: string) => `Resolve order ${orderNo} as paid?`,
    failed: (orderNo: string) => `Close order ${orderNo} as failed?`,
    refund: (orderNo: string) => `Record the refund of order ${orderNo}?`,
    delivery: (orderNo: string) => `End the wait for the delivery of order ${orderNo}?`,
  },
  consequences: {
    success: (amount: string) =>
      `The order over ${amount} counts as paid, and what it reserves is delivered to the buyer. This cannot be undone.`,
    failed: (amount: string) =>
      `The order over ${amount} ends unpaid, and what it reserves is available again. Do it only when nothing is owed to the buyer, or it was paid back. This cannot be undone.`,
    refund: (amount: string) =>
      `${amount} of the order count as paid back to the buyer. Do it only when they were: nothing is paid by this. This cannot be undone.`,
    delivery: (amount: string) =>
      `The order over ${amount} then waits for no transfer, and what is reserved for it is released. Do it only when the token was handed over in another way, or the buyer has the money back. This cannot be undone.`,
  },
  reason: {
    label: 'Reason',
    description: 'Those who read the history of the order see it, with your name.',
    missing: 'Enter why you decide this, for those who read the history',
  },
  payment: {
    label: 'Payment that counts',
    found: 'The reported transaction that pays the order',
    other: 'Another transaction',
    none: 'None: the buyer paid in another way',
  },
  refunded: {
    label: 'Payment that was paid back',
    option: (hash: string, amount: string) => `${hash}: ${amount}`,
  },
  hash: { label: 'Transaction', description: '0x and 64 hexadecimal digits.' },
  refundHash: {
    label: 'Transaction of the refund',
    description: '0x and 64 hexadecimal digits. Leave it empty if it was paid back in another way.',
  },
  notHash: 'Enter a transaction: 0x and 64 hexadecimal digits',
  done: (orderNo: string, status: string) => `Order ${orderNo}: ${status}`,
  /** Commands in the server's advice, and what they are called here. */
  commands: {
    successWithChoice: '“Resolve as paid” with the transaction, or without a payment,',
    successWithHash: '“Resolve as paid” with that transaction',
    success: '“Resolve as paid”',
    failed: '“Close as failed”',
    refund: 'press “Record the refund”',
    delivery: '“End the wait for delivery”',
    due: 'what is to be paid back of each payment',
  },
} as const

export const stuckMintsTexts = {
  title: 'Stuck mints',
  context: 'Operator',
  description:
    'Expired mint signatures that the chain neither shows as used nor proves unused. What they reserve stays reserved.',
  empty: { title: 'No mint is stuck', advice: 'The chains have decided all expired signatures.' },
  columns: {
    signature: 'Signature',
    recipient: 'Recipient',
    quantity: 'Units',
    ended: 'Ended',
    attempts: 'Attempts',
  },
  open: (id: string) => `Decide the signature ${id}`,
  signatureOf: (project: string, id: string) => `Project ${project}, signature ${id}`,
  question: (id: string) => `Decide mint signature ${id}?`,
  advice:
    'Look the uid up in an explorer of the chain first. A used signature that is released can be minted above its limit. This cannot be undone.',
  details: {
    uid: 'Uid on the chain',
    contract: 'Contract',
    chain: 'Chain',
    recipient: 'Recipient',
    quantity: 'Units',
    ended: 'Ended',
    proven: 'No use before block',
  },
  outcome: {
    label: 'What the explorer shows',
    unused: { label: 'It was not used', description: 'Its units are available again.' },
    used: { label: 'It was used', description: 'The mint is recorded, and its units count as minted.' },
  },
  reasonDescription: 'Those who read the audit log see it, with your name.',
  tokenId: { label: 'Token id', description: 'The id of the minted token: decimal digits.' },
  notTokenId: 'Enter the id of the minted token: decimal digits',
  decide: 'Decide',
  done: (id: string, status: string) => `Signature ${id}: ${status}`,
} as const

export const serverAuditTexts = {
  title: 'Server audit log',
  context: 'Operator',
  description:
    'Every change of what belongs to no project: people, who is an operator, passwords, passkeys and second factors. Each project has a log of its own.',
} as const
