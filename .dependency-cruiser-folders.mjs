// The rules for imports between the folders of a package, without its tests, whose fixtures use everything.
import cruiser, { kit, tests } from './.dependency-cruiser.mjs'

const { exclude, ...options } = cruiser.options

/** Folders of the gateway that still import each other in a circle. Take a folder out of this list when it no longer does. */
const remaining =
  '^packages/gateway-server/src/(chain|commands|console|database|domains|facilitator|http|indexer|keys|main|maintenance|operator|tables)(/|$)'

export default {
  forbidden: [
    {
      name: 'folders do not import each other in a circle',
      severity: 'error',
      scope: 'folder',
      from: {
        path: `^packages/(${[...Object.keys(kit), 'gateway-server'].join('|')})/src/`,
        pathNot: remaining,
      },
      to: { circular: true },
    },
  ],
  options: { ...options, exclude: { path: [exclude.path, tests] } },
}
