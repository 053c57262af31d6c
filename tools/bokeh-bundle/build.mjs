// Bundles what our pictures need of BokehJS and Panel: `node build.mjs FOLDER` writes the script and its licenses there.
import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {build} from 'esbuild'

const HERE = import.meta.dirname
const BOKEH = '@bokeh/bokehjs/build/js/lib'
const MODULES = /(bokehjs[/\\]build[/\\]js[/\\]lib|panel[/\\]dist[/\\]lib)[/\\].*\.js$/
// The text that a package on npm lacks. Panel's is that of its Python package.
const TEXTS = {'@holoviz/panel': 'panel.txt', timezone: 'timezone.txt'}

// What our scripts and browser tests ask for with `Bokeh.require`, which Bokeh's own bundles have as well.
const REQUIRED = [
  'client/connection',
  'core/build_views',
  'core/dom',
  'core/visuals/visual',
  'document',
  'document/events',
  'models/plots/plot_canvas',
  'models/renderers/glyph_renderer',
  'protocol/message',
]

const read = (...path) => readFileSync(join(HERE, ...path), 'utf8')
const manifest = name => JSON.parse(read('node_modules', name, 'package.json'))

// The module that exports models → their names in Python. Only Panel's have a package in front.
const catalogs = Object.entries(JSON.parse(read('models.json')))
const models = catalogs.flatMap(([, names]) => names)
const named = name => name.replaceAll('.', '_')
const imported = name => `${name.slice(name.lastIndexOf('.') + 1)} as ${named(name)}`

// A model that its module does not export is an error of the build.
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
    // A module that exports models imports all of them: those that nobody asks for are left out.
    onResolve({filter: /.*/}, async ({path, pluginData, ...from}) => {
      if (pluginData === published) return undefined
      if (from.kind === 'dynamic-import') return {path, namespace: 'absent'}
      // Panel's modules call those of BokehJS by another name.
      const found = await resolve(path.replace(/^@bokehjs\//, `${BOKEH}/`), {...from, pluginData: published})
      return found.errors.length ? found : {...found, sideEffects: false}
    })
    // Their classes declare fields that `initialize` has set before; a field is no assignment there, as in TypeScript of old.
    onLoad({filter: MODULES}, ({path}) => ({contents: readFileSync(path, 'utf8'), loader: 'ts'}))
    // WebGL and MathJax, which no picture uses. By this error BokehJS knows that they are not there.
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
