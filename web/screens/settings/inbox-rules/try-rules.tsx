import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ArrowRight, Check, CircleSlash, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import type { contract } from '../../../../contract/index.ts'
import type { Output } from '../../../../contract/operation.ts'
import { api } from '../../../client/api.ts'
import { type Conversation, nameOfOther, subjectOf } from '../../../conversations/inbox.ts'
import { Loaded } from '../../../ui/basics/loaded.tsx'
import { Dialog } from '../../../ui/form/dialog.tsx'
import { Ago } from '../../../ui/text/ago.tsx'
import css from './inbox-rules.module.css'

type Trial = Output<typeof contract.previewInboxRules>['steps'][number]

/** What the rules would do with a conversation of these days. */
export function TryRules({ onClose }: { onClose: () => void }) {
  const [id, setId] = useState<string | null>(null)
  const newest = useQuery({
    queryKey: ['inbox', 'list', 'to try'],
    queryFn: async ({ signal }) =>
      (await api.listConversations({ filter: 'state in (open, snoozed, closed)', limit: 100 }, { signal })).items,
  })
  const trial = useQuery({
    queryKey: ['inbox', 'rules', 'trial', id],
    queryFn: async ({ signal }) => (await api.previewInboxRules({ conversation_id: id! }, { signal })).steps,
    enabled: id !== null,
    gcTime: 0,
    retry: false,
  })
  return (
    <Dialog title="Test rules" size={560} tall onClose={onClose}>
      <p className={css.about}>
        What the active rules would do if this conversation had just started. Nothing is changed or sent.
      </p>
      <Select
        label="Conversation"
        placeholder={newest.data?.length === 0 ? 'No conversations yet' : 'Choose one of the newest'}
        data={newest.data?.map((one) => ({ value: one.id, label: `${nameOfOther(one)}: ${firstWords(one)}` })) ?? []}
        renderOption={({ option }) => {
          const one = newest.data?.find(({ id }) => id === option.value)
          return one ? <Choice of={one} /> : option.label
        }}
        searchable
        value={id}
        onChange={setId}
      />
      {id && (
        <Loaded query={trial} what="preview" height={120}>
          {(steps) =>
            steps.length ? (
              <ol className={css.steps} aria-label="Result">
                {steps.map((step) => (
                  <Step key={step.rule_id} of={step} />
                ))}
              </ol>
            ) : (
              <p className={css.about}>No rules are on.</p>
            )
          }
        </Loaded>
      )}
    </Dialog>
  )
}

const firstWords = ({ subject, preview }: Conversation) => subject || preview || subjectOf({ subject })

/** As in the list: who it is with, what it is about, and how it begins. */
const Choice = ({ of: one }: { of: Conversation }) => (
  <span className={css.choice}>
    <span className={css.choiceName}>
      <bdi>{nameOfOther(one)}</bdi>
      <Ago at={one.last_message_at} />
    </span>
    {one.subject && <bdi>{one.subject}</bdi>}
    {one.preview && <bdi className={css.preview}>{one.preview}</bdi>}
  </span>
)

const Step = ({ of: { name, matches, reason, would, replies, skipped, problems } }: { of: Trial }) => (
  <li className={css.step} data-off={!matches || undefined}>
    <p className={css.stepName}>
      {matches ? <Check size={15} /> : <CircleSlash size={15} />}
      <bdi>{name}</bdi>
    </p>
    {reason && <p className={css.note}>{reason}</p>}
    <ul>
      {would.map((text) => (
        <li key={text}>
          <ArrowRight size={13} /> {text}
        </li>
      ))}
      {replies.map((text) => (
        <li key={text}>
          <blockquote className={css.reply} dir="auto">
            {text}
          </blockquote>
        </li>
      ))}
      {skipped.map((text) => (
        <li key={text} className={css.skipped}>
          <CircleSlash size={13} /> {text}
        </li>
      ))}
      {problems.map((text) => (
        <li key={text} className={css.problem}>
          <TriangleAlert size={13} /> {text}
        </li>
      ))}
    </ul>
  </li>
)
