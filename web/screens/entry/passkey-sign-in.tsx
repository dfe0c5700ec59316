import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Fingerprint } from 'lucide-react'
import { useEffect } from 'react'
import { loadPasskeys, passkeyFault } from '../../account/passkeys.ts'
import { api } from '../../client/api.ts'
import { wordsOf } from '../../ui/form-errors.ts'
import { FormFailure } from '../../ui/form-failure.tsx'
import css from './entry.module.css'
import type { useEntering } from './use-entering.ts'

type Proof = Record<string, unknown>

/** Signs in with a passkey by a button, and by the list that the browser offers in the email field. */
export function PasskeySignIn({ onDone }: { onDone: ReturnType<typeof useEntering>['enter'] }) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (proof?: Proof) => api.signInWithPasskey({ response: proof ?? (await askBrowser(false)) }),
    gcTime: 0,
    onSuccess: onDone,
  })
  useOffered(mutate)
  return (
    <div className={css.other}>
      <p className={css.or}>or</p>
      <FormFailure>{error && (passkeyFault(error) ?? wordsOf(error))}</FormFailure>
      <Button
        variant="default"
        fullWidth
        loading={isPending}
        leftSection={<Fingerprint size={16} aria-hidden="true" />}
        onClick={() => mutate(undefined)}
      >
        Use a passkey
      </Button>
    </div>
  )
}

async function askBrowser(inField: boolean): Promise<Proof> {
  const [{ startAuthentication }, { options }] = await Promise.all([loadPasskeys(), api.startPasskeySignIn({})])
  return { ...(await startAuthentication({ optionsJSON: options as never, useBrowserAutofill: inField })) }
}

/** Offered without being asked for, so it fails without a word: the button is still there. */
function useOffered(onChosen: (proof: Proof) => void) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, while the page is open
  useEffect(() => {
    let open = true
    const offer = async () => {
      if (!(await PublicKeyCredential.isConditionalMediationAvailable?.()) || !open) return
      const proof = await askBrowser(true)
      if (open) onChosen(proof)
    }
    void offer().catch(() => {})
    return () => {
      open = false
      void loadPasskeys().then(({ WebAuthnAbortService }) => WebAuthnAbortService.cancelCeremony())
    }
  }, [])
}
