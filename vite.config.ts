import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const outDir = join(import.meta.dirname, 'dist/web')

/** Building a schema has no effect but the schema, unlike `z.config`. */
const schemas = [
  'strictObject',
  'looseObject',
  'object',
  'array',
  'tuple',
  'record',
  'union',
  'discriminatedUnion',
].concat([
  'string',
  'enum',
  'literal',
  'int',
  'number',
  'boolean',
  'unknown',
  'null',
  'url',
  'email',
  'uuid',
  'iso',
  'custom',
])

export default defineConfig({
  root: join(import.meta.dirname, 'web'),
  plugins: [react(), tablesByValue(), earlyFont(), compressed()],
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
        manualPureFunctions: ['operation', ...schemas.map((name) => `z.${name}`)],
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
  const frame = /web.(records.(?!filter|fields.calendar)|frame|screens.create)/
  return [
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
      if (id !== join(folder, 'routes.ts')) return null
      const { routes } = (await import(id)) as typeof import('./contract/shared/routes.ts')
      const called = Object.entries(routes).filter(([, { page, body }]) => !page && body !== 'signed')
      return `export const routes = ${JSON.stringify(Object.fromEntries(called))}`
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
