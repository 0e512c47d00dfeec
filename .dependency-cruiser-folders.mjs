// The rules for imports between the folders of a package, without its tests, whose fixtures use everything.
import cruiser, { kit, tests } from './.dependency-cruiser.mjs'

const { exclude, ...options } = cruiser.options

/** Folders of the facilitator whose circles are still to be removed. */
const circles = ['ledger/(accounts|deposits)']

export default {
  forbidden: [
    {
      name: 'folders do not import each other in a circle',
      severity: 'error',
      scope: 'folder',
      from: {
        path: `^packages/(${[...Object.keys(kit), 'gateway-server', 'facilitator-server'].join('|')})/src/`,
        pathNot: `^packages/facilitator-server/src/(${circles.join('|')})(/|$)`,
      },
      to: { circular: true },
    },
  ],
  options: { ...options, exclude: { path: [exclude.path, tests] } },
}
