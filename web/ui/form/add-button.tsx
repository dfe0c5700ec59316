import { Button } from '@mantine/core'
import { Plus } from 'lucide-react'
import type { ReactNode } from 'react'

type Props = { onClick: () => void; disabled?: boolean; children: ReactNode }

/** Adds an item to the list above it. */
export const AddButton = (props: Props) => (
  <Button variant="default" size="compact-sm" leftSection={<Plus size={13} />} {...props} />
)
