import { Filter } from 'lucide-react'
import { useSchema } from '../../records/data/schema.ts'
import { Page } from '../../ui/basics/page.tsx'
import { Message } from '../../ui/basics/states.tsx'
import { Playground } from './playground.tsx'
import { Reference } from './reference.tsx'

export function FilterSyntax() {
  const schema = useSchema().filter(({ rights }) => rights.read !== 'none')
  return (
    <Page wide title="Filter Syntax" lead="One language for people and agents to find records.">
      {schema.length ? (
        <>
          <Playground schema={schema} />
          <Reference schema={schema} />
        </>
      ) : (
        <Message icon={Filter} title="Nothing to filter">
          Your role does not allow reading records. An Admin can change that under Company, Roles.
        </Message>
      )}
    </Page>
  )
}
