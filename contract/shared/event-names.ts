import { type EventName, events } from './events.ts'

/** The build of the web app replaces this by its value, as it does routes.ts. */
export const eventNames = Object.keys(events) as EventName[]
