import './client/validation.ts'
import '@fontsource-variable/inter/wght.css'
import './ui/theme/mantine-styles.ts'
import '@mantine/notifications/styles.layer.css'
import './ui/theme/tokens.css'
import './ui/theme/base.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ApiError } from './client/api.ts'
import { noticeMissingFiles } from './client/new-version.ts'
import { queryClient } from './client/queries.ts'
import { router } from './routes.tsx'
import { colorSchemes, cssVariables, theme } from './ui/theme/theme.ts'

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''
// The scroll lock behind dialogs adds its own style element and asks get-nonce for the nonce.
setNonce(nonce)

noticeMissingFiles()

// What the server refused is shown on the page already; only surprises belong in the console.
const onCaughtError = (error: unknown) => {
  if (!(error instanceof ApiError)) reportError(error)
}

createRoot(document.getElementById('root')!, { onCaughtError }).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={colorSchemes}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
