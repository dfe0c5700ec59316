import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { CircleCheck, Send } from 'lucide-react'
import { api } from '../../../client/api.ts'
import { wordsOf } from '../../../ui/form-errors.ts'
import { FormFailure } from '../../../ui/form-failure.tsx'
import css from './mail.module.css'

/** Sends with what is saved, to the person who asks. */
export function TestMail() {
  const { mutate, isPending, data, error } = useMutation({ mutationFn: () => api.sendTestMail({}) })
  return (
    <>
      <Button
        variant="default"
        loading={isPending}
        leftSection={<Send size={14} aria-hidden="true" />}
        onClick={() => mutate()}
      >
        Send a test email
      </Button>
      <div role="status" className={css.outcome}>
        {data && !isPending && (
          <p className={css.source}>
            <CircleCheck size={16} aria-hidden="true" />
            <span>Sent to {data.sent_to}. Look into your inbox, and into the spam folder.</span>
          </p>
        )}
      </div>
      <div className={css.refusal}>
        <FormFailure>{error && !isPending && wordsOf(error)}</FormFailure>
      </div>
    </>
  )
}
