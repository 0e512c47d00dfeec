// The rules for imports inside `packages`, checked by `npm run boundaries`. Each rule's name says what it allows.

const core = ['core-auth', 'envelope', 'transport']
const servers = ['gateway-server', 'facilitator-server']
/** All other packages are domains. */
const others = [...core, ...servers, 'server-kit']

const within = (names) => `^packages/(${names.join('|')})/`
const domain = `^packages/(?!(?:${others.join('|')})/)([^/]+)/`
/** Tests and what only they use. `testing.ts` of the server kit is published. */
const tests = String.raw`\.test(-d)?\.ts$|/testing/|/testdata/|-server/src/.*testing[^/]*\.ts$`
const published = { path: '^packages/', pathNot: tests }

/**
 * Modules that import each other in a circle today. Remove a line together with its circle. A circle through any other module fails.
 */
const knownCircles = [
  // Types and constructors of operations are not separated yet.
  '^packages/transport/src/(operation|input|paging|failure)\\.ts$',
  // Minted tokens are signed by what they are sold by.
  '^packages/gateway-server/src/domains/minting/signatures/(mint-handlers|sign-ordered-mint)\\.ts$',
  // What an order sells is not behind an interface yet.
  '^packages/gateway-server/src/domains/(orders/delivery/(order-inventory|awards)|minting/reservations/ordered-mints)\\.ts$',
  '^packages/market/src/(coupon|listing)\\.ts$',
]

const rule = (name, from, to) => ({ name, severity: 'error', from, to })

export default {
  forbidden: [
    rule(
      'transport imports only the other core packages',
      { path: within(['transport']), pathNot: tests },
      { path: '^packages/', pathNot: within(core) },
    ),
    rule(
      'envelope and core-auth import no other package',
      { path: within(['core-auth', 'envelope']), pathNot: tests },
      { path: '^packages/', pathNot: '^packages/$1/' },
    ),
    rule(
      'a domain imports only the core',
      { path: domain, pathNot: tests },
      { path: '^packages/', pathNot: [within(core), '^packages/$1/'] },
    ),
    rule(
      'the server kit imports only the core',
      { path: within(['server-kit']), pathNot: tests },
      { path: '^packages/', pathNot: within([...core, 'server-kit']) },
    ),
    rule(
      'a server does not import the other server',
      { path: within(servers), pathNot: tests },
      { path: within(servers), pathNot: '^packages/$1/' },
    ),
    rule(
      'another package is imported by its name',
      { path: '^packages/([^/]+)/' },
      { path: '^packages/', pathNot: '^packages/$1/', dependencyTypes: ['local'] },
    ),
    rule('published sources do not import tests or tools', published, { path: `${tests}|^tools/` }),
    rule('package.json declares what published sources import', published, {
      dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev'],
    }),
    rule('every import resolves', { path: '^packages/' }, { couldNotResolve: true }),
    rule('modules do not import each other in a circle', published, {
      circular: true,
      via: { pathNot: knownCircles.join('|') },
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
      extensions: ['.ts', '.d.ts', '.js', '.mjs', '.json'],
    },
  },
}
