#!/bin/sh
# Uploads a video, applies a preset or a template's style, waits, and downloads the result. Needs curl, sed and openssl.
#
#   examples/curl.sh holiday.mp4 noir output.mp4
#   examples/curl.sh holiday.mp4 template.mp4 output.mp4
#   examples/curl.sh verify body.json WEBHOOK_ID WEBHOOK_TIMESTAMP WEBHOOK_SIGNATURE
#
# STYLEDNA_URL: where the service is. WEBHOOK_URL: what it is to call when the job ends. WEBHOOK_SECRET: for verify.
set -eu
service="${STYLEDNA_URL:-http://127.0.0.1:8080}/api/v1"

# The first value of a field of an answer: --fail-with-body has ended the script where the service refused.
field() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p" | head -n 1; }
ask() { curl --silent --show-error --fail-with-body --retry 3 "$@"; }

upload() { ask -F "file=@$1" "$service/videos/upload" | field video_id; }

# A webhook is genuine when the signature over "id.timestamp.body" is among those sent (standardwebhooks.com).
if [ "$1" = verify ]; then
  key=$(printf %s "${WEBHOOK_SECRET#whsec_}" | openssl base64 -d -A | od -An -tx1 | tr -d ' \n')
  expected=$({ printf '%s.%s.' "$3" "$4"; cat "$2"; } |
    openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)
  age=$(($(date +%s) - $4))
  [ "${age#-}" -le 300 ] || { echo "the webhook is $age s old" >&2; exit 1; }
  case " $5 " in
    *" v1,$expected "*) echo "the webhook is genuine" ;;
    *) echo "the signature does not match" >&2; exit 1 ;;
  esac
  exit
fi

source_id=$(upload "$1")
if [ -f "$2" ]; then style="\"template_video_id\":\"$(upload "$2")\""; else style="\"preset\":\"$2\""; fi
webhook=${WEBHOOK_URL:+",\"webhook_url\":\"$WEBHOOK_URL\""}

# With the same key the job is created once, however often the request is sent.
job_id=$(ask "$service/jobs" -H 'Content-Type: application/json' -H "Idempotency-Key: example-$$-$(date +%s)" \
  -d "{\"video_id\":\"$source_id\",$style,\"config\":{\"quality\":\"medium\"}${webhook:-}}" | field job_id)
echo "job $job_id"

# Each request waits for up to a minute; 409 says that the job has not ended yet.
until result=$(curl --silent --fail "$service/jobs/$job_id/result?wait=60"); do
  ask "$service/jobs/$job_id" | sed 's/.*"progress_percent":\([0-9.]*\).*/\1 %/'
done

status=$(printf %s "$result" | sed 's/.*"status":"\([a-z]*\)".*/\1/')
[ "$status" = completed ] || { echo "the job is $status: $result" >&2; exit 1; }
ask --location --output "$3" "$service/jobs/$job_id/output"
echo "$3 is there"
