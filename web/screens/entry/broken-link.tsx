import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { pages } from '../../../contract/pages.ts'
import css from './entry.module.css'
import { Entry } from './entry.tsx'

export type LinkKind = 'invitation' | 'reset' | 'email' | 'sign_up'

const words: Record<LinkKind, { lead: string; next: string }> = {
  invitation: {
    lead: 'An invitation works once and for a limited time, and a newer one replaces it.',
    next: 'If it still does not work, ask the person who invited you for a new one.',
  },
  reset: {
    lead: 'A link to set a password works once and for an hour, and a newer one replaces it.',
    next: 'If it still does not work, ask for a new one.',
  },
  email: {
    lead: 'A link to confirm an address works once and for seven days, and a newer one replaces it.',
    next: 'If it still does not work, ask your Admin for a new one.',
  },
  sign_up: {
    lead: 'A link to create a company works once and for an hour.',
    next: 'If it still does not work, ask for a new one.',
  },
}

/** Used, replaced by a newer one, expired or cut off: for whoever holds it, all the same. */
export const BrokenLink = ({ kind }: { kind: LinkKind }) => (
  <Entry title="This link does not work" lead={words[kind].lead}>
    <ol className={css.steps}>
      <li>Open the link again, in full, from where you got it.</li>
      <li>{words[kind].next}</li>
      <li>Have you used it already? Then just sign in.</li>
    </ol>
    <div className={css.ways}>
      <Button fullWidth component={Link} to={pages.signIn}>
        Sign in
      </Button>
      {kind === 'reset' && (
        <Button fullWidth variant="default" component={Link} to={pages.forgotPassword}>
          Ask for a new link
        </Button>
      )}
      {kind === 'sign_up' && (
        <Button fullWidth variant="default" component="a" href={pages.signUp}>
          Ask for a new link
        </Button>
      )}
    </div>
  </Entry>
)
