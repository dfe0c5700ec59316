import { Filter } from 'lucide-react'
import { Message } from '../../ui/message.tsx'
import { Page } from '../../ui/page.tsx'

export const FilterSyntax = () => (
  <Page title="Filter Syntax" lead="One language to narrow down records, for people and for agents alike.">
    <Message icon={Filter} title="Nothing to filter yet">
      This page will explain the language as you type: what a filter means, how many of your records match, and which.
      It comes together with records, in a later release.
    </Message>
  </Page>
)
