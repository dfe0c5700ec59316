import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { ArrowLeft, SearchX } from 'lucide-react'
import type { pages } from '../../contract/pages.ts'
import { Message } from './message.tsx'
import { Page } from './page.tsx'

type Props = { what: string; back: keyof typeof areaNames }

const areaNames = {
  '/dashboard': 'Dashboard',
  '/inbox': 'Inbox',
  '/records': 'Records',
  '/jobs': 'Jobs',
  '/company': 'Company',
  '/profile': 'Profile',
} as const satisfies { [P in (typeof pages)[keyof typeof pages]]?: string }

/** The app's own "not found": names what is missing and leads back to its area. */
export const Missing = ({ what, back }: Props) => (
  <Page title="Not found">
    <Message
      icon={SearchX}
      title={`This ${what} does not exist`}
      action={
        <Button component={Link} to={back} variant="default" leftSection={<ArrowLeft size={14} aria-hidden="true" />}>
          Back to {areaNames[back]}
        </Button>
      }
    >
      It may have been removed, you may not be allowed to see it, or the address is mistyped.
    </Message>
  </Page>
)
