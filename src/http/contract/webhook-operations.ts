import {
  jobPath,
  webhookDeliverySchema,
  webhookListSchema,
  webhookPath,
  webhookSecretSchema,
} from './contract.ts';
import { operation } from './operation.ts';

export const getWebhookSecret = operation({
  id: 'getWebhookSecret',
  method: 'GET',
  path: '/api/v1/webhook-secret',
  tag: 'Webhooks',
  summary: 'The secret that webhooks are signed with',
  description:
    'Only for requests from the same machine, without a proxy, to a service that listens on loopback; 404 to all others.',
  success: { status: 200, message: 'Webhook secret found', data: webhookSecretSchema },
  errors: ['ROUTE_NOT_FOUND'],
});

export const listWebhooks = operation({
  id: 'listWebhooks',
  method: 'GET',
  path: '/api/v1/jobs/{job_id}/webhooks',
  tag: 'Webhooks',
  summary: 'The delivery log of a job',
  params: jobPath,
  success: { status: 200, message: 'Webhook deliveries listed', data: webhookListSchema },
  errors: ['JOB_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
});

export const redeliverWebhook = operation({
  id: 'redeliverWebhook',
  method: 'POST',
  path: '/api/v1/jobs/{job_id}/webhooks/{webhook_id}/redeliver',
  tag: 'Webhooks',
  summary: 'Send a delivery again, with the same bytes and id',
  params: webhookPath,
  success: { status: 200, message: 'Webhook queued again', data: webhookDeliverySchema },
  errors: ['JOB_NOT_FOUND', 'WEBHOOK_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
});
