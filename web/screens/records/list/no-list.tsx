import { Contact } from 'lucide-react'
import { Message } from '../../../ui/message.tsx'
import { Page } from '../../../ui/page.tsx'

/** /records, for those whom no list can be shown. */
export const NoList = () => (
  <Page title="Records">
    <Message icon={Contact} title="No records for your role">
      Your role lets you see no kind of record. Ask an Admin of your company.
    </Message>
  </Page>
)
