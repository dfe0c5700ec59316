// Roles to start from, for agents that should do one thing and nothing else.
import type { ObjectRights, RecordRights } from '../../contract/shared/access.ts'
import { rightsOfLevel } from './access.ts'

export type Recipe = { id: string; name: string; description: string; records: RecordRights; grants: [] }

/** Adds what it learns, and corrects only what it added itself. */
const adds: ObjectRights = { read: 'all', create: true, edit: 'own', delete: 'none' }

export const agentRecipes: Recipe[] = [
  {
    id: 'agent-reader',
    name: 'Reading agent',
    description: 'Answers questions: reads all records, changes nothing.',
    records: { '*': rightsOfLevel.read },
    grants: [],
  },
  {
    id: 'agent-assistant',
    name: 'Assistant agent',
    description: 'Reads all records, adds notes, activities and tasks, and edits only its own. Deletes nothing.',
    records: { '*': rightsOfLevel.read, notes: adds, activities: adds, tasks: adds },
    grants: [],
  },
]

export const recipeOf = (id: string | undefined) => agentRecipes.find((one) => one.id === id)
