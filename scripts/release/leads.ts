// A form on the company's website: submissions that become leads, spam, a person who has not confirmed, and conversion.
import { type Caller, callerOn } from './caller.ts'
import type { At, Story, Team } from './story.ts'

const site = 'https://www.acme.example'
const chrome = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 15_0) Chrome/150.0'

export async function collectLeads({ origin, work }: Story, at: At, { ada, script, ids }: Team) {
  await at('2026-05-06T08:00:00Z')
  await ada.patch('/settings/leads', {
    response_minutes: 60,
    score_rules: [
      { name: 'Has a company', filter: 'company_name is not empty', points: 20 },
      { name: 'From the newsletter', filter: 'utm_source = news', points: -5 },
    ],
  })
  await ada.patch('/objects/leads/fields/tags', { options: [{ key: 'web', label: 'Web', color: 'blue' }] })
  const source = await ada.post('/lead-sources', {
    name: 'Website',
    title: 'Ask for an offer',
    allowed_origins: [site],
    consent: { text: 'I agree to the [privacy policy](https://www.acme.example/privacy)' },
    assignment: [{ filter: 'company_name is not empty', user_ids: [ids.grace, ids.ada] }],
    tags: ['web'],
    notify_user_ids: [ids.ada],
    autoresponse: { subject: 'Thank you', text: 'We call you back.' },
    look: { accent: '#0f766e', corners: 2, font: 'serif' },
  })
  await ada.patch(`/lead-sources/${source.id}`, { consent: { text: 'I agree to be called' } })
  const newsletter = await ada.post('/lead-sources', {
    name: 'Newsletter',
    allowed_origins: [site],
    double_opt_in: true,
    duplicates: 'create',
  })

  const visitor = callerOn(origin, 'visitor', chrome)
  const page = `${site}/prices?utm_source=news&utm_campaign=spring`
  const carla = { first_name: 'Carla', last_name: 'Client', email: 'carla@client.example', company_name: 'Client Ltd' }
  const first = { ...carla, message: 'Please call me', kith_page: page, kith_referrer: 'https://search.example/' }
  const fill = async (form: object, minute: string, values: Record<string, string>) => {
    await fillIn(at, visitor, form, minute, values)
    await work()
  }
  await fill(source, '2026-05-06T08:10', { ...first, kith_consent: '2' })
  const again = { ...carla, phone: '+49 40 765432', kith_consent: '2' }
  await fill(source, '2026-05-06T08:20', again)
  const spam = { first_name: 'Visit http://pills.example', email: 'x@pills.example', message: '<a href=x>Pills</a>' }
  await fill(source, '2026-05-06T08:30', { ...spam, kith_consent: '2' })
  await fill(newsletter, '2026-05-06T08:40', { email: 'nora@reader.example', last_name: 'Reader' })
  const dieter = { last_name: 'Dealer', email: 'dieter@dealer.example', company_name: 'Dealer KG' }
  await script.post(`/lead-sources/${source.id}/submissions`, { values: dieter, page, consent_version: 2 })
  await work()

  await at('2026-05-06T10:30:00Z')
  await work()
  const lead = await leadNamed(ada, 'Carla')
  await ada.create('activities', { kind: 'call', at: '2026-05-06T10:20:00Z', outcome: 'Wants a boat', about: [lead] })
  await ada.post(`/leads/${lead}/conversion`, { deal: { name: 'Boat for Client', values: { amount: '750' } } })
  const [other] = await ada.create('leads', {
    last_name: 'Wrong',
    email: 'wrong@dealer.example',
    company_name: 'Wrong',
  })
  const { change_set_id } = await ada.post(`/leads/${other}/conversion`, { deal: null })
  await ada.post('/changes/undo', { change_set_ids: [change_set_id] })
  await work()
}

export async function leadNamed(caller: Caller, name: string) {
  const { records } = await caller.post('/records/leads/query', { filter: `title ~ "${name}"`, limit: 1 })
  return (records as { id: string }[])[0]!.id
}

/** People need a few seconds for a form, and programs that fill it in sooner are suspicious. */
async function fillIn(at: At, visitor: Caller, source: object, minute: string, values: Record<string, string>) {
  const { form_id } = source as { form_id: string }
  await at(`${minute}:00Z`)
  const form = await visitor.send('GET', `/forms/${form_id}/description`, undefined, { origin: site })
  const { token } = (await form.json()) as { token: string }
  await at(`${minute}:30Z`)
  return visitor.submit(`/forms/${form_id}/submissions`, { ...values, kith_token: token }, { origin: site })
}
