import { Button, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { contract } from '../../../../contract/index.ts'
import type { Output } from '../../../../contract/operation.ts'
import { api } from '../../../client/api.ts'
import type { Draft } from '../../../conversations/inbox.ts'
import { reasonOf } from '../../../ui/basics/errors.ts'
import { LoadedList } from '../../../ui/basics/loaded.tsx'
import { say } from '../../../ui/basics/notices.tsx'
import { FormFailure } from '../../../ui/basics/states.tsx'
import { Dialog, DialogActions } from '../../../ui/form/dialog.tsx'
import { RowOf, Rows } from '../../../ui/page/rows.tsx'
import css from './composer.module.css'

type Template = Output<typeof contract.listProviderTemplates>['items'][number]
type Props = { draft: Draft; onSent: (conversation_id: string) => void; onClose: () => void }

/** Texts that WhatsApp approved. They can be sent at any time. */
export function ProviderTemplates({ draft, onSent, onClose }: Props) {
  const channel_id = draft.channel_id!
  const [chosen, choose] = useState<Template>()
  const templates = useQuery({
    queryKey: ['inbox', 'provider-templates', channel_id],
    queryFn: async ({ signal }) => {
      const { items } = await api.listProviderTemplates({ id: channel_id }, { signal })
      return items.filter(({ state }) => state === 'APPROVED')
    },
    staleTime: 60_000,
  })
  return (
    <Dialog title={chosen ? chosen.name : 'Send a WhatsApp template'} size={520} tall onClose={onClose}>
      {chosen ? (
        <Fill of={chosen} draft={draft} onSent={onSent} onBack={() => choose(undefined)} />
      ) : (
        <LoadedList
          query={templates}
          what="templates"
          empty={<p className={css.hint}>There are no approved templates. Create them in Meta’s WhatsApp Manager.</p>}
        >
          {(items) => (
            <Rows label="Templates">
              {items.map((one) => (
                <RowOf key={`${one.name} ${one.language}`} title={`${one.name} (${one.language})`} note={one.text}>
                  <Button variant="default" size="compact-sm" onClick={() => choose(one)}>
                    Use
                  </Button>
                </RowOf>
              ))}
            </Rows>
          )}
        </LoadedList>
      )}
    </Dialog>
  )
}

type FillProps = { of: Template; draft: Draft; onSent: Props['onSent']; onBack: () => void }

function Fill({ of: { name, language, text, variables }, draft, onSent, onBack }: FillProps) {
  const [values, setValues] = useState(() => Array.from({ length: variables }, () => ''))
  const filled = text.replace(/\{\{\s*(\d+)\s*\}\}/g, (whole, number: string) => values[Number(number) - 1] || whole)
  const send = useMutation({
    mutationFn: () =>
      api.sendMessage({
        ...(draft.conversation_id ? { conversation_id: draft.conversation_id } : { to: draft.to }),
        channel_id: draft.channel_id!,
        text: filled,
        provider_template: { name, language, values },
      }),
    onSuccess: ({ conversation_id }) => {
      say('Sending…')
      onSent(conversation_id)
    },
  })
  return (
    <>
      <FormFailure>{send.error ? reasonOf(send.error) : undefined}</FormFailure>
      {values.map((value, i) => (
        <TextInput
          // biome-ignore lint/suspicious/noArrayIndexKey: a variable is its number
          key={i}
          label={`{{${i + 1}}}`}
          value={value}
          onChange={(event) => {
            const { value } = event.currentTarget
            setValues((before) => before.map((one, n) => (n === i ? value : one)))
          }}
        />
      ))}
      <p dir="auto">{filled}</p>
      <DialogActions>
        <Button variant="default" onClick={onBack}>
          Back
        </Button>
        <Button loading={send.isPending} disabled={values.some((value) => !value.trim())} onClick={() => send.mutate()}>
          Send
        </Button>
      </DialogActions>
    </>
  )
}
