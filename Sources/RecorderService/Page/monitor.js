import { Stream } from "./api.js";

async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Reads the header of a message; `place` is where the image begins. */
function readHeader(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  return { header, place: 4 + length };
}

/** Unpacks a message: header, image, and scope maps by name. */
async function unpack(buffer, { header, place }) {
  const take = (count) => new Uint8Array(buffer, place, count);
  const jpeg = take(header.byteCount);
  place += header.byteCount;
  const maps = {};
  const unpacked = header.maps.map(async (map) => {
    const bytes = take(map.byteCount);
    place += map.byteCount;
    maps[map.name] = { width: map.width, height: map.height, values: await inflate(bytes) };
  });
  const [bitmap] = await Promise.all([
    createImageBitmap(new Blob([jpeg], { type: "image/jpeg" })),
    ...unpacked,
  ]);
  return { header, bitmap, maps };
}

/** Frames and levels of a channel. Acknowledging a frame requests the next one. */
export class Monitor {
  constructor(channel, wish, { logIn, picture, failed, levels, refused }) {
    this.wish = wish;
    [this.picture, this.failed] = [picture, failed];
    this.stream = new Stream(`/channels/${encodeURIComponent(channel)}/monitor`, {
      logIn,
      open: (stream) => stream.send(this.wish),
      message: (message) => {
        if (message instanceof ArrayBuffer) this.show(message);
        else if (message.levels) levels(message.levels, message.loudness);
      },
      refused,
    });
  }

  async show(buffer) {
    let start;
    try {
      start = readHeader(buffer);
      const parts = await unpack(buffer, start);
      this.picture(parts);
      parts.bitmap.close();
    } catch (error) {
      console.warn("a frame cannot be shown", error);
      this.failed();
    } finally {
      // Also if it cannot be shown: the next one may be.
      if (start) this.stream.send({ acknowledge: start.header.number });
    }
  }

  want(wish) {
    this.wish = wish;
    this.stream.send(wish);
  }

  end() {
    this.stream.end();
  }
}
