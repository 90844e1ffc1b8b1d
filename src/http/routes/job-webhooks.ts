import type { z } from 'zod';
import type { WebhookDelivery } from '../../webhooks/webhook.ts';
import type { webhookDeliverySchema } from '../contract/contract.ts';
import type { Handler } from '../contract/operation.ts';
import type * as operations from '../contract/webhook-operations.ts';
import type { HttpContext } from '../server/context.ts';

export function listWebhooks({ parts }: HttpContext): Handler<typeof operations.listWebhooks> {
  return async ({ params }) => {
    const deliveries = await parts.webhooks.list(params.job_id);
    return { data: { webhooks: deliveries.map(deliveryResponse) } };
  };
}

export function redeliverWebhook({ parts }: HttpContext): Handler<typeof operations.redeliverWebhook> {
  return async ({ params }) => {
    const delivery = await parts.webhooks.redeliver(params.job_id, params.webhook_id);
    return { data: deliveryResponse(delivery) };
  };
}

function deliveryResponse(delivery: WebhookDelivery): z.output<typeof webhookDeliverySchema> {
  return {
    webhook_id: delivery.webhookId,
    event: delivery.event as z.output<typeof webhookDeliverySchema>['event'],
    url: delivery.url,
    state: delivery.state,
    created_at: delivery.createdAt.toISOString(),
    next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
    attempts: delivery.attempts.map((attempt) => ({
      attempted_at: attempt.attemptedAt.toISOString(),
      status_code: attempt.statusCode,
      error: attempt.error,
      duration_ms: attempt.durationMs,
    })),
  };
}
