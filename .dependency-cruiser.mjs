// The rules for imports inside `packages`, checked by `npm run boundaries`. Each rule's name says what it
// allows.

import { facilitatorRules } from './.dependency-cruiser-facilitator.mjs'

const core = ['core-auth', 'envelope', 'operation', 'transport']
/** Everything of the core except HTTP: what domains and servers may import. */
const contract = ['core-auth', 'envelope', 'operation']
/** Records and rules that several domains share. Domains and servers may import them. */
const vocabulary = ['minting']
/** Declares the feed of all domains' events. */
const feed = ['events']
/** Binds the operations of all domains to the clients. */
const umbrella = ['mintmark']
/** Programs that call the operations of all domains. */
const programs = ['mcp', 'console']
/** Goes around the x402 software of sellers. */
const seller = ['seller']
/** What serves the files of the console. */
const servesConsole = '^packages/(gateway-server/src/console/|facilitator-server/src/app.ts$)'
/** The pages of the console are bundled, so that programs install nothing of what they import. */
const bundled = '^packages/console/(app|tests|vite)'
/** They start whole servers by the fixtures of all packages. */
const browserTests = '^packages/console/e2e/'
const servers = ['gateway-server', 'facilitator-server']
/** What both servers share, each with those of them that it may import. */
export const kit = { 'server-kit': [], 'evm-reader': ['server-kit'], webhooks: ['server-kit'] }
/** Starts both servers for tests and development. */
const sandbox = ['sandbox']
/** Measures every package, and parts of the servers by themselves. It is not published. */
const bench = ['bench']
/** All other packages are domains. */
const others = [
  ...[...core, ...vocabulary, ...feed, ...umbrella, ...programs, ...seller],
  ...[...servers, ...Object.keys(kit), ...sandbox, ...bench, 'devkit'],
]

const within = (names) => `^packages/(${names.join('|')})/`
const domain = `^packages/(?!(?:${others.join('|')})/)([^/]+)/`
/** Tests and what only they use. */
export const tests = String.raw`\.test(-d)?\.tsx?$|^packages/devkit/|^packages/console/e2e/|/testing/|/testdata/|/tests/|/faults/|/simulation/|-server/src/.*testing[^/]*\.ts$`
const published = { path: '^packages/', pathNot: [tests, bundled, within([...sandbox, ...bench])] }

const rule = (name, from, to) => ({ name, severity: 'error', from, to })

const gateway = 'packages/gateway-server/src'

/** The domains of the gateway, lowest first, each with the domains that it may import. */
const gatewayDomains = {
  wallet: [],
  contracts: [],
  cards: ['contracts'],
  inventory: ['contracts'],
  minting: ['inventory', 'contracts'],
  market: ['minting', 'inventory', 'contracts'],
  orders: ['market', 'minting', 'inventory', 'contracts', 'wallet'],
  search: ['orders', 'cards', 'wallet'],
  events: [],
  webhooks: ['events'],
  audit: ['events'],
  totals: ['events'],
  people: [],
}

/** The folders of minting, lowest first. Each imports only those before it. */
const mintingFolders = [
  ...['collections', 'phases', 'nfts', 'whitelist', 'reservations', 'signatures', 'watching'],
  'lazy-minting',
]

const gatewayRules = [
  ...mintingFolders.map((name, index) =>
    rule(
      `in minting, ${name} imports only ${mintingFolders.slice(0, index).join(', ') || 'its own files'}`,
      { path: `^${gateway}/domains/minting/${name}/`, pathNot: tests },
      {
        path: `^${gateway}/domains/minting/`,
        pathNot: `^${gateway}/domains/minting/((${mintingFolders.slice(0, index + 1).join('|')})/|mint-ports\\.ts$)`,
      },
    ),
  ),
  ...Object.entries(gatewayDomains).map(([name, lower]) =>
    rule(
      `in the gateway, ${name} imports ${lower.join(', ') || 'no other domain'}${lower.length > 0 ? ' and no other domain' : ''}`,
      { path: `^${gateway}/domains/${name}/`, pathNot: tests },
      { path: `^${gateway}/domains/`, pathNot: `^${gateway}/domains/(${[name, ...lower].join('|')})/` },
    ),
  ),
  rule(
    'in market, only product cards and their routes import minting',
    {
      path: `^${gateway}/domains/market/`,
      pathNot: [tests, `^${gateway}/domains/market/(product-cards/|routes\\.ts$)`],
    },
    { path: `^${gateway}/domains/minting/` },
  ),
  rule(
    'the state machine of orders knows no kind of sale',
    { path: `^${gateway}/domains/orders/(state|payments|verification)/`, pathNot: tests },
    { path: `^${gateway}/domains/(market|minting)/` },
  ),
  rule(
    'the indexer imports no domain: the composition root registers their operations',
    { path: `^${gateway}/indexer/`, pathNot: tests },
    { path: `^${gateway}/domains/` },
  ),
  rule(
    'http, chain, database, keys and maintenance are below the domains',
    {
      path: `^${gateway}/(http|chain|database|keys|maintenance)/`,
      pathNot: tests,
    },
    { path: `^${gateway}/(domains|indexer)/` },
  ),
  rule(
    'nothing imports the composition root but the programs that start from it',
    {
      path: `^${gateway}/(domains|indexer|http|chain|database|keys|maintenance)/`,
      pathNot: tests,
    },
    { path: `^${gateway}/((commands|console|demo|main)/|cli\\.ts$)` },
  ),
]

const cruiser = {
  forbidden: [
    rule(
      'transport imports only the other core packages',
      { path: within(['transport']), pathNot: tests },
      { path: '^packages/', pathNot: within(core) },
    ),
    rule(
      'operation imports only envelope',
      { path: within(['operation']), pathNot: tests },
      { path: '^packages/', pathNot: within(['operation', 'envelope']) },
    ),
    rule(
      'envelope and core-auth import no other package',
      { path: within(['core-auth', 'envelope']), pathNot: tests },
      { path: '^packages/', pathNot: '^packages/$1/' },
    ),
    rule(
      'a vocabulary imports only envelope',
      { path: within(vocabulary), pathNot: tests },
      { path: '^packages/', pathNot: ['^packages/$1/', within(['envelope'])] },
    ),
    rule(
      'a domain imports only the core without HTTP and vocabularies',
      { path: domain, pathNot: tests },
      { path: '^packages/', pathNot: [within([...contract, ...vocabulary]), '^packages/$1/'] },
    ),
    rule(
      'the feed imports only domains and the core without HTTP',
      { path: within(feed), pathNot: tests },
      {
        path: '^packages/',
        pathNot: ['^packages/$1/', domain, within([...contract, ...vocabulary, ...feed])],
      },
    ),
    rule(
      'the umbrella imports no server',
      { path: within(umbrella), pathNot: tests },
      { path: within([...servers, ...Object.keys(kit), 'devkit']) },
    ),
    rule(
      'programs that import the umbrella load nothing of its command line',
      { path: '^packages/mintmark/src/(?!cli/)', pathNot: tests },
      { path: ['^packages/mintmark/src/cli/', 'node_modules/(@clack|cli-table3|commander|csv-)'] },
    ),
    rule(
      'only programs import the umbrella',
      { path: '^packages/', pathNot: within([...umbrella, ...programs]) },
      { path: within(umbrella) },
    ),
    rule(
      'a program imports only the umbrella and the core without HTTP',
      { path: within(programs), pathNot: [tests, bundled] },
      { path: '^packages/', pathNot: ['^packages/$1/', within([...umbrella, ...contract])] },
    ),
    rule(
      'the pages of the console import only domains, the feed and the core',
      { path: '^packages/console/app/', pathNot: tests },
      {
        path: '^packages/',
        pathNot: ['^packages/console/', domain, within([...core, ...vocabulary, ...feed])],
      },
    ),
    rule(
      'the console declares what it bundles',
      { path: bundled, pathNot: tests },
      { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    ),
    rule(
      'in the console, a page imports nothing of other pages',
      { path: '^packages/console/app/pages/([^/]+)/', pathNot: tests },
      { path: '^packages/console/app/pages/', pathNot: '^packages/console/app/pages/$1/' },
    ),
    rule(
      'in the console, components and formats import no page and no layout',
      {
        path: '^packages/console/app/(api|components|errors|form|format|navigation|session|texts|theme)/',
        pathNot: tests,
      },
      { path: '^packages/console/app/(layout|pages|routes|main)' },
    ),
    rule(
      'no other package imports a program, except that the servers serve the files of the console',
      {
        path: '^packages/',
        pathNot: [within(programs), servesConsole],
      },
      { path: within(programs) },
    ),
    rule(
      'the seller imports only the facilitator and the core without HTTP',
      { path: within(seller), pathNot: tests },
      { path: '^packages/', pathNot: within([...seller, 'facilitator', ...contract]) },
    ),
    rule(
      'no other package imports the seller',
      { path: '^packages/', pathNot: within(seller) },
      { path: within(seller) },
    ),
    rule(
      'the servers import of the console only where its files are',
      { path: servesConsole },
      { path: within(programs), pathNot: '^packages/console/src/index.ts$' },
    ),
    ...Object.entries(kit).map(([name, lower]) =>
      rule(
        `${name} imports only ${[...lower, 'the core without HTTP'].join(' and ')}`,
        { path: within([name]), pathNot: tests },
        { path: '^packages/', pathNot: within([...contract, ...lower, name]) },
      ),
    ),
    rule(
      'only tests and benchmarks import the sandbox, and of it only PostgreSQL',
      { path: '^packages/', pathNot: [within(sandbox), browserTests] },
      { path: within(sandbox), pathNot: '^packages/sandbox/src/postgres/index.ts$' },
    ),
    rule(
      'published sources do not import the sandbox',
      { path: '^packages/', pathNot: [tests, within([...sandbox, ...bench])] },
      { path: within(sandbox) },
    ),
    rule(
      'no other package imports the benchmarks',
      { path: '^packages/', pathNot: within(bench) },
      { path: within(bench) },
    ),
    rule(
      'the sandbox declares what it imports',
      { path: within(sandbox), pathNot: tests },
      { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev'] },
    ),
    rule(
      'the benchmarks, which are not published, declare what they import',
      { path: within(bench), pathNot: tests },
      { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    ),
    rule(
      'a server does not import the other server',
      { path: within(servers), pathNot: tests },
      { path: within(servers), pathNot: '^packages/$1/' },
    ),
    rule(
      'a server does not import the HTTP clients',
      { path: within(servers), pathNot: tests },
      { path: within(['transport']) },
    ),
    rule(
      'another package is imported by its name, except for parts of the servers that benchmarks measure',
      { path: '^packages/([^/]+)/', pathNot: [within(bench), browserTests] },
      { path: '^packages/', pathNot: '^packages/$1/', dependencyTypes: ['local'] },
    ),
    rule(
      'packages do not import tools or documentation',
      { path: '^packages/', pathNot: browserTests },
      { path: '^(docs|tools)/' },
    ),
    rule('published sources do not import tests', published, { path: tests }),
    rule('package.json declares what published sources import', published, {
      dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev'],
    }),
    ...gatewayRules,
    ...facilitatorRules(tests),
    rule('every import resolves', { path: '^packages/' }, { couldNotResolve: true }),
    rule('modules do not import each other in a circle', published, {
      circular: true,
    }),
  ],
  options: {
    doNotFollow: { path: ['node_modules', '/dist/'] },
    exclude: { path: '^packages/[^/]+/dist/' },
    // Imports of types count too.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@mintmark/source', 'import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.d.ts', '.js', '.mjs', '.json', '.css'],
    },
  },
}

export default cruiser
