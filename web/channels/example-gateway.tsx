import { Button } from '@mantine/core'
import { Download } from 'lucide-react'
import { complain } from '../ui/basics/notices.tsx'
import { CodeBlock } from '../ui/text/code.tsx'
import { saveFile } from '../ui/text/save-file.ts'
import css from './channels.module.css'

type Props = {
  of: { post_address: string; fetch_address: string; webhook_url: string | null }
  /** Shown once; later it is for the reader to fill in. */
  secret?: string
  onCopied?: () => void
}

/** The program that docs/messaging.md explains, ready to run with the values of the channel. */
export const ExampleGateway = ({ of: addresses, secret = 'whsec_…', onCopied }: Props) => (
  <div className={css.example}>
    <p>
      Save the example and run it with Node.js. Messages you type there arrive in the inbox, and your replies are shown
      there. Then replace the terminal with your own network; <code>docs/messaging.md</code> explains how.
    </p>
    <div>
      <Button
        variant="default"
        leftSection={<Download size={14} />}
        onClick={() => void save().catch((error) => complain('The example was not saved', error))}
      >
        Save gateway.mjs
      </Button>
    </div>
    <CodeBlock code={commandFor(addresses, secret)} what="command" caption="Terminal" wraps onCopied={onCopied} />
  </div>
)

async function save() {
  const { default: text } = await import('../../docs/examples/gateway.mjs?raw')
  saveFile('gateway.mjs', new Blob([text], { type: 'text/javascript' }))
}

/** With a webhook address, the program listens where Kith posts; otherwise it fetches. */
function commandFor({ post_address, fetch_address, webhook_url }: Props['of'], secret: string) {
  const way = webhook_url ? `PORT=${portOf(webhook_url)}` : `KITH_FETCH='${fetch_address}'`
  return `KITH_SECRET='${secret}' KITH_POST='${post_address}' ${way} node gateway.mjs`
}

const portOf = (url: string) => (URL.canParse(url) && new URL(url).port) || '8090'
