// What visitors of websites call. Every answer depends only on the form and on what they sent.
import { createHash } from 'node:crypto'
import type { leadForms } from '../../../contract/lead-forms.ts'
import type { PageAnswer } from '../../../contract/operation.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Context } from '../../kernel/context.ts'
import { escapeHtml } from '../../kernel/html.ts'
import type { Handlers } from '../../kernel/run.ts'
import type { Vault } from '../../platform/vault.ts'
import { formIdOf } from '../../website/public-id.ts'
import { challengeFor } from '../../website/puzzle.ts'
import { newFormToken, type TokenFault } from '../../website/visitor-token.ts'
import { websiteScript } from '../../website/website-script.ts'
import { accept, type Form, findForm, type Sent } from './accept-submission.ts'
import { confirm, findUnconfirmed } from './confirm.ts'
import { fieldsOf, honeypotOf, publicForm } from './form.ts'
import { hiddenInput, plainForm, stylesOf } from './form-html.ts'
import { textsIn } from './form-texts.ts'
import type { SourceRow } from './source.ts'
import type { Rates } from './spam.ts'

const script = websiteScript('form-element.js')
const scriptPath = '/public/forms/script'
const scriptSeconds = 3600
const minuteSeconds = 60
const yearSeconds = 365 * 86_400

type Services = { baseUrl: URL; vault: Vault; formRates: Rates }

export const formOperations = ({ baseUrl, vault, formRates }: Services): Handlers<typeof leadForms> => {
  const services = { baseUrl, vault, rates: formRates }
  const find = (context: Context, form_id: string) => findForm(context, form_id, baseUrl)

  return {
    async getFormScript() {
      const type = 'text/javascript; charset=utf-8'
      return {
        name: 'kith-form.js',
        type,
        content: script,
        size: script.length,
        isShown: true,
        cacheSeconds: scriptSeconds,
      }
    },

    async getForm(context, { form_id }) {
      const { source, schema } = await find(context, form_id)
      return publicForm(schema, source, newFormToken(vault, source.id, context.now).text)
    },

    submitForm: {
      atOnce: true,
      async handle(context, sent) {
        const form = await find(context, sent.form_id)
        const accepted = await accept(context, form, sent, 'script', services)
        const { language, thank_you, redirect_url } = form.source.settings
        if (accepted.kind === 'suspicious') {
          const challenge = await challengeFor(accepted.token, context.now)
          return { state: 'challenge', challenge, token: accepted.token.text, thank_you: '', redirect_url: null }
        }
        const words = thank_you || textsIn(language).thank_you
        return { state: 'accepted', challenge: null, token: null, thank_you: words, redirect_url }
      },
    },

    async getFormStyles(context, { form_id, look }) {
      const { source } = await findForm(context, form_id, baseUrl, true)
      const content = Buffer.from(stylesOf(source.settings.look))
      const cacheSeconds = look === lookOf(source) ? yearSeconds : minuteSeconds
      return {
        name: 'form.css',
        type: 'text/css; charset=utf-8',
        content,
        size: content.length,
        isShown: true,
        cacheSeconds,
      }
    },

    async getFormPage(context, { form_id, ...campaign }) {
      const form = await findForm(context, form_id, baseUrl, true)
      const { is_active, settings, name } = form.source
      if (!is_active)
        return {
          ...framed(form),
          title: settings.title || name,
          html: `<p>${escapeHtml(textsIn(settings.language).closed)}</p>`,
        }
      const page = new URL(actionOf(form.source), baseUrl)
      for (const [name, value] of Object.entries(campaign)) if (value) page.searchParams.set(name, value)
      return formPage(form, newFormToken(vault, form.source.id, context.now).text, { page: page.href })
    },

    sendFormPage: {
      atOnce: true,
      async handle(context, sent) {
        const form = await find(context, sent.form_id)
        const isOurs = sent.kith_token !== undefined
        try {
          const accepted = await accept(context, form, sent, isOurs ? 'page' : 'html', services)
          return accepted.kind === 'accepted'
            ? { ...empty, redirect: nextPage(form) }
            : askingPage(form, sent, context, accepted.token.fault)
        } catch (error) {
          if (!(error instanceof AppError) || error.code !== 'invalid_input') throw error
          const errors = (error.more.errors ?? []).map(({ path, message }) => [path.replace('values.', ''), message])
          return formPage(form, newFormToken(vault, form.source.id, context.now).text, {
            page: sent.kith_page,
            values: sent.values,
            errors: Object.fromEntries(errors),
          })
        }
      },
    },

    async getThankYouPage(context, { form_id }) {
      const { source } = await find(context, form_id)
      const { language, thank_you, title, allowed_origins } = source.settings
      const words = thank_you || textsIn(language).thank_you
      const html = `<p>${escapeHtml(words).replaceAll('\n', '<br>')}</p>`
      return { title: title || source.name, html, language, frameAncestors: framesOf(allowed_origins) }
    },

    async getConfirmationPage(context, { token }) {
      const { texts, language } = await findUnconfirmed(context, vault, token)
      return {
        title: texts.opt_in_title,
        language,
        html: `<p>${escapeHtml(texts.opt_in_text)}</p>\n<form method="post"><button type="submit">${escapeHtml(texts.opt_in_button)}</button></form>`,
      }
    },

    async confirmSubmission(context, { token }) {
      const found = await findUnconfirmed(context, vault, token)
      await confirm(context, found)
      const { texts, language } = found
      return { title: texts.opt_in_title, language, html: `<p>${escapeHtml(texts.opt_in_done)}</p>` }
    },
  }

  function nextPage({ source }: Form) {
    const { redirect_url } = source.settings
    return redirect_url ?? `/public/forms/${formIdOf(source.company_id, source.id)}/thank-you`
  }

  /** Without a script, a second button takes the place of the puzzle. */
  function askingPage(form: Form, sent: Sent, context: Context, fault: TokenFault | null): PageAnswer {
    const { source } = form
    const { language, submit_label } = source.settings
    const texts = textsIn(language)
    const { form_id: _, values, kith_token: __, ...rest } = sent
    const token = newFormToken(vault, source.id, context.now, { isConfirmed: true, fault }).text
    const inputs = Object.entries({ ...values, ...rest, kith_token: token }).flatMap(([name, value]) =>
      [value].flat().map((text) => hiddenInput(name, String(text))),
    )
    return {
      ...framed(form),
      title: texts.confirm_title,
      html: `<p>${escapeHtml(texts.confirm_text)}</p>\n<form method="post" action="${actionOf(source)}">${inputs.join('')}<button type="submit">${escapeHtml(submit_label || texts.submit)}</button></form>`,
    }
  }

  function formPage(
    form: Form,
    token: string,
    entered: Pick<Parameters<typeof plainForm>[0], 'values' | 'errors' | 'page'> = {},
  ): PageAnswer {
    const { source, schema } = form
    const { settings, consent_version: version } = source
    const { title, intro } = settings
    const plain = plainForm({
      action: actionOf(source),
      fields: fieldsOf(schema, settings),
      settings,
      version,
      token,
      honeypot: honeypotOf(source.id),
      ...entered,
    })
    const above = intro ? `<p>${escapeHtml(intro).replaceAll('\n', '<br>')}</p>\n` : ''
    // With a script, the element replaces the plain form, unless it shows what has to be corrected.
    const form_id = formIdOf(source.company_id, source.id)
    const html = entered.errors ? above + plain : `${above}<kith-form form="${form_id}" bare>${plain}</kith-form>`
    return {
      ...framed(form),
      title: title || source.name,
      html,
      ...(!entered.errors && { script: scriptPath }),
    }
  }
}

const empty = { title: '', html: '' }
const actionOf = ({ company_id, id }: SourceRow) => `/public/forms/${formIdOf(company_id, id)}`

/** In the address of the styles, so that browsers may keep them until they change. */
const lookOf = ({ settings }: SourceRow) =>
  createHash('sha256').update(stylesOf(settings.look)).digest('base64url').slice(0, 12)

/** An earlier version stored wildcards, which only this header understands. */
const framesOf = (origins: string[]) => ["'self'", ...origins.filter((origin) => !origin.includes('*'))]

function framed({ source }: Form) {
  const { language, allowed_origins, redirect_url } = source.settings
  const formTargets = redirect_url ? [new URL(redirect_url).origin] : []
  const styles = `${actionOf(source)}/styles?look=${lookOf(source)}`
  return { styles, language, frameAncestors: framesOf(allowed_origins), formTargets }
}
