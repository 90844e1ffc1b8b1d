/** The groups of operations, in the order of the documentation, and what each is about. */
export const TAGS = {
  Videos:
    'Sources and templates: what is uploaded once may be used in any number of jobs. A template may also be an image.',
  Uploads:
    'Uploads that survive a broken connection: tus 1.0 with creation, termination, expiration and checksum. Any tus client works.',
  Captions: 'The words that a video’s output shows where its style has captions.',
  Analyses:
    'What a video’s style is, without rendering anything: its Style DNA, and a report of all findings.',
  Previews:
    'A style on a video before it is rendered: moments before and after as a picture, or a draft of a few seconds.',
  Proxies:
    'Small copies of videos, photos and songs for players, which cannot seek in every source: a plan is played with them before it is rendered.',
  Presets: 'Styles that come with the service.',
  Jobs: 'A job applies the style of a template, an earlier result or a preset to a source, in six stages; its result has the output video, the Style DNA and further files.',
  Webhooks:
    'What the service sends when a job ends, signed as Standard Webhooks says, and how each delivery went. 2xx receives it; anything else is tried again for three days.',
  Admin:
    'Steering of the queue by whoever operates the service: there only where `ADMIN_TOKEN` is set, and for who sends it as `Authorization: Bearer …`.',
  Service: 'How the service is, and this description of it.',
} as const satisfies Record<string, string>;

export type Tag = keyof typeof TAGS;
