import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, RotateCcw, SearchX, Trash2 } from 'lucide-react'
import { inSentence } from '../../../contract/shared/in-sentence.ts'
import { api } from '../../client/api.ts'
import { useRestoreRecords } from '../../records/data/records-api.ts'
import type { ObjectShape } from '../../records/data/schema.ts'
import { wayBack } from '../../records/lists/list-search.ts'
import { ButtonLink } from '../../ui/basics/links.tsx'
import { Message } from '../../ui/basics/states.tsx'

/** The record is not there, or not for this user: which of the two is not told. In the trash it can be taken back. */
export function Gone({ object, id }: { object: ObjectShape; id: string }) {
  const { data: titled } = useQuery({
    queryKey: ['record-titles', 'in the trash', id],
    queryFn: async () =>
      (await api.getRecordTitles({ ids: [id], include_deleted: true })).items.find(({ is_private }) => !is_private) ??
      null,
    retry: false,
  })
  const restore = useRestoreRecords(object.key, () => `${titled?.title} restored.`)
  const back = (
    <ButtonLink
      to="/records/$object"
      params={{ object: object.key }}
      search={wayBack(object.key).search}
      variant="default"
      leftSection={<ArrowLeft size={14} />}
    >
      Back to {inSentence(object.label_plural)}
    </ButtonLink>
  )
  if (!titled)
    return (
      <Message icon={SearchX} title={`This ${inSentence(object.label)} was not found`} action={back}>
        It may have been permanently deleted, or you do not have access. Check the address.
      </Message>
    )
  return (
    <Message
      icon={Trash2}
      title={`${titled.title} is in the trash`}
      action={
        object.rights.delete === 'none' ? (
          back
        ) : (
          <Button
            leftSection={<RotateCcw size={14} />}
            loading={restore.isPending}
            onClick={() => restore.mutate([id])}
          >
            Restore
          </Button>
        )
      }
    >
      It was deleted. You can restore it until the trash is emptied.
    </Message>
  )
}
