import { Navigate } from '@tanstack/react-router'
import { Contact } from 'lucide-react'
import { useSchema } from '../../../records/schema.ts'
import { Message } from '../../../ui/message.tsx'
import { Page } from '../../../ui/page.tsx'
import { lastList, lastObject } from './remembered.ts'

/** /records: where one was last, or the first object. */
export function FirstList() {
  const objects = useSchema().filter(({ rights }) => rights.read !== 'none')
  const object = objects.find(({ key }) => key === lastObject()) ?? objects[0]
  if (object)
    return <Navigate to="/records/$object" params={{ object: object.key }} search={lastList(object.key)} replace />
  return (
    <Page title="Records">
      <Message icon={Contact} title="No records for your role">
        Your role lets you see no kind of record. Ask an Admin of your company.
      </Message>
    </Page>
  )
}
