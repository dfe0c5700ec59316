// <script src=".../public/chat/script" data-chat="ID" async>: a chat on any website, in a shadow root. Needs only script-src
// and connect-src of the server it comes from: no inline styles, no eval, no cookies, nothing from others.
;(() => {
  if (customElements.get('kith-chat')) return
  const tag = /** @type {HTMLScriptElement} */ (document.currentScript)
  const home = new URL('../', tag.src)

  const css = `
:host { all: initial; position: fixed; right: 1rem; bottom: 1rem; z-index: 2147483000; color-scheme: light dark;
  font: 16px/1.45 system-ui, sans-serif; --accent: #2563eb; --on: #fff; --line: light-dark(#d4d4d8, #3f3f46);
  --back: light-dark(#fff, #18181b); --text: light-dark(#18181b, #f4f4f5); --soft: light-dark(#f4f4f5, #27272a);
  --dim: light-dark(#52525b, #a1a1aa); }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
button, input, textarea { font: inherit; color: inherit; }
button { cursor: pointer; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.bubble { position: relative; width: 56px; height: 56px; border: 0; border-radius: 50%; background: var(--accent);
  color: var(--on); box-shadow: 0 4px 16px rgb(0 0 0 / .3); display: grid; place-items: center; margin-left: auto; }
.bubble svg { width: 28px; height: 28px; }
.badge { position: absolute; top: -4px; right: -4px; min-width: 22px; height: 22px; padding: 0 6px; border-radius: 11px;
  background: #b91c1c; color: #fff; font-size: 13px; font-weight: 700; line-height: 22px; text-align: center; }
.panel { display: flex; flex-direction: column; width: 380px; height: min(600px, calc(100dvh - 6.5rem)); margin-bottom: .75rem;
  background: var(--back); color: var(--text); border: 1px solid var(--line); border-radius: 14px; overflow: hidden;
  box-shadow: 0 8px 40px rgb(0 0 0 / .25); }
header { display: flex; align-items: center; gap: .5rem; padding: .75rem .75rem .75rem 1rem; background: var(--accent); color: var(--on); }
h2 { flex: 1; margin: 0; font-size: 1.05rem; }
header button { width: 44px; height: 44px; border: 0; border-radius: 8px; background: none; font-size: 1.4rem; line-height: 1; }
header :focus-visible { outline-color: var(--on); outline-offset: -3px; }
.log { flex: 1; overflow-y: auto; padding: 1rem; display: flex; flex-direction: column; gap: .5rem; overscroll-behavior: contain; }
.log p { margin: 0; padding: .5rem .8rem; border-radius: 14px; max-width: 85%; white-space: pre-wrap; overflow-wrap: anywhere; }
.team { align-self: flex-start; background: var(--soft); }
.visitor { align-self: flex-end; background: var(--accent); color: var(--on); }
.log .hint, .log .note { color: var(--dim); font-size: .875rem; padding: 0; max-width: 100%; }
.log .note { align-self: flex-end; }
.log a { color: inherit; text-decoration: underline; }
.who { display: block; font-size: .8rem; color: var(--dim); }
.status { min-height: 1.5rem; margin: 0; padding: 0 1rem; color: var(--dim); font-size: .875rem; }
form { display: grid; gap: .5rem; padding: .75rem; border-top: 1px solid var(--line); }
label { display: grid; gap: .25rem; font-size: .875rem; }
input, textarea { width: 100%; min-height: 44px; padding: .55rem .7rem; background: var(--back); border: 1px solid light-dark(#71717a, #a1a1aa);
  border-radius: 10px; font-size: 16px; }
textarea { resize: none; height: 44px; max-height: 140px; }
.row { display: flex; gap: .5rem; align-items: end; }
.row label { flex: 1; }
.send { min-height: 44px; padding: 0 1rem; border: 0; border-radius: 10px; background: var(--accent); color: var(--on); font-weight: 600; }
.error { margin: 0; color: light-dark(#b91c1c, #fca5a5); font-size: .875rem; }
.hide { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (max-width: 480px) {
  :host([open]) { inset: 0; }
  :host([open]) .panel { width: 100%; height: 100dvh; margin: 0; border: 0; border-radius: 0; }
  :host([open]) .bubble { display: none; }
}`

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
      else if (value !== false && value !== undefined) element.setAttribute(key, String(value))
    for (const child of children) if (child) element.append(child)
    return element
  }
  function icon() {
    const space = 'http://www.w3.org/2000/svg'
    const svg = document.createElementNS(space, 'svg')
    for (const [key, value] of Object.entries({ viewBox: '0 0 24 24', fill: 'currentColor', 'aria-hidden': 'true' }))
      svg.setAttribute(key, value)
    const path = document.createElementNS(space, 'path')
    path.setAttribute('d', 'M4 3h16a2 2 0 0 1 2 2v11a2 2 0 0 1-2 2H9l-5 4v-4a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2Z')
    svg.append(path)
    return svg
  }
  /**
   * Text with its http and https addresses as links. Everything else stays text.
   * @param {string} text
   * @returns {(Node | string)[]}
   */
  const linked = (text) =>
    text.split(/(https?:\/\/[^\s<>"]+)/i).flatMap((part, i) => {
      if (i % 2 === 0) return part
      // What ends a sentence or closes a bracket around it is no part of the address.
      let url = part
      while (/[.,;:!?'\]}]$/.test(url) || (url.endsWith(')') && url.split(')').length > url.split('(').length))
        url = url.slice(0, -1)
      if (!URL.canParse(url)) return part
      const link = el('a', { href: url, target: '_blank', rel: 'noopener noreferrer nofollow' }, url)
      return [link, part.slice(url.length)]
    })
  /** @param {string} words */
  // biome-ignore lint/suspicious/noConsole: the developers of the site look there
  const warn = (words) => console.warn(`kith-chat: ${words}`)
  /** @param {number} ms */
  const pause = (ms) => new Promise((done) => setTimeout(done, ms))
  const newId = () =>
    Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, '0')).join('')

  const sample = {
    open: 'Open chat',
    close: 'Close chat',
    message: 'Message',
    placeholder: 'Write a message…',
    send: 'Send',
    email: 'Email address',
    log: 'Messages',
    team: 'Team',
    you: 'You',
    sending: '',
    unread: '',
  }

  class KithChat extends HTMLElement {
    /** @type {string} */
    chat
    /** @type {string} */
    key
    /** @type {import('./types.ts').Kept} */
    kept
    /** @type {import('./types.ts').Opened['texts']} */
    texts
    /** @type {import('./types.ts').State | undefined} */
    state
    /** @type {CSSStyleSheet} */
    look
    /** @type {HTMLElement} */
    panel
    /** @type {HTMLButtonElement} */
    bubble
    /** @type {HTMLElement} */
    badge
    /** @type {HTMLElement} */
    log
    /** @type {HTMLElement} */
    status
    /** @type {HTMLElement} */
    error
    /** @type {HTMLInputElement} */
    email
    /** @type {HTMLElement} */
    emailRow
    /** @type {HTMLTextAreaElement} */
    text
    /** @type {HTMLInputElement} */
    trap
    /** @type {string | undefined} */
    drawn
    /** @type {import('./types.ts').Message[]} */
    messages = []
    /** @type {string[]} */
    intro = []

    connectedCallback() {
      if (this.started) return
      this.started = true
      // In the settings, drafts are shown in it, and nothing is sent.
      if (this.hasAttribute('preview')) {
        this.kept = { open: true, queue: [] }
        this.keep = () => {}
        return
      }
      this.chat = this.getAttribute('chat') ?? ''
      this.key = `kith-chat ${this.chat}`
      // Kept for the next page of the visit: the token, messages that were not sent yet, and whether it is open.
      this.kept = this.read()
      this.begin()
    }
    disconnectedCallback() {
      this.stopped = true
    }

    /** @param {Pick<import('./types.ts').Opened, 'name' | 'greeting' | 'consent' | 'accent' | 'language'>} look */
    preview(look) {
      if (!this.shadowRoot) this.show({ ...look, texts: sample })
      this.restyle(look.accent)
      const heading = this.panel.querySelector('h2')
      if (heading) heading.textContent = look.name
      this.intro = [look.greeting, look.consent].filter(Boolean)
      this.call = async () => ({})
      this.take({
        cursor: '',
        messages: [],
        is_open: true,
        is_typing: false,
        needs_email: false,
        seen_at: null,
        wait: 0,
      })
    }

    /** @param {string} accent */
    restyle(accent) {
      this.look.replaceSync(`:host { --accent: ${accent}; --on: ${isLight(accent) ? '#000' : '#fff'}; }`)
    }

    /** @returns {import('./types.ts').Kept} */
    read() {
      try {
        return { queue: [], ...JSON.parse(localStorage.getItem(this.key) ?? '{}') }
      } catch {
        return { queue: [] }
      }
    }
    keep() {
      try {
        localStorage.setItem(this.key, JSON.stringify(this.kept))
      } catch {}
    }

    /**
     * @param {string} path
     * @param {object} values
     * @returns {Promise<any>}
     */
    async call(path, values) {
      const body = new URLSearchParams()
      for (const [name, value] of Object.entries(values)) if (value) body.set(name, value)
      const url = new URL(`chats/${encodeURIComponent(this.chat)}/${path}`, home)
      const answer = await fetch(url, { method: 'POST', body, credentials: 'omit' })
      const result = await answer.json()
      if (answer.ok) return result
      const wait = Number(answer.headers.get('retry-after')) || 0
      throw Object.assign(new Error(result.detail), { status: answer.status, wait })
    }

    async begin() {
      const { userId: user_id, email, name, signature } = this.dataset
      /** @type {DOMStringMap} */
      let identity = { user_id, email, name, signature }
      for (let attempt = 0; !this.stopped; attempt++) {
        try {
          const opened = await this.call('opening', { visitor: this.kept.visitor, ...identity })
          this.kept.visitor = opened.visitor
          this.kept.proved ||= Boolean(identity.signature)
          this.keep()
          this.show(opened)
          this.take(opened.state)
          this.flush()
          return this.follow()
        } catch (caught) {
          const error = /** @type {import('./types.ts').Refused} */ (caught)
          if (error.status === 422 && Object.values(identity).some(Boolean)) {
            warn(`${error.message} The chat goes on as an unknown visitor. See "Who writes" in docs/website-chat.md.`)
            identity = {}
            // Whoever this is has not shown that the conversation of a user is theirs.
            if (this.kept.proved) this.kept = { open: this.kept.open, queue: [] }
            continue
          }
          if (error.status && error.status < 500 && error.status !== 429) {
            warn(`could not open. ${error.message}`)
            return
          }
          // A page cannot read why it was refused.
          if (!error.status && !attempt)
            warn(`could not open. Check the ID in data-chat, and that ${location.origin} is one of its allowed sites.`)
          await pause(Math.min(60, 2 ** attempt) * 1000)
        }
      }
    }

    /** @param {Pick<import('./types.ts').Opened, 'name' | 'greeting' | 'consent' | 'accent' | 'language' | 'texts'>} opened */
    show({ name, greeting, consent, accent, language, texts }) {
      this.texts = texts
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(css)
      this.look = new CSSStyleSheet()
      this.restyle(accent)
      const root = this.attachShadow({ mode: 'open' })
      root.adoptedStyleSheets = [sheet, this.look]
      this.lang = language
      this.badge = el('span', { class: 'badge', hidden: true, 'aria-hidden': 'true' })
      this.bubble = el('button', { type: 'button', class: 'bubble', 'aria-expanded': 'false' }, icon(), this.badge)
      this.bubble.addEventListener('click', () => this.toggle())
      const close = el('button', { type: 'button', 'aria-label': texts.close }, '×')
      close.addEventListener('click', () => this.toggle(false))
      this.log = el('div', { class: 'log', role: 'log', 'aria-label': texts.log, tabindex: '0' })
      this.intro = [greeting, consent].filter(Boolean)
      this.status = el('p', { class: 'status', 'aria-live': 'polite' })
      this.error = el('p', { class: 'error', role: 'alert', hidden: true })
      this.email = el('input', { type: 'email', autocomplete: 'email', maxlength: '254' })
      this.emailRow = el('label', { hidden: true }, texts.email, this.email)
      this.text = el('textarea', { placeholder: texts.placeholder, maxlength: '4000', rows: '1' })
      this.trap = el('input', { tabindex: '-1', autocomplete: 'off', 'aria-hidden': 'true' })
      const form = el(
        'form',
        { novalidate: true },
        this.error,
        this.emailRow,
        el('div', { class: 'hide', 'aria-hidden': 'true' }, this.trap),
        el(
          'div',
          { class: 'row' },
          el('label', {}, el('span', { class: 'hide' }, texts.message), this.text),
          el('button', { type: 'submit', class: 'send' }, texts.send),
        ),
      )
      form.addEventListener('submit', (event) => {
        event.preventDefault()
        this.submit()
      })
      this.text.addEventListener('keydown', (event) => {
        if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
        event.preventDefault()
        this.submit()
      })
      this.text.addEventListener('input', () => this.typing())
      this.panel = el(
        'section',
        { class: 'panel', role: 'dialog', 'aria-label': name, hidden: true },
        el('header', {}, el('h2', {}, name), close),
        this.log,
        this.status,
        form,
      )
      this.panel.addEventListener('keydown', (event) => event.key === 'Escape' && this.toggle(false))
      root.append(this.panel, this.bubble)
      this.toggle(Boolean(this.kept.open), false)
    }

    toggle(open = Boolean(this.panel.hidden), focus = true) {
      this.panel.hidden = !open
      this.toggleAttribute('open', open)
      this.kept.open = open
      this.keep()
      this.bubble.setAttribute('aria-expanded', String(open))
      this.draw()
      if (open) this.seen()
      if (focus) (open ? this.text : this.bubble).focus()
    }

    /** @param {import('./types.ts').State} state */
    take(state) {
      this.state = state
      this.cursor = state.cursor
      this.messages = state.messages
      const arrived = new Set(state.messages.map(({ client_id }) => client_id))
      this.kept.queue = this.kept.queue.filter(({ client_id }) => !arrived.has(client_id))
      this.keep()
      clearTimeout(this.typingEnds)
      if (state.is_typing) this.typingEnds = setTimeout(() => this.tell(''), 6000)
      this.draw()
      if (this.kept.open) this.seen()
    }

    draw() {
      if (!this.state) return
      const { texts, state } = this
      const rows = this.intro.map((words) => el('p', { class: 'hint' }, words))
      if (!state.is_open) rows.push(el('p', { class: 'hint' }, texts.offline))
      for (const { from, name, text } of this.messages) {
        const who = el(
          'span',
          { class: from === 'team' ? 'who' : 'hide' },
          from === 'team' ? name || texts.team : texts.you,
        )
        rows.push(el('p', { class: from }, who, ...linked(text)))
      }
      for (const { text } of this.kept.queue) rows.push(el('p', { class: 'visitor' }, ...linked(text)))
      if (this.kept.queue.length) rows.push(el('p', { class: 'note' }, this.waiting ?? texts.sending))
      else if (!state.is_open && this.messages.at(-1)?.from === 'visitor')
        rows.push(el('p', { class: 'note' }, state.needs_email ? texts.left_here : texts.left))
      const drawn = rows.map((row) => row.outerHTML).join('')
      if (drawn !== this.drawn) {
        this.drawn = drawn
        this.log.replaceChildren(...rows)
        this.log.scrollTop = this.log.scrollHeight
      }
      this.emailRow.hidden = !state.needs_email
      this.tell(state.is_typing ? `${texts.team} ${texts.typing}` : '')
      const team = this.messages.filter(({ from }) => from === 'team')
      const unread = this.kept.open ? 0 : team.length - 1 - team.findLastIndex(({ id }) => id === this.kept.seen)
      this.badge.hidden = !unread
      this.badge.textContent = String(unread)
      this.bubble.setAttribute(
        'aria-label',
        unread ? `${texts.open}, ${texts.unread.replace('{n}', unread)}` : texts.open,
      )
    }

    /** @param {string} words */
    tell(words) {
      if (this.status.textContent !== words) this.status.textContent = words
    }

    seen() {
      const last = this.messages.findLast(({ from }) => from === 'team')?.id
      if (!last || document.hidden || this.kept.seen === last) return
      this.kept.seen = last
      this.keep()
      this.draw()
      this.call('reading', { visitor: this.kept.visitor }).catch(() => {})
    }

    typing() {
      this.text.style.height = 'auto'
      this.text.style.height = `${Math.min(140, this.text.scrollHeight + 2)}px`
      if (!this.text.value.trim() || Date.now() - (this.typedAt ?? 0) < 3000) return
      this.typedAt = Date.now()
      this.told = this.call('typing', { visitor: this.kept.visitor }).catch(() => {})
    }

    submit() {
      const text = this.text.value.trim()
      const email = this.email.value.trim()
      const isAsked = !this.emailRow.hidden
      this.explain(isAsked && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) ? this.texts.invalid_email : '')
      if (!this.error.hidden) return this.email.focus()
      if (!text) return this.text.focus()
      this.kept.queue.push({
        client_id: newId(),
        text,
        page: location.href.slice(0, 2000),
        extra: this.trap.value,
        ...(isAsked && { email }),
      })
      this.keep()
      this.text.value = ''
      this.typedAt = 0
      this.text.style.height = ''
      this.draw()
      this.flush()
    }

    /** @param {string} words */
    explain(words) {
      this.error.hidden = !words
      this.error.textContent = words
      this.email.setAttribute('aria-invalid', String(Boolean(words)))
    }

    /** Sends what waits, one after the other. The same message sent twice is one, so nothing is lost or doubled. */
    async flush() {
      if (this.flushing) return
      this.flushing = true
      for (let attempt = 0; this.kept.queue.length && !this.stopped; ) {
        const [next] = this.kept.queue
        // Otherwise it could count as typed after the message.
        await this.told
        try {
          const answer = await this.call('messages', { visitor: this.kept.visitor, ...next })
          if (answer.state === 'challenge') {
            this.waiting = this.texts.checking
            this.draw()
            next.work = await solve(answer.challenge)
            continue
          }
          attempt = 0
          this.waiting = undefined
          this.take(answer.chat)
        } catch (caught) {
          const error = /** @type {import('./types.ts').Refused} */ (caught)
          if (error.status && error.status < 500 && error.status !== 429) {
            this.kept.queue.shift()
            this.keep()
            this.text.value ||= next.text
            this.explain(error.status === 422 ? error.message : this.texts.refused)
            this.draw()
            continue
          }
          this.waiting = this.texts.not_sent
          this.draw()
          await pause((error.wait || Math.min(30, 2 ** attempt++)) * 1000)
        }
      }
      this.flushing = false
    }

    async follow() {
      for (let attempt = 0; !this.stopped; ) {
        // Before the first message there is nothing to wait for.
        if (!this.cursor || (document.hidden && !this.kept.open)) {
          await pause(1000)
          continue
        }
        try {
          const state = await this.call('poll', { visitor: this.kept.visitor, cursor: this.cursor })
          attempt = 0
          this.take(state)
          if (state.wait) await pause(state.wait * 1000)
        } catch (caught) {
          const error = /** @type {import('./types.ts').Refused} */ (caught)
          await pause((error.wait || Math.min(30, 2 ** attempt++)) * 1000)
        }
      }
    }
  }

  /** @param {string} color */
  function isLight(color) {
    const [r = 0, g = 0, b = 0] = [1, 3, 5]
      .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
      .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.18
  }

  // proof-of-work.js

  customElements.define('kith-chat', KithChat)
  if (tag.dataset.chat) {
    const element = document.createElement('kith-chat')
    element.setAttribute('chat', tag.dataset.chat)
    for (const name of ['userId', 'email', 'name', 'signature'])
      if (tag.dataset[name]) element.dataset[name] = tag.dataset[name]
    const add = () => document.body.append(element)
    if (document.body) add()
    else document.addEventListener('DOMContentLoaded', add)
  }
})()
