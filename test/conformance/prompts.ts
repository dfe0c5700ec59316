import type { Call, Json, Prompt } from '../../server/transports/mcp/catalog.ts'
import { accepted, ask, elicit } from './questions.ts'
import { embedded, image, text } from './samples.ts'

const prompt = (
  name: string,
  description: string,
  argumentNames: string[],
  get: (args: Record<string, string>, call: Call) => Json,
): Prompt => ({
  listing: { name, description, arguments: argumentNames.map(required) },
  access: 'member',
  get: async (args, call) => get(args, call),
})
const required = (name: string) => ({ name, description: `The argument ${name}`, required: true })
const said = (...contents: Json[]) => ({ messages: contents.map((content) => ({ role: 'user', content })) })

export const prompts: Prompt[] = [
  prompt('test_simple_prompt', 'Takes nothing', [], () => said(text('This is a simple prompt for testing.'))),
  {
    ...prompt('test_prompt_with_arguments', 'Repeats its arguments', ['arg1', 'arg2'], ({ arg1, arg2 }) =>
      said(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
    ),
    complete: async (_argument, value) => ['paris', 'park', 'party'].filter((word) => word.startsWith(value)),
  },
  prompt('test_prompt_with_embedded_resource', 'Holds a resource', ['resourceUri'], ({ resourceUri }) =>
    said(
      embedded(resourceUri!, 'text/plain', 'Embedded resource content for testing.'),
      text('Please process the embedded resource above.'),
    ),
  ),
  prompt('test_prompt_with_image', 'Holds a picture', [], () => said(image, text('Please analyze the image above.'))),
  prompt('test_input_required_result_prompt', 'Asks before it answers', [], (_args, call) => {
    const context = accepted(call, 'user_context')?.context
    if (context === undefined)
      return ask(call, { user_context: elicit('What context should the prompt use?', { context: { type: 'string' } }) })
    return said(text(`Keep in mind: ${context}`))
  }),
]
