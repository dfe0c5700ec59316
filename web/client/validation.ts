import * as z from 'zod'
import '../../contract/shared/validation-texts.ts'

// Zod would probe for eval, which the content security policy reports. Imported before anything builds a schema.
z.config({ jitless: true })
