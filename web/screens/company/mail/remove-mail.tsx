import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../client/api.ts'
import { Confirm } from '../../../ui/confirm.tsx'
import { say } from '../../../ui/notices.tsx'
import css from './mail.module.css'
import { mailQuery } from './mail-query.ts'

export function RemoveMail() {
  const [asked, ask] = useState(false)
  const client = useQueryClient()
  const act = async () => client.setQueryData(mailQuery.queryKey, await api.removeMailSettings({}))
  return (
    <>
      <Button variant="default" className={css.bad} onClick={() => ask(true)}>
        Remove the mail server
      </Button>
      {asked && (
        <Confirm
          title="Remove the mail server?"
          action="Remove"
          act={act}
          onDone={() => say('Mail server removed')}
          onClose={() => ask(false)}
        >
          <p>
            From then on mail goes out by the server of this installation, if it has one. Otherwise nothing is sent, and
            links have to be passed on by hand.
          </p>
        </Confirm>
      )}
    </>
  )
}
