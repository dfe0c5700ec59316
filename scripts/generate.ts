// Writes the generated files: the filter parser from its grammar, the table types from the migrations, the OpenAPI
// document from the contract and the bill of materials from the lockfile.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../server/platform/embedded-postgres.ts'
import { migrate } from '../server/platform/migrate.ts'
import { billOfMaterials } from './bill-of-materials.ts'
import { writeFilterParser } from './filter-parser.ts'
import { tableTypes } from './table-types.ts'

writeFilterParser()
const folder = mkdtempSync(join(tmpdir(), 'kith-generate-'))
const database = await startEmbeddedPostgres(folder)
await migrate(database.superuser)
writeFileSync('server/platform/tables.ts', await tableTypes(database.superuser))
await database.stop()
rmSync(folder, { recursive: true })

const { contract } = await import('../contract/index.ts')
const { openapi } = await import('../server/transports/openapi/document.ts')
const { version } = await import('../server/platform/version.ts')
writeFileSync('docs/openapi.json', `${JSON.stringify(openapi(contract, version), null, 2)}\n`)
writeFileSync('docs/sbom.json', billOfMaterials())
