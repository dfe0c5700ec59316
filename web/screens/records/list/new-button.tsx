import { Button } from '@mantine/core'
import { Plus } from 'lucide-react'
import { inSentence } from '../../../../contract/in-sentence.ts'
import { openCreate } from '../../../records/open-create.ts'
import type { ObjectShape } from '../../../records/schema.ts'

export const NewButton = ({ object }: { object: ObjectShape }) => (
  <Button size="xs" leftSection={<Plus size={14} aria-hidden="true" />} onClick={() => openCreate(object.key)}>
    New {inSentence(object.label)}
  </Button>
)
