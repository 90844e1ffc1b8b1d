import { isStyleDnaError, type Job, type Queue, StyleDnaClient } from '../client/client.ts';
import { Failure } from '../domain/errors.ts';
import { receivedQueue, receivedQueueJob } from '../received/received-queue.ts';
import { type Command, type CommandCall, EXIT, UsageError } from './command.ts';
import { didYouMean } from './did-you-mean.ts';
import { printJson } from './print.ts';
import { jobText, queueText } from './queue-text.ts';
import { LOCAL_SERVER, readServer, SERVER_OPTION } from './server-option.ts';

type ActionResult = { readonly queue: Queue } | { readonly job: Job };

interface Action {
  /** Names of its arguments; optional ones in brackets. */
  readonly takes: readonly string[];
  readonly run: (
    client: StyleDnaClient,
    words: readonly string[],
    call: CommandCall,
  ) => Promise<ActionResult>;
}

const LISTED = 20;

const ACTIONS: Readonly<Record<string, Action>> = {
  list: {
    takes: [],
    run: async (client, _words, { signal }) => ({
      queue: await client.getQueue({ limit: LISTED }, { signal }),
    }),
  },
  pause: {
    takes: [],
    run: async (client, _words, { signal }) => ({ queue: await client.pauseQueue({ signal }) }),
  },
  resume: {
    takes: ['[WORKER]'],
    run: async (client, [worker], { signal }) => ({
      queue: await (worker === undefined
        ? client.resumeQueue({ signal })
        : client.resumeWorker(worker, { signal })),
    }),
  },
  drain: {
    takes: ['WORKER'],
    run: async (client, [worker], { signal }) => ({ queue: await client.drainWorker(worker, { signal }) }),
  },
  requeue: {
    takes: ['JOB'],
    run: async (client, [job], { signal }) => ({ job: await client.requeueJob(job, { signal }) }),
  },
  priority: {
    takes: ['JOB', 'N'],
    run: async (client, [job, number], { signal }) => ({
      job: await client.setJobPriority(job, { priority: readPriority(number) }, { signal }),
    }),
  },
};

export const queue: Command = {
  usage: `${Object.keys(ACTIONS).join('|')} … [--server URL] [--json]`,
  help: `Controls the queue of a running service; its ADMIN_TOKEN must also be set in this environment.

  list              queued jobs, running jobs, and workers
  pause             no worker starts a job; new jobs queue, running jobs continue
  resume            workers start jobs again
  drain WORKER      the worker finishes its jobs and starts no other; then the list shows "drained"
  resume WORKER     the worker starts jobs again
  requeue JOB       a new job like JOB, which failed or was cancelled
  priority JOB N    priority of a queued job: 0 to 100, higher first; default 50

Options
      --server URL   address of the service; default: ${LOCAL_SERVER}
      --json         print the service's response as JSON

Examples
  export ADMIN_TOKEN=…
  styledna queue list --server http://render.example.com:8080
  styledna queue drain 019aa3f2-4c1e-7d0a-9b51-0c6f6f1f2e11
  styledna queue priority 019aa3f2-4c1e-7d0a-9b51-0c6f6f1f2e11 90`,
  options: { ...SERVER_OPTION, json: { type: 'boolean' } },
  choices: { '': Object.keys(ACTIONS) },
  async run(call) {
    const [name = '', ...words] = call.positionals;
    const action = actionOf(name, words);
    const result = await action.run(adminClient(call), words, call).catch((error: unknown) => {
      throw inPlainWords(error);
    });
    const data = 'queue' in result ? result.queue : result.job;
    if (call.values['json'] === true) printJson(data);
    else
      console.log(
        'queue' in result
          ? queueText(receivedQueue(result.queue), new Date())
          : jobText(receivedQueueJob(result.job)),
      );
    return EXIT.done;
  },
};

function actionOf(name: string, words: readonly string[]): Action {
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  const names = Object.keys(ACTIONS);
  if (action === undefined) {
    const problem = name === '' ? 'Say what to do' : `There is no "queue ${name}"`;
    throw new UsageError(`${problem}: ${names.join(', ')}${didYouMean(name, names)}`);
  }
  const least = action.takes.filter((word) => !word.startsWith('[')).length;
  if (words.length < least || words.length > action.takes.length) {
    const wanted = action.takes.length === 0 ? 'nothing more' : action.takes.join(' ');
    throw new UsageError(`queue ${name} takes ${wanted}; it got ${words.length} argument(s)`);
  }
  return action;
}

function readPriority(text: string): number {
  if (/^\d{1,3}$/.test(text) && Number(text) <= 100) return Number(text);
  throw new UsageError(`A priority is a whole number from 0 to 100; got ${text}`);
}

function adminClient(call: CommandCall): StyleDnaClient {
  const token = call.environment['ADMIN_TOKEN'];
  if (token === undefined || token === '') {
    throw new UsageError(
      'ADMIN_TOKEN is not set: it must have the value that the service was started with. A service without one cannot be steered',
    );
  }
  return new StyleDnaClient({
    baseUrl: readServer(call) ?? LOCAL_SERVER,
    headers: { authorization: `Bearer ${token}` },
    patienceSeconds: 20,
    retries: 1,
  });
}

/** The service answers 404 for these paths if it has no token. */
function inPlainWords(error: unknown): unknown {
  if (!isStyleDnaError(error, 'ROUTE_NOT_FOUND')) return error;
  return new Failure(
    'ROUTE_NOT_FOUND',
    'The service cannot be steered: it was started without ADMIN_TOKEN, or is of an older version',
  );
}
