/** The groups of operations, in the order of the documentation, and what each is about. */
export const TAGS = {
  Videos:
    'Sources and templates: an uploaded file may be used in any number of jobs. A template may also be an image.',
  Uploads:
    'Uploads that survive a broken connection: tus 1.0 with creation, termination, expiration and checksum. Any tus client works.',
  Captions: 'The words that a video’s output shows where its style has captions.',
  Analyses: 'A video’s style without rendering: its Style DNA, and a report of all findings.',
  Previews:
    'A style on a video before it is rendered: moments before and after as a picture, or a draft of a few seconds.',
  Proxies:
    'Small copies of videos, photos and songs for players, which cannot seek in every source: a plan is played with them before it is rendered.',
  Presets: 'Styles that come with the service.',
  Styles:
    'Saved styles: made of one to ten templates, a Style DNA or a job, named, and used in any number of jobs, which keep their own copy.',
  Jobs: 'A job applies the style of a template, an earlier result or a preset to a source, in six stages; its result has the output video, the Style DNA and further files.',
  Webhooks:
    'Events at the end of a job, signed by Standard Webhooks, and their deliveries. 2xx accepts a delivery; after any other status it is retried for three days.',
  Admin:
    'Control of the queue by the operator: available only with `ADMIN_TOKEN`, for requests with `Authorization: Bearer …`.',
  Service: 'Health of the service, and this description of it.',
} as const satisfies Record<string, string>;

export type Tag = keyof typeof TAGS;
