import { slug } from 'github-slugger'
import { type DefaultTheme, defineConfig } from 'vitepress'
import { excluded, pageOf, resolveLinks, sidebar } from '../site/pages.ts'
import { searchOptions } from '../site/search.ts'

const nav: DefaultTheme.NavItem[] = [
  { text: 'Guides', link: '/guides/first-call', activeMatch: '^/guides/' },
  {
    text: 'Packages',
    link: '/cards',
    activeMatch: '^/(wallet|cards|orders|contracts|market|facilitator|packages/)',
  },
  { text: 'Reference', link: '/reference/', activeMatch: '^/reference/' },
  { text: 'Contribute', link: '/contributing', activeMatch: '^/(contributing|architecture|decisions/)' },
]

export default defineConfig({
  title: 'Mintmark',
  description:
    'TypeScript clients and servers for an NFT marketplace gateway and an x402 micropayment facilitator.',
  lang: 'en-US',
  srcDir: '..',
  srcExclude: excluded,
  rewrites: pageOf,
  ignoreDeadLinks: false,
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  markdown: {
    // Links to headings work on GitHub too.
    anchor: { slugify: slug },
    config: (markdown) => markdown.use(resolveLinks),
  },
  themeConfig: {
    nav,
    sidebar: sidebar(),
    outline: [2, 3],
    search: { provider: 'local', options: { detailedView: true, miniSearch: searchOptions } },
    externalLinkIcon: true,
  },
})
