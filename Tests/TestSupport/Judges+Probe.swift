import Foundation
import Testing

/// ffprobe's report about a file.
package struct Probe: Decodable {
  package struct Stream: Decodable {
    package var codec_type: String
    package var codec_name: String?
    package var codec_tag_string: String
    package var profile: String?
    package var pix_fmt: String?
    package var width: Int?
    package var height: Int?
    package var field_order: String?
    package var color_range: String?
    package var color_space: String?
    package var color_transfer: String?
    package var color_primaries: String?
    package var sample_aspect_ratio: String?
    package var bits_per_raw_sample: String?
    package var r_frame_rate: String?
    package var avg_frame_rate: String?
    package var nb_frames: String?
    package var nb_read_frames: String?
    package var nb_read_packets: String?
    package var duration: String?
    package var duration_ts: Int64?
    package var start_time: String?
    package var start_pts: Int64?
    package var time_base: String?
    package var sample_rate: String?
    package var channels: Int?
    package var tags: [String: String]?
  }
  package struct Frame: Decodable {
    package var key_frame: Int
    package var interlaced_frame: Int?
    package var top_field_first: Int?
    package var color_space: String?
    package var color_primaries: String?
    package var color_transfer: String?
    package var pkt_size: String?
    package var pix_fmt: String?
  }
  package struct Packet: Decodable, Hashable {
    package var pts: Int64?
    package var duration: Int64?
    package var size: String
    package var pos: String?
  }
  package struct Format: Decodable {
    package var duration: String?
    package var tags: [String: String]?
  }

  package var streams: [Stream]
  package var format: Format

  package func stream(_ type: String, _ index: Int = 0) throws -> Stream {
    let matching = streams.filter { $0.codec_type == type }
    return try #require(matching.indices.contains(index) ? matching[index] : nil)
  }
}

/// Questions to ffprobe.
extension Judges {
  /// The file's streams and format.
  package static func probe(_ path: String, countingFrames: Bool = false) throws -> Probe {
    try probe(
      path, (countingFrames ? ["-count_frames"] : []) + ["-show_streams", "-show_format"],
      as: Probe.self)
  }

  /// The decoded frames.
  package static func frames(_ path: String) throws -> [Probe.Frame] {
    struct List: Decodable { var frames: [Probe.Frame] }
    return try probe(path, ["-select_streams", "v:0", "-show_frames"], as: List.self).frames
  }

  private static func probe<Result: Decodable>(
    _ path: String, _ arguments: [String], as type: Result.Type
  ) throws -> Result {
    let result = try run("ffprobe", ["-v", "error", "-of", "json"] + arguments + [path])
    #expect(result.errors == "")
    return try JSONDecoder().decode(type, from: result.data)
  }

  /// A stream's packets: time and duration in the stream's time base, and size.
  package static func packets(_ path: String, stream: String) throws -> [Probe.Packet] {
    struct List: Decodable { var packets: [Probe.Packet] }
    return try probe(
      path,
      ["-select_streams", stream, "-show_entries", "packet=pts,duration,size,pos"], as: List.self
    ).packets
  }

  /// The bytes of each packet of a stream.
  package static func packetBytes(_ path: String, stream: String = "v:0") throws -> [[UInt8]] {
    let file = try FileHandle(forReadingFrom: URL(filePath: path))
    defer { try? file.close() }
    return try packets(path, stream: stream).map { packet in
      try file.seek(toOffset: try #require(packet.pos.flatMap(UInt64.init)))
      return [UInt8](try file.read(upToCount: try #require(Int(packet.size))) ?? Data())
    }
  }

  /// Entries of a stream as printed, such as `codec_name=prores`, unordered. A faulty file has
  /// entries too.
  package static func entries(
    _ path: String, _ stream: String, _ entries: String
  ) throws -> Set<String> {
    let result = try run(
      "ffprobe",
      [
        "-v", "quiet", "-select_streams", stream, "-show_entries", entries, "-of",
        "default=noprint_wrappers=1", path,
      ])
    return Set(result.output.split(separator: "\n").map(String.init))
  }

  /// The number of video packets in a file; 0 if the file cannot be read.
  package static func videoFrameCount(_ path: String) throws -> Int {
    guard decoder == "ffmpeg" else {
      // One line for each packet, after comments. Starts in a quarter of the time of ffprobe.
      let list = try run(
        decoder,
        [
          "-nostdin", "-v", "quiet", "-i", path, "-map", "0:v:0", "-c", "copy", "-copyinkf", "-f",
          "framecrc", "-",
        ])
      return list.output.split(separator: "\n").count { !$0.hasPrefix("#") }
    }
    let result = try run(
      "ffprobe",
      [
        "-v", "quiet", "-select_streams", "v:0", "-count_packets", "-show_entries",
        "stream=nb_read_packets", "-of", "default=noprint_wrappers=1:nokey=1", path,
      ])
    return Int(result.output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
  }

  // MARK: Facts by name

  /// The first video stream's properties.
  package static func videoStream(_ path: String) throws -> [String: String] {
    try stream(path, "v:0")
  }

  /// The properties of a stream, such as `a:1`; if a name occurs more than once, the first.
  package static func stream(_ path: String, _ selection: String) throws -> [String: String] {
    // One question for all streams, so the next one about this file is answered from memory.
    let result = try run("ffprobe", ["-v", "error", "-show_streams", "-of", "default", path])
    let types = ["v": "video", "a": "audio", "s": "subtitle", "d": "data"]
    let parts = selection.split(separator: ":").map(String.init)
    let matching = sections(result.output, "STREAM")
      .filter { $0["codec_type"] == types[parts.first ?? ""] }
    guard let index = parts.last.flatMap(Int.init), matching.indices.contains(index) else {
      return [:]
    }
    return matching[index]
  }

  /// The pairs of each `[NAME]` section, including those of nested sections.
  private static func sections(_ text: String, _ name: String) -> [[String: String]] {
    text.split(separator: "[/\(name)]").dropLast().map { pairs(String($0)) }
  }

  /// The properties of the first decoded frame.
  package static func firstFrame(_ path: String) throws -> [String: String] {
    pairs(
      try run(
        "ffprobe",
        [
          "-v", "error", "-select_streams", "v:0", "-read_intervals", "%+#1", "-show_frames", "-of",
          "default=nw=1", path,
        ]
      ).output)
  }

  package static func timecode(_ path: String) throws -> String? {
    try videoStream(path)["TAG:timecode"]
  }

  /// The distinct values of a property over all decoded frames. One run reads all properties, because it decodes
  /// every frame and its answer is kept.
  package static func frameValues(_ path: String, _ key: String) throws -> Set<String> {
    let keys: Set = ["pix_fmt", "color_space", "color_transfer", "color_primaries"]
    let entries = keys.union([key]).sorted().joined(separator: ",")
    let result = try run(
      "ffprobe",
      [
        "-v", "error", "-select_streams", "v:0", "-show_entries", "frame=\(entries)", "-of",
        "default=nw=1", path,
      ])
    let lines = result.output.split(separator: "\n").filter { $0.hasPrefix("\(key)=") }
    return Set(lines.map { String($0.dropFirst(key.count + 1)) })
  }

  private static func pairs(_ text: String) -> [String: String] {
    Dictionary(
      text.split(separator: "\n").compactMap { line in
        let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
        return parts.count == 2 ? (parts[0], parts[1]) : nil
      }, uniquingKeysWith: { first, _ in first })
  }
}
