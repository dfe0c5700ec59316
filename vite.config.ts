import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const outDir = join(import.meta.dirname, 'dist/web')

export default defineConfig({
  root: join(import.meta.dirname, 'web'),
  plugins: [react(), tablesByValue(), rulesApart(), unusedSchemas(), earlyFont(), compressed()],
  build: {
    outDir,
    emptyOutDir: true,
    assetsDir: 'assets',
    assetsInlineLimit: 0,
    sourcemap: false,
    manifest: true,
    license: { fileName: 'third-party-notices.txt' },
    rolldownOptions: {
      output: { codeSplitting: { groups: scriptGroups() } },
      treeshake: {
        moduleSideEffects: [{ test: /contract.(?!words)[^/]*(filter.[^/]*)?\.ts$/, sideEffects: false }],
      },
    },
  },
  server: { proxy: { '/app/api': 'http://localhost:3000', '/api': 'http://localhost:3000' } },
})

/**
 * What the first pages need comes in few files; a file for every module that two screens share would be a hundred.
 * A module belongs to the first group that holds it, with all that it imports.
 */
function scriptGroups() {
  const frame =
    /lucide-react|web.(records.(?!filter|fields.(calendar|files)|files.(file-list|pdf|preview|record))|frame|screens.create|users|history|ui.(basics|form.(one-line|reorder|use-address)|text))/
  return [
    // Comes with the rules of the first form.
    { name: 'zod', test: /node_modules.zod/, priority: 4 },
    { name: 'base', tags: ['$initial' as const], priority: 3 },
    { name: 'entry', test: /web.screens.entry/, priority: 2 },
    { name: 'frame', test: frame, priority: 1 },
  ]
}

/**
 * Replaces tables about all operations by their values, so that no page loads every schema. Pages and signed posts are
 * for others than the web app.
 */
function tablesByValue(): Plugin {
  const folder = join(import.meta.dirname, 'contract/shared')
  return {
    name: 'tables-by-value',
    async load(id) {
      if (id === join(folder, 'summaries.ts')) {
        const { summaries } = (await import(id)) as typeof import('./contract/shared/summaries.ts')
        return `export const summaries = ${JSON.stringify(summaries)}`
      }
      if (id === join(folder, 'event-names.ts')) {
        const { eventNames } = (await import(id)) as typeof import('./contract/shared/event-names.ts')
        return `export const eventNames = ${JSON.stringify(eventNames)}`
      }
      if (id !== join(folder, 'routes.ts')) return null
      const { routes } = (await import(id)) as typeof import('./contract/shared/routes.ts')
      const called = Object.entries(routes).filter(([, { page, body }]) => !page && body !== 'signed')
      return `export const routes = ${JSON.stringify(Object.fromEntries(called))}`
    },
  }
}

/**
 * Forms import the rules of their operation when they open. A module cannot be in two scripts, so what they import is a
 * second copy of the contract: the first one, in the pages, then consists of constants only.
 */
function rulesApart(): Plugin {
  const suffix = '?rules'
  return {
    name: 'rules-apart',
    apply: 'build',
    enforce: 'pre',
    resolveId(source, importer, { kind }) {
      if (!importer || !source.startsWith('.')) return null
      if (kind !== 'dynamic-import' && !importer.endsWith(suffix)) return null
      const path = join(dirname(importer), source)
      return path.startsWith(join(import.meta.dirname, 'contract/')) ? path + suffix : null
    },
    load: (id) =>
      id.endsWith(suffix) ? { code: readFileSync(id.slice(0, -suffix.length), 'utf8'), moduleType: 'ts' } : null,
  }
}

/** Lets the build leave out what a page does not use of the contract: building a schema has no effect but the schema. */
function unusedSchemas(): Plugin {
  return {
    name: 'unused-schemas',
    apply: 'build',
    transform(code, id) {
      if (!/\/contract\/[^?]+\.ts$/.test(id)) return null
      const made = this.parse(code, { lang: 'ts' }).body.flatMap((statement) => {
        const node = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
        return node?.type === 'VariableDeclaration' ? node.declarations.flatMap(({ init }) => init ?? []) : []
      })
      const calling = made.filter(
        ({ type, start, end }) => !/Function/.test(type) && /\(|\.\.\./.test(code.slice(start, end)),
      )
      // From the end, so that the places before stay right.
      return calling.reduceRight(
        (text, { start, end }) =>
          `${text.slice(0, start)}/* @__PURE__ */ (() => (${text.slice(start, end)}))()${text.slice(end)}`,
        code,
      )
    },
  }
}

/** Asks for the Latin font together with the script, so that text does not change its face after the first paint. */
function earlyFont(): Plugin {
  return {
    name: 'early-font',
    transformIndexHtml(_, { bundle = {} }) {
      const font = Object.keys(bundle).find((file) => /inter-latin-wght-normal.*\.woff2$/.test(file))
      if (!font) return []
      const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${font}`, crossorigin: true }
      return [{ tag: 'link', attrs, injectTo: 'head' }]
    },
  }
}

/** Writes .br and .gz beside every text file once, so that the server never compresses while answering. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: (config, { command }) => command === 'build' && config.build?.write !== false,
    closeBundle() {
      for (const file of readdirSync(outDir, { recursive: true, encoding: 'utf8' })) {
        // index.html is not among them: it gets a fresh nonce with every answer.
        if (!/\.(js|css|svg|txt|json)$/.test(file)) continue
        const content = readFileSync(join(outDir, file))
        writeFileSync(join(outDir, `${file}.br`), brotliCompressSync(content))
        writeFileSync(join(outDir, `${file}.gz`), gzipSync(content, { level: 9 }))
      }
    },
  }
}
