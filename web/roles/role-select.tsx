import { useQuery } from '@tanstack/react-query'
import { Picker, type PickerInput } from '../ui/form/picker.tsx'
import { roleInWords } from './grants.ts'
import type { Recipe } from './recipes.ts'
import { rolesQuery, useIsAbove, useObjects } from './roles.ts'

type Props = PickerInput & {
  /** Offered before the others, also while no role is called so. */
  recipes?: Recipe[]
  value: string
  onChange: (name: string) => void
}

/** A role by name, and in a line what it allows. */
export function RoleSelect({ value, onChange, recipes = [], ...input }: Props) {
  const { data = [] } = useQuery(rolesQuery)
  const chosen = data.find(({ name }) => name === value)
  const objects = useObjects()
  const isAbove = useIsAbove()
  const recipe = recipes.find(({ name }) => name === value)
  const choices = [...new Set([...recipes, ...data].map(({ name }) => name))]
  if (!choices.includes(value)) choices.unshift(value)
  const hint = choices.some(isAbove) ? 'Only an Admin can assign roles with more permissions than yours.' : undefined
  return (
    <Picker
      input={{
        label: 'Role',
        description: [chosen ? roleInWords(chosen, objects) : recipe?.description, hint].filter(Boolean).join(' '),
        inputWrapperOrder: ['label', 'input', 'description', 'error'],
        ...input,
      }}
      items={choices.map((name) => ({ value: name, label: name, isDisabled: isAbove(name) }))}
      chosen={[{ value, label: value }]}
      text={undefined}
      isPlain
      onType={() => {}}
      onPick={onChange}
    />
  )
}
