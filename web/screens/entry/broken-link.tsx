import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { pages } from '../../../contract/pages.ts'
import css from './entry.module.css'
import { Entry } from './entry.tsx'

/** Used, replaced by a newer one, expired or cut off: for whoever holds it, all the same. */
export const BrokenLink = ({ kind }: { kind: 'invitation' | 'reset' }) => (
  <Entry
    title="This link does not work"
    lead={
      kind === 'invitation'
        ? 'An invitation works once and for a limited time, and a newer one replaces it.'
        : 'A link to set a password works once and for an hour, and a newer one replaces it.'
    }
  >
    <ol className={css.steps}>
      <li>Open the link again, in full, from where you got it.</li>
      {kind === 'invitation' ? (
        <li>If it still does not work, ask whoever invited you for a new one.</li>
      ) : (
        <li>If it still does not work, ask for a new one.</li>
      )}
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
    </div>
  </Entry>
)
