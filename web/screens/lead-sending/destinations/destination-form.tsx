import { Button, Checkbox, SegmentedControl, Select, TagsInput, TextInput } from '@mantine/core'
import { api } from '../../../client/api.ts'
import { Dialog, DialogActions } from '../../../ui/form/dialog.tsx'
import { Form, PasswordField } from '../../../ui/form/form.tsx'
import { errorsIn, type Header, HeaderList, headersOf } from '../../../ui/form/header-list.tsx'
import { NoMailServer } from '../../../ui/form/no-mail-server.tsx'
import { NumberField } from '../../../ui/form/number-field.tsx'
import { rulesOf } from '../../../ui/form/rules-of.ts'
import { useForm } from '../../../ui/form/use-form.ts'
import { UsersSelect } from '../../../users/users-select.tsx'
import { Fold } from '../shared/fold.tsx'
import css from '../shared/lead-sending.module.css'
import type { Destination } from '../shared/queries.ts'
import { AnswerRules } from './answer-rules.tsx'
import { KithFields, type Mapped, mappingOf } from './kith-fields.tsx'
import { LeadTemplate } from './lead-template.tsx'

type Http = NonNullable<Destination['http']>
type Values = {
  name: string
  kind: Destination['kind']
  http: Http
  email: NonNullable<Destination['email']>
  user_ids: string[]
  headers: Header[]
  kith_url: string
  source_id: string
  mapping: Mapped[]
  authentication: 'kept' | 'none' | 'bearer' | 'basic'
  token: string
  user: string
  api_key: string
  return_days: number | string
  return_percent: number | string
  accepts: string
}

const kinds = [
  { value: 'http', label: 'HTTP' },
  { value: 'email', label: 'Email' },
  { value: 'members', label: 'Your team' },
  { value: 'kith', label: 'Another Kith' },
]
const aboutKinds: Record<Values['kind'], string> = {
  http: 'Kith sends each lead to the partner’s URL and evaluates the response.',
  email: 'The partner gets an email for each lead. It counts as accepted when it is sent.',
  members: 'One of your users becomes the owner of the lead, round robin.',
  kith: 'The lead is submitted to a lead source of another company that uses Kith.',
}
const emptyHttp: Http = {
  method: 'POST',
  url: '',
  content_type: 'json',
  body: '',
  rules: [],
  reason_path: null,
  price_path: null,
  timeout_seconds: 10,
  is_idempotent: false,
}
const emptyEmail = { to: [], subject: 'New lead: {{ title }}', body: '', attach_csv: false, values: 'contact' as const }

const valuesOf = (one: Destination | undefined): Values => ({
  name: one?.name ?? '',
  kind: one?.kind ?? 'http',
  http: one?.http ?? emptyHttp,
  email: one?.email ?? emptyEmail,
  user_ids: one?.members?.user_ids ?? [],
  headers: one?.header_names.map((name) => ({ id: name, name, value: null })) ?? [],
  kith_url: one?.kith?.url ?? '',
  source_id: one?.kith?.source_id ?? '',
  mapping: Object.entries(one?.kith?.values ?? {}).map(([field, value]) => ({ id: field, field, value })),
  authentication: one && one.authentication !== 'none' ? 'kept' : 'none',
  token: '',
  user: '',
  api_key: '',
  return_days: one?.returns.days ?? 7,
  return_percent: one?.returns.most_percent ?? 20,
  accepts: one?.returns.accept_after_hours?.toString() ?? 'never',
})

function asked(values: Values, one: Destination | undefined) {
  const { kind, authentication, token, user } = values
  const secrets = {
    ...(kind === 'http' && authentication === 'bearer' && { authentication: { type: 'bearer' as const, token } }),
    ...(kind === 'http' &&
      authentication === 'basic' && { authentication: { type: 'basic' as const, user, password: token } }),
    ...(kind === 'http' && authentication === 'none' && one && { authentication: { type: 'none' as const } }),
    ...(kind === 'http' && { headers: headersOf(values.headers, one?.header_names) }),
    ...(kind === 'kith' && values.api_key && { api_key: values.api_key }),
  }
  return {
    name: values.name,
    returns: {
      days: Number(values.return_days),
      most_percent: Number(values.return_percent),
      accept_after_hours: values.accepts === 'never' ? null : Number(values.accepts),
    },
    ...(kind === 'http' && { http: values.http }),
    ...(kind === 'email' && { email: values.email }),
    ...(kind === 'members' && { members: { user_ids: values.user_ids } }),
    ...(kind === 'kith' && {
      kith: { url: values.kith_url.trim(), source_id: values.source_id.trim(), values: mappingOf(values.mapping) },
    }),
    ...secrets,
  }
}

type Props = {
  destination?: Destination
  onSaved: (saved: Destination, wantsTest: boolean) => unknown
  onClose: () => void
}

/** Everything about a destination, for a new one and for one that exists. */
export function DestinationForm({ destination, onSaved, onClose }: Props) {
  const rules = rulesOf(
    () => import('../../../../contract/lead-destinations.ts'),
    ({ leadDestinations: { createLeadDestination, updateLeadDestination } }) =>
      errorsIn(destination ? updateLeadDestination.input.omit({ id: true }) : createLeadDestination.input),
  )
  const { form, submitBy, values, change, text, choice, number, errors } = useForm({
    input: rules,
    initial: valuesOf(destination),
    ask: (given: Values) => asked(given, destination),
    send: (sent) =>
      destination
        ? api.updateLeadDestination({ id: destination.id, ...sent })
        : api.createLeadDestination(sent as Parameters<typeof api.createLeadDestination>[0]),
    onDone: (saved) => onSaved(saved, false),
  })
  const { kind } = values
  return (
    <Dialog title={destination ? `Edit ${destination.name}` : 'New destination'} size={680} tall onClose={onClose}>
      <Form of={form} className={css.form ?? ''}>
        <TextInput label="Name" placeholder="Acme Solar" autoComplete="off" data-autofocus {...text('name')} />
        {!destination && (
          <div>
            <div className={css.label}>Delivery method</div>
            <SegmentedControl
              aria-label="Delivery method"
              fullWidth
              data={kinds}
              value={kind}
              onChange={(next) => change({ kind: next as Values['kind'] })}
            />
            <p className={css.about}>{aboutKinds[kind]}</p>
          </div>
        )}
        {kind === 'http' && <HttpFields of={{ values, change, errors, stored: destination?.authentication }} />}
        {kind === 'email' && <EmailFields of={{ values, change, errors }} />}
        {kind === 'members' && (
          <UsersSelect
            label="Users"
            description="Users who are away are skipped."
            placeholder="Choose users"
            value={values.user_ids}
            error={errors['members.user_ids']}
            onChange={(user_ids) => change({ user_ids })}
          />
        )}
        {kind === 'kith' && <KithFields of={{ values, change, errors, text, isStored: destination !== undefined }} />}
        {kind !== 'members' && (
          <Fold title="Returns" now={returnWords(values)}>
            <div className={css.row}>
              <NumberField
                label="Days to return a lead"
                description="0: never"
                isWhole
                min={0}
                max={365}
                {...number('return_days')}
                error={errors['returns.days']}
              />
              <NumberField
                label="Maximum returns (%)"
                description="Share of accepted leads that can be returned."
                isWhole
                min={0}
                max={100}
                {...number('return_percent')}
                error={errors['returns.most_percent']}
              />
              <Select
                label="Accept returns"
                description="Revenue is reversed on acceptance"
                data={[
                  { value: 'never', label: 'Manually' },
                  { value: '0', label: 'Immediately' },
                  { value: '24', label: 'After 24 hours' },
                  { value: '72', label: 'After 3 days' },
                ]}
                {...choice('accepts')}
              />
            </div>
          </Fold>
        )}
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          {kind !== 'members' && (
            <Button
              variant="default"
              loading={form.isPending}
              onClick={() => submitBy({ onDone: (saved) => onSaved(saved, true) })}
            >
              Save and test
            </Button>
          )}
          <Button type="submit" loading={form.isPending}>
            {destination ? 'Save destination' : 'Create destination'}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

const returnWords = ({ return_days, return_percent }: Values) =>
  Number(return_days) ? `Within ${return_days} days, up to ${return_percent}%` : 'Never'

type PartProps = {
  of: {
    values: Values
    change: (patch: Partial<Values>) => void
    errors: Record<string, string>
    stored?: Destination['authentication'] | undefined
  }
}

const authenticationWords: Record<Destination['authentication'], string> = {
  none: 'None',
  bearer: 'Bearer token',
  basic: 'User name and password',
  api_key: 'API key',
}

function HttpFields({ of: { values, change, errors, stored } }: PartProps) {
  const { http, authentication } = values
  const set = (patch: Partial<Http>) => change({ http: { ...http, ...patch } })
  return (
    <>
      <div className={css.address}>
        <Select
          label="Method"
          data={['POST', 'PUT', 'GET']}
          value={http.method}
          onChange={(method) => method && set({ method: method as Http['method'] })}
        />
        <TextInput
          label="URL"
          placeholder="https://partner.example.com/leads"
          spellCheck={false}
          autoComplete="off"
          value={http.url}
          error={errors['http.url'] ?? errors.http}
          onChange={(event) => set({ url: event.currentTarget.value })}
        />
      </div>
      <div className={css.row}>
        <Select
          label="Authentication"
          data={[
            ...(stored && stored !== 'none'
              ? [{ value: 'kept', label: `${authenticationWords[stored]}, stored` }]
              : []),
            { value: 'none', label: 'None' },
            { value: 'bearer', label: authenticationWords.bearer },
            { value: 'basic', label: authenticationWords.basic },
          ]}
          value={authentication}
          error={errors.authentication}
          onChange={(next) => next && change({ authentication: next as Values['authentication'] })}
        />
        {authentication === 'basic' && (
          <TextInput
            label="User name"
            autoComplete="off"
            value={values.user}
            onChange={(event) => change({ user: event.currentTarget.value })}
          />
        )}
        {(authentication === 'basic' || authentication === 'bearer') && (
          <PasswordField
            label={authentication === 'basic' ? 'Password' : 'Token'}
            autoComplete="off"
            value={values.token}
            error={errors['authentication.token'] ?? errors['authentication.password']}
            onChange={(event) => change({ token: event.currentTarget.value })}
          />
        )}
      </div>
      {http.method !== 'GET' && (
        <>
          <Select
            label="Content type"
            data={[
              { value: 'json', label: 'JSON' },
              { value: 'form', label: 'Form' },
              { value: 'xml', label: 'XML' },
              { value: 'text', label: 'Text' },
            ]}
            value={http.content_type}
            onChange={(content_type) => content_type && set({ content_type: content_type as Http['content_type'] })}
          />
          <LeadTemplate
            label="Body"
            isJson={http.content_type === 'json'}
            description="Leave it empty to send every field that has a value."
            value={http.body}
            error={errors['http.body']}
            onChange={(body) => set({ body })}
          />
        </>
      )}
      <Fold
        title="Custom headers"
        now={values.headers.map(({ name }) => name).join(', ') || 'None'}
        isOpen={values.headers.length > 0}
      >
        <HeaderList headers={values.headers} errors={errors} onChange={(headers) => change({ headers })} />
      </Fold>
      <AnswerRules of={http} errors={errors} onChange={set} />
    </>
  )
}

function EmailFields({ of: { values, change, errors } }: PartProps) {
  const { email } = values
  const set = (patch: Partial<Values['email']>) => change({ email: { ...email, ...patch } })
  return (
    <>
      <NoMailServer />
      <TagsInput
        label="To"
        placeholder={email.to.length ? undefined : 'partner@example.com'}
        value={email.to}
        error={errors['email.to'] ?? errors['email.to.0'] ?? errors.email}
        acceptValueOnBlur
        onChange={(to) => set({ to })}
      />
      <TextInput
        label="Subject"
        value={email.subject}
        error={errors['email.subject']}
        onChange={(event) => set({ subject: event.currentTarget.value })}
      />
      <LeadTemplate
        label="Text"
        description={
          email.values === 'all'
            ? 'Leave it empty to list all values, one per line.'
            : 'Leave it empty to list the name, contact data, message, page and time.'
        }
        value={email.body}
        error={errors['email.body']}
        onChange={(body) => set({ body })}
      />
      <Checkbox
        label="Attach a CSV file"
        checked={email.attach_csv}
        onChange={(event) => set({ attach_csv: event.currentTarget.checked })}
      />
      {(!email.body.trim() || email.attach_csv) && (
        <Checkbox
          label="Send every field, such as score and tags"
          checked={email.values === 'all'}
          onChange={(event) => set({ values: event.currentTarget.checked ? 'all' : 'contact' })}
        />
      )}
    </>
  )
}
