import {
  Button,
  ColorInput,
  Input,
  SegmentedControl,
  Select,
  Switch,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../client/api.ts'
import { errorUnder } from '../../../ui/basics/errors.ts'
import { Part } from '../../../ui/basics/layout.tsx'
import { say } from '../../../ui/basics/notices.tsx'
import { Form, FormBar } from '../../../ui/form/form.tsx'
import { NumberField } from '../../../ui/form/number-field.tsx'
import { rulesOf } from '../../../ui/form/rules-of.ts'
import { useForm } from '../../../ui/form/use-form.ts'
import { asDay } from '../../../ui/text/moments.ts'
import { languageChoices } from '../../../ui/text/numbers.ts'
import css from './builder.module.css'
import { FieldList } from './field-list.tsx'
import { draftOf, type FormDraft, previewOf, settingsOf, translated } from './form-draft.ts'
import { consentTextsQuery, type LeadSource, previewQuery, useLeadsChanged, useLeadsObject } from './lead-source.ts'
import { Preview } from './preview.tsx'

const rules = rulesOf(
  () => import('../../../../contract/lead-sources.ts'),
  ({ leadSources }) => leadSources.updateLeadSource.input.omit({ id: true }),
)

/** Everything that visitors see of a source, beside the form as they see it. */
export function Builder({ source }: { source: LeadSource }) {
  const changed = useLeadsChanged()
  const [open, setOpen] = useState<string>()
  const made = useForm({
    input: rules,
    initial: draftOf(source),
    ask: settingsOf,
    send: (sent) => api.updateLeadSource({ id: source.id, ...sent }),
    read: draftOf,
    onDone: async (saved) => {
      say('Form saved')
      await changed(saved)
    },
  })
  const { form, values, change, text, errors, isDirty } = made
  const field = values.rows.find(({ id }) => id === open)
  const [view, setView] = useState('edit')
  return (
    <Form of={form} className={css.builder}>
      <SegmentedControl
        aria-label="View"
        className={css.views}
        data={[
          { value: 'edit', label: 'Edit' },
          { value: 'preview', label: 'Preview' },
        ]}
        value={view}
        onChange={setView}
      />
      <div className={css.settings} data-aside={view !== 'edit' || undefined}>
        <Part title="Form">
          <div className={css.fields}>
            <TextInput label="Name" description="Only your team sees it." autoComplete="off" {...text('name')} />
            <TextInput label="Title" placeholder="Contact us" autoComplete="off" {...text('title')} />
            <Textarea label="Introduction" autosize minRows={2} maxRows={8} {...text('intro')} />
            <Language of={made} />
          </div>
        </Part>
        <Part title="Fields" about="Drag to reorder, or move the handle with the arrow keys.">
          <FieldList
            rows={values.rows}
            language={values.language}
            firstTitle={values.first_title}
            errors={errors}
            open={open}
            onOpen={setOpen}
            onChange={(rows) => change({ rows })}
            onFirstTitle={(first_title) => change({ first_title })}
          />
        </Part>
        <Consent of={made} source={source} />
        <AfterSending of={made} id={source.id} />
        <Look of={made} />
        <FormBar of={made} save="Save form">
          {isDirty && <span className={css.unsaved}>Not saved yet</span>}
        </FormBar>
      </div>
      <section className={css.beside} aria-label="Preview" data-aside={view !== 'preview' || undefined}>
        <header className={css.previewHead}>
          <h2>Preview</h2>
          <span>The real form. Nothing is sent.</span>
        </header>
        <Preview id={source.id} draft={previewOf(values)} field={field?.kind === 'field' ? field.field : undefined} />
      </section>
    </Form>
  )
}

type PartProps = { of: ReturnType<typeof useForm<FormDraft, LeadSource, ReturnType<typeof settingsOf>>> }

/** Forms speak the language of their visitors. Those that were made in another one can be translated. */
function Language({ of: { values, change, choice } }: PartProps) {
  const leads = useLeadsObject()
  const rows = translated(values.rows, (key) => leads?.byKey.get(key), values.language)
  const isMixed = rows.some((row, index) => row !== values.rows[index])
  return (
    <div>
      <Select
        label="Language"
        description="For the labels, the button and the messages that Kith adds."
        searchable
        data={languageChoices}
        {...choice('language')}
      />
      {isMixed && (
        <p className={css.hint}>
          Some labels are in another language.{' '}
          <Button variant="subtle" size="compact-sm" px={4} onClick={() => change({ rows })}>
            Translate standard labels
          </Button>
        </p>
      )}
    </div>
  )
}

function Consent({ of: { values, text, checked, errors }, source }: PartProps & { source: LeadSource }) {
  const isNew = values.consent_text.trim() !== source.consent?.text
  return (
    <Part title="Consent" about="People agree with a checkbox. Each submission keeps the consent text.">
      <div className={css.fields}>
        <Switch label="Ask for consent" {...checked('has_consent')} />
        {values.has_consent && (
          <>
            <Textarea
              label="Consent text"
              description="Links are written as [Privacy policy](https://example.com/privacy)."
              autosize
              minRows={2}
              {...text('consent_text')}
              error={errors['consent.text']}
            />
            <Switch label="Required to send the form" {...checked('consent_required')} />
            {source.consent_version !== null && (
              <p className={css.hint}>
                {isNew
                  ? `Saving this text makes it version ${source.consent_version + 1}.`
                  : `This is version ${source.consent_version}.`}
              </p>
            )}
          </>
        )}
        {source.consent_version !== null && <ConsentVersions id={source.id} />}
      </div>
    </Part>
  )
}

function ConsentVersions({ id }: { id: string }) {
  const { data = [] } = useQuery(consentTextsQuery(id))
  if (data.length < 2) return null
  return (
    <details className={css.versions}>
      <summary>All {data.length} versions</summary>
      <ol reversed>
        {data.map(({ version, text, created_at, created_by_name }) => (
          <li key={version}>
            <strong>Version {version}</strong>
            <span>
              {asDay(created_at)}
              {created_by_name && `, ${created_by_name}`}
            </span>
            <p dir="auto">{text}</p>
          </li>
        ))}
      </ol>
    </details>
  )
}

/** Empty texts are those of the language, which the placeholders show. */
function AfterSending({ of: { values, change, text, errors }, id }: PartProps & { id: string }) {
  const { language } = values
  const { data } = useQuery(previewQuery(id, { language, submit_label: '', thank_you: '' }))
  return (
    <Part title="After submitting">
      <div className={css.fields}>
        <TextInput label="Button text" placeholder={data?.texts.submit} autoComplete="off" {...text('submit_label')} />
        <Input.Wrapper label="After submitting" labelElement="div">
          <SegmentedControl
            aria-label="After submitting"
            fullWidth
            data={[
              { value: 'text', label: 'Show a message' },
              { value: 'redirect', label: 'Open a page' },
            ]}
            value={values.after}
            onChange={(after) => change({ after: after as FormDraft['after'] })}
          />
        </Input.Wrapper>
        {values.after === 'text' ? (
          <Textarea
            label="Thank-you text"
            placeholder={data?.texts.thank_you}
            autosize
            minRows={2}
            {...text('thank_you')}
          />
        ) : (
          <>
            <TextInput
              label="Page URL"
              type="url"
              placeholder="https://www.example.com/thank-you"
              spellCheck={false}
              autoComplete="off"
              {...text('redirect_url')}
            />
            <TagsInput
              label="Allowed URLs"
              description="A form can only open these pages. Saving adds the URL above."
              value={values.redirect_urls}
              error={errorUnder(errors, 'redirect_urls')}
              onChange={(redirect_urls) => change({ redirect_urls })}
            />
          </>
        )}
      </div>
    </Part>
  )
}

const fonts = [
  { value: 'site', label: 'Font of the website' },
  { value: 'system', label: 'Font of the device' },
  { value: 'serif', label: 'Serif' },
]
const accents = ['#2563eb', '#176b4c', '#7c3aed', '#be185d', '#c2410c', '#0f766e', '#111827']

const Look = ({ of: { choice, text, number, errors } }: PartProps) => (
  <Part title="Look" about="Your site’s CSS overrides these settings.">
    <div className={css.pair}>
      <ColorInput
        label="Accent color"
        format="hex"
        withEyeDropper={false}
        swatches={accents}
        popoverProps={{ position: 'top-start' }}
        onKeyDown={({ key, currentTarget }) => key === 'Escape' && currentTarget.blur()}
        {...text('accent')}
        error={errors['look.accent']}
      />
      <NumberField
        label="Corners"
        unit="px"
        min={0}
        max={24}
        isWhole
        {...number('corners')}
        error={errors['look.corners']}
      />
      <Select label="Font" data={fonts} {...choice('font')} />
    </div>
  </Part>
)
