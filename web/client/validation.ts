// Zod would probe for eval, which the content security policy reports. Its settings are global, so they apply before
// the first form loads it.
const settings = globalThis as { __zod_globalConfig?: object }
settings.__zod_globalConfig = { jitless: true }
