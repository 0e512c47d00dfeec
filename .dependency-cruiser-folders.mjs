// The rules for imports between the folders of a package, without its tests, whose fixtures use everything.
import cruiser, { kit, tests } from './.dependency-cruiser.mjs'

const { exclude, ...options } = cruiser.options

export default {
  forbidden: [
    {
      name: 'folders do not import each other in a circle',
      severity: 'error',
      scope: 'folder',
      from: {
        path: `^packages/(${[...Object.keys(kit), 'gateway-server'].join('|')})/src/`,
      },
      to: { circular: true },
    },
  ],
  options: { ...options, exclude: { path: [exclude.path, tests] } },
}
