import { Stream } from "./api.js";

async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Takes a message apart: header, picture, and maps of scopes by name. */
async function unpack(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  let place = 4 + length;
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

/** Pictures and levels of a channel. A picture that is shown is acknowledged: the next one comes then. */
export class Monitor {
  constructor(channel, wish, { picture, levels, lost }) {
    this.wish = wish;
    this.shown = 0;
    this.stream = new Stream(`/channels/${encodeURIComponent(channel)}/monitor`, {
      open: (stream) => stream.send(this.wish),
      close: lost,
      message: async (data) => {
        if (typeof data === "string") {
          const message = JSON.parse(data);
          if (message.levels) levels(message.levels, message.loudness);
          return;
        }
        try {
          const parts = await unpack(data);
          picture(parts);
          parts.bitmap.close();
          this.shown += 1;
          this.stream.send({ acknowledge: parts.header.number });
        } catch (error) {
          console.warn("a picture cannot be shown", error);
        }
      },
    });
  }

  want(wish) {
    this.wish = wish;
    this.stream.send(wish);
  }

  end() {
    this.stream.end();
  }
}
