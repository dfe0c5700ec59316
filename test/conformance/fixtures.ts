// What the official suite calls by name. Its own source says what each must do: "Server Implementation Requirements".
import type { Catalog } from '../../server/transports/mcp/catalog.ts'
import { askingTools } from './asking-tools.ts'
import { prompts } from './prompts.ts'
import { resources, templates } from './resources.ts'
import { tools } from './tools.ts'

export const fixtures: Catalog = { tools: [...tools, ...askingTools], resources, templates, prompts }
