import { readFileSync } from 'node:fs'

type Package = {
  version: string
  integrity: string
  license?: string
  dev?: true
  optional?: true
  devOptional?: true
}

/** CycloneDX from the lockfile, without timestamps and serial numbers, so that a diff shows only changed packages. */
export function billOfMaterials() {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    version: string
    packages: Record<string, Package>
  }
  const components = Object.entries(lock.packages)
    .filter(([path]) => path)
    .map(([path, entry]) => {
      const { version, integrity, license } = entry
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
      return {
        type: 'library',
        name,
        version,
        purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
        scope: scopeOf(entry),
        hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex') }],
        ...(license && { licenses: [{ expression: license }] }),
      }
    })
  const licenses = [{ expression: lock.packages['']?.license }]
  const metadata = { component: { type: 'application', name: 'kith', version: lock.version, licenses } }
  return `${JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, metadata, components }, null, 1)}\n`
}

/** Optional packages are specific to one platform, or to a feature used only in development. */
function scopeOf({ dev, optional, devOptional }: Package) {
  if (dev) return 'excluded'
  return optional || devOptional ? 'optional' : 'required'
}
