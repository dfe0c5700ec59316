// The step of a start that migrates, alone: it begins three seconds sooner than all of Kith.
import { grantToApp } from '../../server/platform/database-roles.ts'
import { migrate } from '../../server/platform/migrate.ts'

const owner = { connectionString: process.env.DATABASE_OWNER_URL! }
await migrate(owner)
await grantToApp(owner, { connectionString: process.env.DATABASE_URL! })
