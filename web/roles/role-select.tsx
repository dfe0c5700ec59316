import { Select, type SelectProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { roleInWords } from './grants.ts'
import { rolesQuery, useIsAbove, useObjects } from './roles.ts'

type Props = Omit<SelectProps, 'data' | 'value' | 'onChange' | 'description'> & {
  value: string
  onChange: (name: string) => void
}

/** A role by name, and in a line what it allows. */
export function RoleSelect({ value, onChange, ...rest }: Props) {
  const { data = [] } = useQuery(rolesQuery)
  const chosen = data.find(({ name }) => name === value)
  const objects = useObjects()
  const isAbove = useIsAbove()
  const names = data.map(({ name }) => name)
  const choices = names.includes(value) ? names : [value, ...names]
  const hint = choices.some(isAbove) ? 'Roles with more rights than yours can be given by an Admin.' : undefined
  return (
    <Select
      label="Role"
      description={[chosen && roleInWords(chosen, objects), hint].filter(Boolean).join(' ')}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      allowDeselect={false}
      data={choices.map((name) => ({ value: name, label: name, disabled: isAbove(name) }))}
      value={value}
      onChange={(name) => name && onChange(name)}
      {...rest}
    />
  )
}
