// Bundles the parts of BokehJS and Panel that our figures need: `node build.mjs FOLDER FILE` writes the script and licenses
// into the folder, and MiniSearch without its comments into the file.
import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {build} from 'esbuild'

const HERE = import.meta.dirname
const BOKEH = '@bokeh/bokehjs/build/js/lib'
const MODULES = /(bokehjs[/\\]build[/\\]js[/\\]lib|panel[/\\]dist[/\\]lib)[/\\].*\.js$/
// License texts that the packages on npm lack. Panel's comes from its Python package.
const TEXTS = {'@holoviz/panel': 'panel.txt', timezone: 'timezone.txt'}

// Modules that our scripts and browser tests load with `Bokeh.require`. Bokeh's own bundles contain them, too.
const REQUIRED = [
  'client/connection',
  'core/build_views',
  'core/dom',
  'core/ui_events',
  'core/ui_gestures',
  'core/visuals/visual',
  'document',
  'document/events',
  'models/plots/plot_canvas',
  'models/renderers/glyph_renderer',
  'protocol/message',
]

const read = (...path) => readFileSync(join(HERE, ...path), 'utf8')
const manifest = name => JSON.parse(read('node_modules', name, 'package.json'))

// Module that exports models → the models' names in Python. Only Panel's names start with a package.
const catalogs = Object.entries(JSON.parse(read('models.json')))
const models = catalogs.flatMap(([, names]) => names)
const named = name => name.replaceAll('.', '_')
const imported = name => `${name.slice(name.lastIndexOf('.') + 1)} as ${named(name)}`

// The build fails if a module does not export one of its models.
const entry = `
export * from '${BOKEH}/index'
import {default_resolver, register_models} from '${BOKEH}/base'
${catalogs.map(([path, names]) => `import {${names.map(imported)}} from '${path}'`).join('\n')}
${REQUIRED.map((name, number) => `import * as required${number} from '${BOKEH}/${name}'`).join('\n')}
// BokehJS registers one itself.
register_models([${models.map(named)}].filter(model => default_resolver.get(model.__qualified__) !== model))
const modules = {${REQUIRED.map((name, number) => `'${name}': required${number}`)}}
export function require(name) {
  if (!(name in modules)) throw new Error(\`tools/bokeh-bundle/build.mjs does not list \${name}\`)
  return modules[name]
}
`

const published = {
  name: 'published',
  setup({onLoad, onResolve, resolve}) {
    // A module that exports models imports all of them, so those that are not in our list are left out here.
    onResolve({filter: /.*/}, async ({path, pluginData, ...from}) => {
      if (pluginData === published) return undefined
      if (from.kind === 'dynamic-import') return {path, namespace: 'absent'}
      // Panel's modules import those of BokehJS under another package name.
      const found = await resolve(path.replace(/^@bokehjs\//, `${BOKEH}/`), {...from, pluginData: published})
      return found.errors.length ? found : {...found, sideEffects: false}
    })
    // Their classes declare fields that `initialize` has already set: a declaration must not assign, as in old TypeScript.
    onLoad({filter: MODULES}, ({path}) => ({contents: readFileSync(path, 'utf8'), loader: 'ts'}))
    // WebGL and MathJax, which no figure uses. From this error BokehJS learns that they are missing.
    onLoad({filter: /.*/, namespace: 'absent'}, ({path}) => ({
      contents: `throw Object.assign(new Error('${path} is not in this bundle'), {code: 'MODULE_NOT_FOUND'})`,
    }))
  },
}

function license(name) {
  const file = readdirSync(join(HERE, 'node_modules', name)).sort().find(each => /^licen[cs]e/i.test(each))
  if (!file && !TEXTS[name]) throw new Error(`${name} brings no license: put its text into licenses/`)
  const text = file ? read('node_modules', name, file) : read('licenses', TEXTS[name])
  return `${name} ${manifest(name).version}\n\n${text.trim().replaceAll('\r', '')}\n`
}

const folder = process.argv[2]
const {metafile, outputFiles} = await build({
  stdin: {contents: entry, resolveDir: HERE},
  absWorkingDir: HERE,
  bundle: true,
  format: 'iife',
  globalName: 'Bokeh',
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
  minify: true,
  plugins: [published],
  resolveExtensions: ['.js', '.css.js'],
  target: 'es2022',
  tsconfigRaw: {compilerOptions: {useDefineForClassFields: false, verbatimModuleSyntax: true}},
  write: false,
})
const [{inputs}] = Object.values(metafile.outputs)
const used = Object.keys(inputs).filter(path => inputs[path].bytesInOutput > 0)
const packages = new Set(used.flatMap(path => path.match(/.*node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1] ?? []))
const head = {
  bokehjs: manifest('@bokeh/bokehjs').version,
  panel: manifest('@holoviz/panel').version,
  licenses: 'bokeh.licenses.txt',
  models: models.sort(),
}
mkdirSync(folder, {recursive: true})
writeFileSync(join(folder, 'bokeh.min.js'), `// ${JSON.stringify(head)}\n${outputFiles[0].text}`)
writeFileSync(join(folder, head.licenses), [...packages].sort().map(license).join(`\n${'-'.repeat(80)}\n\n`))

await build({
  entryPoints: ['minisearch'],
  absWorkingDir: HERE,
  banner: {js: `// MiniSearch ${manifest('minisearch').version}; its license is in LICENSE.txt`},
  bundle: true,
  format: 'esm',
  logLevel: 'warning',
  minify: true,
  outfile: process.argv[3],
  target: 'es2022',
})
