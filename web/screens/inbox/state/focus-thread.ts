/** To the messages, from where single keys work again. */
export const focusThread = () => document.querySelector<HTMLElement>('[data-thread-scroller]')?.focus()
