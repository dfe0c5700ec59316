import { Filter } from 'lucide-react'
import { useSchema } from '../../records/schema.ts'
import { Page } from '../../ui/page.tsx'
import { Message } from '../../ui/states.tsx'
import { Playground } from './playground.tsx'
import { Reference } from './reference.tsx'

export function FilterSyntax() {
  const schema = useSchema().filter(({ rights }) => rights.read !== 'none')
  return (
    <Page wide title="Filter Syntax" lead="One language to narrow down records, for people and agents alike.">
      {schema.length ? (
        <>
          <Playground schema={schema} />
          <Reference schema={schema} />
        </>
      ) : (
        <Message icon={Filter} title="Nothing to filter">
          Your role may not read any records. An Admin can change that under Company, Roles.
        </Message>
      )}
    </Page>
  )
}
