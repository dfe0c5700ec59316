import type { IAuthenticateGeneric, ICredentialTestRequest, ICredentialType, INodeProperties } from 'n8n-workflow'

export class KithApi implements ICredentialType {
  name = 'kithApi'

  displayName = 'Kith API'

  icon = { light: 'file:../icons/kith.svg', dark: 'file:../icons/kith.dark.svg' } as const

  documentationUrl = 'https://kith.example/connectors/n8n#connect'

  properties: INodeProperties[] = [
    {
      displayName: 'URL',
      name: 'url',
      type: 'string',
      required: true,
      default: '',
      placeholder: 'https://crm.example.com',
      description: 'The URL of Kith',
    },
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      required: true,
      default: '',
      description: "Create a key in Kith under Profile → API &amp; Connectors. The nodes have its owner's permissions.",
    },
  ]

  authenticate: IAuthenticateGeneric = {
    type: 'generic',
    properties: { headers: { 'x-api-key': '={{$credentials.apiKey}}' } },
  }

  test: ICredentialTestRequest = {
    request: { baseURL: '={{$credentials.url.replace(new RegExp("/+$"), "")}}', url: '/api/v1/me' },
  }
}
