/** Texts of the pages of those who operate the server. */
export const healthTexts = {
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
  commands: {
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

export const stuckOrdersTexts = {
  details: { payments: 'Reported transactions' },
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
  /** Commands in the server's advice, and what they are called here. */
  commands: { successWithHash: '“Resolve as paid” with that transaction', failed: '“Close as failed”' },
} as const
