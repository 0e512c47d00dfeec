import type { HtmlTagDescriptor, Plugin } from 'vite'

const BASE = '/console/'

/**
 * Makes `start.ts` the first script of the page. As a part of `main.tsx` it would run when all scripts have
 * loaded.
 */
export function startFirst(): Plugin {
  return {
    name: 'start-first',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }): HtmlTagDescriptor[] {
        const chunk = Object.values(bundle).find((each) => each.type === 'chunk' && each.name === 'start')
        const src = `${BASE}${chunk?.fileName ?? 'start.ts'}`
        return [
          { tag: 'script', attrs: { type: 'module', crossorigin: true, src }, injectTo: 'head-prepend' },
        ]
      },
    },
  }
}
