// <kith-form form="ID">: a form on any website. In light DOM, so that the site's styles apply. Needs only script-src and
// connect-src of the server it comes from: no inline styles, no eval, no workers, no cookies.
;(() => {
  if (customElements.get('kith-form')) return
  const home = new URL('../', /** @type {HTMLScriptElement} */ (document.currentScript).src)
  const mostRetries = 6

  const css = `@layer kith {
kith-form { display: block; --kith-accent: #2563eb; --kith-corners: 8px; }
kith-form form { display: grid; gap: 1rem; }
kith-form [hidden] { display: none !important; }
kith-form .kith-step { display: grid; gap: 1rem; border: 0; margin: 0; padding: 0; min-width: 0; }
kith-form .kith-field { display: grid; gap: .35rem; margin: 0; border: 0; padding: 0; min-width: 0; }
kith-form .kith-check { display: flex; gap: .6rem; align-items: flex-start; padding: .25rem 0; font-weight: normal; }
kith-form .kith-check input { flex: none; width: 1.25rem; height: 1.25rem; margin: .15rem 0 0; accent-color: var(--kith-accent); }
kith-form label, kith-form legend { font-weight: 600; padding: 0; }
kith-form input:not([type=checkbox]), kith-form select, kith-form textarea { box-sizing: border-box; width: 100%; min-height: 2.75rem;
  font: inherit; font-size: max(1em, 16px); font-weight: normal; background: Field; color: FieldText;
  padding: .55rem .75rem; border: 1px solid color-mix(in srgb, currentColor 45%, transparent); border-radius: var(--kith-corners); }
kith-form textarea { min-height: 7rem; resize: vertical; }
kith-form :is(input, select, textarea, button):focus-visible { outline: 2px solid var(--kith-accent); outline-offset: 2px; }
kith-form [aria-invalid=true] { border-color: light-dark(#c81e1e, #ff8080); }
kith-form .kith-error { color: light-dark(#c81e1e, #ff8080); font-weight: normal; }
kith-form small, kith-form .kith-progress { opacity: .8; font-weight: normal; }
kith-form .kith-buttons { display: flex; gap: .75rem; align-items: center; flex-wrap: wrap; }
kith-form button { font: inherit; font-weight: 600; min-height: 2.75rem; padding: .55rem 1.25rem; cursor: pointer;
  border: 1px solid var(--kith-accent); border-radius: var(--kith-corners); background: transparent; color: inherit; }
kith-form button[type=submit] { background: var(--kith-accent); color: var(--kith-on-accent, #fff); }
kith-form button[disabled] { opacity: .6; cursor: default; }
kith-form .kith-extra { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
kith-form h2, kith-form h3, kith-form p { margin: 0; }
}`

  let styled = false
  function addStyles() {
    if (styled) return
    styled = true
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  }

  /**
   * @template {keyof HTMLElementTagNameMap} Name
   * @param {Name} name
   * @param {Record<string, string | boolean | null | undefined>} [props]
   * @param {(Node | string | false | null | undefined)[]} children
   */
  function el(name, props = {}, ...children) {
    const element = document.createElement(name)
    for (const [key, value] of Object.entries(props))
      if (value === true) element.setAttribute(key, '')
      else if (value !== false && value !== undefined && value !== '') element.setAttribute(key, String(value))
    for (const child of children) if (child) element.append(child)
    return element
  }

  let count = 0
  class KithForm extends HTMLElement {
    /** @type {import('./types.ts').Form} */
    form
    /** @type {number} */
    step
    /** @type {string} */
    token
    /** @type {HTMLElement[]} */
    steps
    /** @type {HTMLFormElement} */
    element
    /** @type {HTMLElement} */
    progress
    /** @type {HTMLElement} */
    message
    /** @type {HTMLElement} */
    status
    /** @type {HTMLButtonElement} */
    back
    /** @type {HTMLButtonElement} */
    send

    connectedCallback() {
      if (this.started) return
      this.started = true
      // With the attribute preview, the builder shows drafts in it, and nothing is sent.
      if (this.hasAttribute('preview')) return
      rememberFirstPage(this)
      this.load()
    }

    async load() {
      try {
        const answer = await fetch(this.url('/description'), { credentials: 'omit' })
        if (!answer.ok) throw new Error(String(answer.status))
        this.show(await answer.json())
      } catch {
        // What the page shows without a script stays, and so does a way to reach the form.
        // biome-ignore lint/suspicious/noConsole: the developers of the site look there
        console.warn(
          `kith-form: could not load. Is the form active, and ${location.origin} one of its allowed origins?`,
        )
        this.tell('kith-failed')
      }
    }

    /**
     * Returns false if the page cancelled the event.
     * @param {string} type
     */
    tell(type) {
      return this.dispatchEvent(new CustomEvent(type, { bubbles: true, cancelable: true }))
    }

    /** @param {string} path */
    url(path) {
      return new URL(`forms/${encodeURIComponent(String(this.getAttribute('form')))}${path}`, home)
    }

    /** @param {import('./types.ts').Form} form */
    show(form) {
      addStyles()
      this.form = form
      this.step = 0
      this.token = form.token
      const numbers = [...new Set(form.fields.filter(({ type }) => type !== 'hidden').map(({ step }) => step))].sort(
        (a, b) => a - b,
      )
      this.id_ = `kith-${++count}`
      this.steps = numbers.map((number, i) => {
        const title = form.step_titles[number - 1]
        const fields = form.fields.filter((field) => field.step === number && field.type !== 'hidden')
        const heading = numbers.length > 1 && title ? el('h3', {}, title) : undefined
        return el('div', { class: 'kith-step', hidden: i > 0 }, heading, ...fields.map((field) => this.row(field)))
      })
      const hidden = form.fields.filter(({ type }) => type === 'hidden')
      this.steps.at(-1)?.append(...this.consent())
      this.progress = el('p', { class: 'kith-progress', 'aria-live': 'polite', hidden: numbers.length < 2 })
      this.message = el('p', { class: 'kith-error', role: 'alert', hidden: true })
      this.status = el('p', { 'aria-live': 'polite', hidden: true })
      this.back = el('button', { type: 'button' }, form.texts.back)
      this.send = el('button', { type: 'submit' }, form.texts.submit)
      const inputs = hidden.map(({ name, value }) =>
        el('input', { type: 'hidden', name, value: this.dataset[name] ?? value }),
      )
      this.element = el(
        'form',
        { novalidate: true, lang: form.language },
        !this.hasAttribute('bare') && form.title && el('h2', {}, form.title),
        !this.hasAttribute('bare') && form.intro && el('p', {}, form.intro),
        this.progress,
        ...inputs,
        ...this.steps,
        this.trap(),
        this.message,
        this.status,
        el('div', { class: 'kith-buttons' }, this.back, this.send),
      )
      this.look(form.look)
      this.back.addEventListener('click', () => this.go(this.step - 1))
      this.element.addEventListener('submit', (event) => {
        event.preventDefault()
        this.next()
      })
      this.replaceChildren(this.element)
      this.go(0, true)
      this.tell('kith-ready')
    }

    /**
     * Set by script, which a policy on styles does not forbid.
     * @param {import('./types.ts').Form['look']} look
     */
    look({ accent, corners, font }) {
      this.style.setProperty('--kith-accent', accent)
      this.style.setProperty('--kith-corners', `${corners}px`)
      this.style.setProperty('--kith-on-accent', isLight(accent) ? '#111' : '#fff')
      if (font !== 'site') this.style.fontFamily = font === 'serif' ? 'Georgia, serif' : 'system-ui, sans-serif'
    }

    /** @param {import('./types.ts').Field} field */
    row(field) {
      const { name, type, label, help, is_required, value, placeholder, autocomplete, choices } = field
      const id = `${this.id_}-${name}`
      const described = `${help ? `${id}-help ` : ''}${id}-error`
      const common = { id, name, 'aria-describedby': described, 'aria-required': is_required ? 'true' : undefined }
      const star = is_required ? el('span', { 'aria-hidden': 'true' }, ' *') : ''
      const below = [
        help && el('small', { id: `${id}-help` }, help),
        el('span', { id: `${id}-error`, class: 'kith-error', hidden: true }),
      ]
      if (type === 'checkbox') {
        const box = el('input', { ...common, type, value: 'true', checked: value === 'true' })
        return el(
          'div',
          { class: 'kith-field' },
          el('label', { class: 'kith-check', for: id }, box, el('span', {}, label, star)),
          ...below,
        )
      }
      if (type === 'multiselect') {
        const boxes = choices.map((choice, i) => {
          const box = el('input', { type: 'checkbox', name, value: choice.value, id: i ? `${id}-${i}` : id })
          return el('label', { class: 'kith-check' }, box, el('span', {}, choice.label))
        })
        return el(
          'fieldset',
          { class: 'kith-field', 'aria-describedby': described },
          el('legend', {}, label, star),
          ...boxes,
          ...below,
        )
      }
      const input =
        type === 'textarea'
          ? el('textarea', { ...common, rows: '4', placeholder }, value)
          : type === 'select'
            ? el(
                'select',
                common,
                el('option', { value: '' }, this.form.texts.choose),
                ...choices.map((choice) =>
                  el('option', { value: choice.value, selected: choice.value === value }, choice.label),
                ),
              )
            : el('input', {
                ...common,
                type,
                value,
                placeholder,
                autocomplete,
                step: type === 'number' ? 'any' : undefined,
              })
      return el('div', { class: 'kith-field' }, el('label', { for: id }, label, star), input, ...below)
    }

    consent() {
      const { consent } = this.form
      if (!consent) return []
      const id = `${this.id_}-kith_consent`
      const box = el('input', {
        type: 'checkbox',
        id,
        name: 'kith_consent',
        value: String(consent.version),
        'aria-describedby': `${id}-error`,
      })
      const text = el('span')
      // The server made this of plain text and links.
      text.innerHTML = consent.html
      if (consent.is_required) text.append(el('span', { 'aria-hidden': 'true' }, ' *'))
      return [
        el(
          'div',
          { class: 'kith-field' },
          el('label', { class: 'kith-check', for: id }, box, text),
          el('span', { id: `${id}-error`, class: 'kith-error', hidden: true }),
        ),
      ]
    }

    trap() {
      const input = {
        name: this.form.honeypot,
        tabindex: '-1',
        autocomplete: 'off',
        'data-1p-ignore': true,
        'data-lpignore': 'true',
        'data-bwignore': true,
        'data-form-type': 'other',
      }
      return el(
        'div',
        { class: 'kith-extra', 'aria-hidden': 'true' },
        el('label', {}, this.form.texts.leave_empty, el('input', input)),
      )
    }

    /**
     * @param {number} step
     * @param {boolean} [isFirst]
     */
    go(step, isFirst) {
      this.step = step
      for (const [i, section] of this.steps.entries()) section.hidden = i !== step
      const { texts } = this.form
      const isLast = step >= this.steps.length - 1
      this.back.hidden = step === 0
      this.send.textContent = isLast ? texts.submit : texts.next
      this.progress.textContent = texts.step.replace('{n}', step + 1).replace('{count}', this.steps.length)
      /** @type {HTMLElement | null} */
      const first = this.steps[step].querySelector('input, select, textarea')
      if (!isFirst) first?.focus()
    }

    next() {
      // Those who try out a draft do not have to fill it in.
      const faults = this.hasAttribute('preview') ? [] : this.faults(this.steps[this.step])
      this.explain(faults)
      if (faults.length) return
      if (this.step < this.steps.length - 1) this.go(this.step + 1)
      else this.submit()
    }

    /**
     * @param {Element} section
     * @returns {[name: string, text: string][]}
     */
    faults(section) {
      const { texts, fields, consent } = this.form
      /** @type {[name: string, text: string][]} */
      const found = []
      for (const { name, type, is_required } of fields) {
        /** @type {NodeListOf<HTMLInputElement>} */
        const named = section.querySelectorAll(`[name="${CSS.escape(name)}"]`)
        const inputs = [...named]
        if (!inputs.length || type === 'hidden') continue
        const isEmpty = inputs.every((input) => (input.type === 'checkbox' ? !input.checked : !input.value.trim()))
        if (isEmpty && is_required) found.push([name, texts.required])
        else if (!isEmpty && type === 'email' && !/^\S+@\S+\.\S+$/.test(inputs[0].value.trim()))
          found.push([name, texts.email])
      }
      /** @type {HTMLInputElement | null} */
      const box = section.querySelector('[name=kith_consent]')
      if (box && consent?.is_required && !box.checked) found.push(['kith_consent', texts.agree])
      return found
    }

    /** @param {[name: string, text: string][]} faults */
    explain(faults) {
      /** @type {NodeListOf<HTMLElement>} */
      const errors = this.querySelectorAll('.kith-field .kith-error')
      for (const error of errors) error.hidden = true
      for (const input of this.querySelectorAll('[aria-invalid]')) input.removeAttribute('aria-invalid')
      this.message.hidden = true
      const names = faults.map(([name]) => name)
      for (const [name, text] of faults) {
        const error = document.getElementById(`${this.id_}-${name}-error`)
        if (error) Object.assign(error, { textContent: text, hidden: false })
        const input = this.element.elements.namedItem(name)
        if (input instanceof Element) input.setAttribute('aria-invalid', 'true')
      }
      const step = this.steps.findIndex((section) =>
        names.some((name) => section.querySelector(`[name="${CSS.escape(name)}"]`)),
      )
      if (step >= 0 && step !== this.step) this.go(step)
      if (names[0]) document.getElementById(`${this.id_}-${names[0]}`)?.focus()
    }

    /** @param {string} text */
    say(text) {
      Object.assign(this.status, { textContent: text, hidden: !text })
    }

    /** What was typed stays in the form until the server has it. The same token makes sending again safe. */
    async submit() {
      const { texts } = this.form
      if (this.hasAttribute('preview')) return this.finish({ thank_you: texts.thank_you })
      this.send.disabled = true
      this.say(texts.sending)
      const body = new URLSearchParams()
      for (const [name, value] of new FormData(this.element)) body.append(name, String(value))
      body.set('kith_page', location.href.slice(0, 2000))
      if (document.referrer) body.set('kith_referrer', document.referrer.slice(0, 2000))
      const first = firstPage(this)
      if (first) body.set('kith_first_page', first)
      try {
        await this.deliver(body)
      } catch (caught) {
        const error = /** @type {import('./types.ts').Refused} */ (caught)
        this.say('')
        Object.assign(this.message, { textContent: error.words ?? texts.failed, hidden: false })
        this.tell('kith-failed')
      }
      this.send.disabled = false
    }

    /**
     * @param {URLSearchParams} body
     * @returns {Promise<void>}
     */
    async deliver(body, retries = 0) {
      const { texts } = this.form
      body.set('kith_token', this.token)
      const answer = await fetch(this.url('/submissions'), { method: 'POST', body, credentials: 'omit' }).catch(
        () => undefined,
      )
      const isBusy = !answer || answer.status === 409 || answer.status === 429 || answer.status >= 500
      if (isBusy) {
        if (retries >= mostRetries) throw new Error('not sent')
        this.say(texts.retrying)
        const wait = Number(answer?.headers.get('retry-after')) || Math.min(30, 2 ** retries)
        await new Promise((done) => setTimeout(done, wait * 1000))
        return this.deliver(body, retries + 1)
      }
      const result = await answer.json()
      if (answer.status === 422) {
        this.say('')
        /** @type {{ path: string, message: string }[]} */
        const errors = result.errors ?? []
        return this.explain(errors.map(({ path, message }) => [path.replace('values.', ''), message]))
      }
      if (!answer.ok) throw Object.assign(new Error('refused'), { words: result.detail })
      if (result.state === 'accepted') return this.finish(result)
      if (retries >= mostRetries) throw new Error('not sent')
      this.say(texts.checking)
      this.token = result.token
      body.set('kith_work', await solve(result.challenge))
      return this.deliver(body, retries + 1)
    }

    /** @param {{ thank_you: string, redirect_url?: string | null }} answer */
    finish({ thank_you, redirect_url }) {
      const isHandled = !this.tell('kith-sent')
      if (redirect_url && !isHandled) return void location.assign(redirect_url)
      const words = el('p', { role: 'status', tabindex: '-1', class: 'kith-thanks' }, thank_you)
      this.replaceChildren(words)
      words.focus()
    }
  }

  /** @param {string} color */
  function isLight(color) {
    const [r = 0, g = 0, b = 0] = [1, 3, 5]
      .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
      .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.18
  }

  // Only if the page asks for it, because it stores something on the device.
  const key = 'kith-first-page'
  /** @param {Element} element */
  function rememberFirstPage(element) {
    try {
      if (element.hasAttribute('first-page') && !sessionStorage.getItem(key))
        sessionStorage.setItem(key, location.href.slice(0, 2000))
    } catch {}
  }
  /** @param {Element} element */
  function firstPage(element) {
    try {
      return element.hasAttribute('first-page') ? sessionStorage.getItem(key) : null
    } catch {
      return null
    }
  }

  // proof-of-work.js

  customElements.define('kith-form', KithForm)
})()
