"""Uploads a video, applies a preset or a template's style, waits, verifies the webhook, and downloads the result.

Needs Python 3.9 and nothing else:

    python3 styledna.py holiday.mp4 noir output.mp4

STYLEDNA_URL: where the service is. It may call this machine when it runs with WEBHOOK_ALLOWED_NETWORKS=127.0.0.0/8.
"""

import base64
import hashlib
import hmac
import http.server
import json
import os
import shutil
import sys
import threading
import time
import urllib.error
import urllib.request
import uuid

SERVICE = os.environ.get("STYLEDNA_URL", "http://127.0.0.1:8080") + "/api/v1"


class StyleDnaError(Exception):
    """What the service refused: `code` is stable, the text says what would be right."""

    def __init__(self, answer):
        self.code = answer["error"]["code"]
        self.retryable = answer["error"]["retryable"]
        super().__init__(f"{self.code}: {answer['message']}: {answer['error']['detail']}")


def ask(method, path, body=None, headers=None):
    """The `data` of an answer."""
    request = urllib.request.Request(SERVICE + path, data=body, headers=headers or {}, method=method)
    try:
        with urllib.request.urlopen(request, timeout=90) as answer:
            return json.load(answer)["data"]
    except urllib.error.HTTPError as error:
        raise StyleDnaError(json.load(error)) from None


def upload(path, piece_bytes=8 << 20):
    """Sends a file in pieces (tus 1.0), so that none is in memory whole; returns the id of the video."""
    tus = {"Tus-Resumable": "1.0.0"}
    name = base64.b64encode(os.path.basename(path).encode()).decode()
    length = {"Upload-Length": str(os.path.getsize(path)), "Upload-Metadata": f"filename {name}"}
    upload_id = ask("POST", "/uploads", headers={**tus, **length})["upload_id"]
    with open(path, "rb") as file:
        while piece := file.read(piece_bytes):
            headers = {
                **tus,
                "Upload-Offset": str(file.tell() - len(piece)),
                "Content-Type": "application/offset+octet-stream",
            }
            url = f"{SERVICE}/uploads/{upload_id}"
            request = urllib.request.Request(url, data=piece, headers=headers, method="PATCH")
            try:
                urllib.request.urlopen(request, timeout=600).close()
            except urllib.error.HTTPError as error:
                raise StyleDnaError(json.load(error)) from None
    return ask("GET", f"/uploads/{upload_id}")["video_id"]


def create_job(request):
    """With the same Idempotency-Key a job is created once, however often the request is sent."""
    headers = {"Content-Type": "application/json", "Idempotency-Key": str(uuid.uuid4())}
    return ask("POST", "/jobs", json.dumps(request).encode(), headers)


def wait_for(job_id):
    """The result, once the job has ended. Each request waits for up to a minute."""
    while True:
        try:
            return ask("GET", f"/jobs/{job_id}/result?wait=60")
        except StyleDnaError as error:
            if error.code != "JOB_NOT_COMPLETED":
                raise
            print(ask("GET", f"/jobs/{job_id}")["progress_percent"], "%")


def verify_webhook(body, headers, secrets, tolerance_seconds=300):
    """The event that a webhook tells (standardwebhooks.com). `body`: the bytes as they came. Raises ValueError."""
    webhook_id, timestamp = headers["webhook-id"], headers["webhook-timestamp"]
    if abs(time.time() - int(timestamp)) > tolerance_seconds:
        raise ValueError("the webhook is too old")
    signed = f"{webhook_id}.{timestamp}.".encode() + body
    for secret in secrets:
        key = base64.b64decode(secret.removeprefix("whsec_"))
        expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
        if any(hmac.compare_digest(expected, one) for one in headers["webhook-signature"].split()):
            return json.loads(body)
    raise ValueError("no signature matches")


class Receiver(http.server.BaseHTTPRequestHandler):
    secrets = []

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        try:
            event = verify_webhook(body, self.headers, self.secrets)
            print("webhook:", event["type"], "of", event["data"]["job_id"], flush=True)
            self.send_response(204)
        except ValueError as error:
            print(error, file=sys.stderr)
            self.send_response(400)
        self.end_headers()

    def log_message(self, *_):
        pass


def main(source, look, output):
    Receiver.secrets = ask("GET", "/webhook-secret")["secrets"]
    receiver = http.server.HTTPServer(("127.0.0.1", 0), Receiver)
    called = threading.Thread(target=receiver.handle_request)
    called.start()
    style = {"template_video_id": upload(look)} if os.path.exists(look) else {"preset": look}
    job = create_job(
        {
            "video_id": upload(source),
            **style,
            "config": {"quality": "medium"},
            "webhook_url": f"http://127.0.0.1:{receiver.server_port}/",
        }
    )
    result = wait_for(job["job_id"])
    if result["status"] != "completed":
        sys.exit(f"the job is {result['status']}: {result['error']}")
    with urllib.request.urlopen(f"{SERVICE}/jobs/{job['job_id']}/output") as video, open(output, "wb") as file:
        shutil.copyfileobj(video, file)
    called.join(30)
    print(output, "is there, after", result["processing_time_seconds"], "s")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("Usage: python3 styledna.py SOURCE PRESET_OR_TEMPLATE OUTPUT")
    main(*sys.argv[1:])
