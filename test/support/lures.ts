/** Files that refer to other files or addresses: the playlists and references that FFmpeg supports. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes them all into a new folder. `film`: an MP4 file; `outside`: a readable file elsewhere. Returns their paths. */
export function writeLures(folder: string, film: string, outside: string): string[] {
  mkdirSync(folder);
  const files = { ...playlists(outside), 'reference.mov': referenceMovie(readFileSync(film), outside) };
  return Object.entries(files).map(([name, content]) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  });
}

/** Named as videos, so that nothing but the content decides. */
function playlists(outside: string): Record<string, string> {
  const hls = (...lines: string[]) =>
    ['#EXTM3U', '#EXT-X-TARGETDURATION:9', ...lines, '#EXT-X-ENDLIST', ''].join('\n');
  return {
    'hls-file.mp4': hls('#EXTINF:9,', `file://${outside}`),
    'hls-http.mp4': hls('#EXTINF:9,', 'http://127.0.0.1:9/a.ts'),
    'hls-key.mp4': hls('#EXT-X-KEY:METHOD=AES-128,URI="http://127.0.0.1:9/key"', '#EXTINF:9,', outside),
    'hls-concat.mp4': hls('#EXTINF:9,', `concat:/etc/passwd|${outside}`),
    'concat-list.mp4': `ffconcat version 1.0\nfile '${outside}'\n`,
    'concat-subfile.mp4': "ffconcat version 1.0\nfile 'subfile,,start,0,end,99,,:/etc/passwd'\n",
    'dash.mp4':
      '<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT1S" profiles="urn:mpeg:dash:profile:isoff-on-demand:2011"><Period><AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1"><BaseURL>http://127.0.0.1:9/a.mp4</BaseURL></Representation></AdaptationSet></Period></MPD>',
    'sdp.mp4':
      'v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 9000 RTP/AVP 96\na=rtpmap:96 H264/90000\n',
    'rtsp.mp4': 'RTSPtextrtsp://127.0.0.1:9/a\n',
    'asx.asf': '<asx version="3"><entry><ref href="http://127.0.0.1:9/a.asf"/></entry></asx>',
    'svg.mp4':
      '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><image xlink:href="file:///etc/passwd"/></svg>',
  };
}

const CONTAINERS = ['moov', 'trak', 'mdia', 'minf', 'dinf'];

/** A film whose tracks have their samples in another file (QuickTime File Format, "Data reference atoms"). */
function referenceMovie(film: Buffer, target: string): Buffer {
  const reference = boxOf('alis', Buffer.concat([Buffer.alloc(4), aliasOf(target)]));
  const references = boxOf('dref', Buffer.concat([Buffer.from([0, 0, 0, 0, 0, 0, 0, 1]), reference]));
  return withBoxes(film, (type, box) => (type === 'dref' ? references : box));
}

/** A Macintosh alias record, version 2: fixed fields, of which readers need none, then the absolute path (type 2). */
function aliasOf(target: string): Buffer {
  const path = Buffer.from(target.length % 2 === 0 ? target : `/${target}`);
  const head = Buffer.alloc(4);
  head.writeUInt16BE(2, 0);
  head.writeUInt16BE(path.length, 2);
  return Buffer.concat([Buffer.alloc(150), head, path, Buffer.from([0xff, 0xff, 0, 0])]);
}

function boxOf(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.length, 0);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
}

function withBoxes(data: Buffer, change: (type: string, box: Buffer) => Buffer): Buffer {
  const boxes: Buffer[] = [];
  for (let at = 0; at + 8 <= data.length; ) {
    const size = data.readUInt32BE(at) || data.length - at;
    const type = data.toString('latin1', at + 4, at + 8);
    const box = data.subarray(at, at + size);
    boxes.push(
      CONTAINERS.includes(type) ? boxOf(type, withBoxes(box.subarray(8), change)) : change(type, box),
    );
    at += size;
  }
  return Buffer.concat(boxes);
}
