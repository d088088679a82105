import Foundation
import Testing

/// Programs that judge files, none of them ours.
enum Judges {
  /// Runs a program; its standard output, and what it had to say on standard error.
  static func run(_ arguments: [String]) throws -> (output: Data, errors: String, status: Int32) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments
    // Files instead of pipes: nobody has to read while the program runs.
    let folder = FileManager.default.temporaryDirectory
    let output = folder.appending(path: "judge-\(UUID().uuidString)")
    let errors = folder.appending(path: "judge-\(UUID().uuidString)")
    _ = FileManager.default.createFile(atPath: output.path, contents: nil)
    _ = FileManager.default.createFile(atPath: errors.path, contents: nil)
    defer {
      try? FileManager.default.removeItem(at: output)
      try? FileManager.default.removeItem(at: errors)
    }
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return (
      try Data(contentsOf: output), String(decoding: try Data(contentsOf: errors), as: UTF8.self),
      process.terminationStatus
    )
  }

  /// What a strict decode of everything in the file has to say; empty for a file without fault.
  static func strictDecode(_ path: String) throws -> String {
    let result = try run([
      "ffmpeg", "-nostdin", "-v", "error", "-xerror", "-err_detect", "explode", "-i", path,
      "-map", "0:v?", "-map", "0:a?", "-f", "null", "-",
    ])
    return result.errors + (result.status == 0 ? "" : " (status \(result.status))")
  }

  /// ffprobe's streams and format.
  static func probe(_ path: String) throws -> Probe {
    try probe(path, ["-show_streams", "-show_format"], as: Probe.self)
  }

  /// ffprobe's view of the decoded pictures.
  static func frames(_ path: String) throws -> [Probe.Frame] {
    struct List: Decodable { var frames: [Probe.Frame] }
    return try probe(path, ["-select_streams", "v:0", "-show_frames"], as: List.self).frames
  }

  private static func probe<Result: Decodable>(
    _ path: String, _ arguments: [String], as type: Result.Type
  ) throws -> Result {
    let result = try run(["ffprobe", "-v", "error", "-of", "json"] + arguments + [path])
    #expect(result.errors == "")
    return try JSONDecoder().decode(type, from: result.output)
  }

  /// The packets of a stream: time and duration in units of the stream, and size.
  static func packets(_ path: String, stream: String) throws -> [Packet] {
    let result = try run([
      "ffprobe", "-v", "error", "-of", "json", "-select_streams", stream, "-show_entries",
      "packet=pts,duration,size,pos", path,
    ])
    struct List: Decodable { var packets: [Packet] }
    return try JSONDecoder().decode(List.self, from: result.output).packets
  }

  struct Packet: Decodable, Hashable {
    var pts: Int64?
    var duration: Int64?
    var size: String
    var pos: String?
  }

  /// The bytes of each packet of a stream.
  static func packetBytes(_ path: String, stream: String = "v:0") throws -> [[UInt8]] {
    let file = try FileHandle(forReadingFrom: URL(filePath: path))
    defer { try? file.close() }
    return try packets(path, stream: stream).map { packet in
      try file.seek(toOffset: try #require(packet.pos.flatMap(UInt64.init)))
      return [UInt8](try file.read(upToCount: try #require(Int(packet.size))) ?? Data())
    }
  }

  /// Peak signal-to-noise ratio of two runs of 10-bit samples, in decibels.
  static func psnr(_ first: [UInt16], _ second: [UInt16]) -> Double {
    guard first.count == second.count, !first.isEmpty else { return 0 }
    var sum = 0.0
    for index in first.indices {
      let difference = Double(first[index]) - Double(second[index])
      sum += difference * difference
    }
    return sum == 0 ? .infinity : 10 * log10(1023 * 1023 * Double(first.count) / sum)
  }

  /// The frames of the first video stream, decoded, as raw samples.
  static func decode(_ path: String, pixelFormat: String) throws -> [UInt16] {
    let data = try run([
      "ffmpeg", "-nostdin", "-v", "error", "-i", path, "-map", "0:v:0", "-f", "rawvideo",
      "-pix_fmt", pixelFormat, "-",
    ]).output
    return data.withUnsafeBytes { bytes in
      (0..<bytes.count / 2).map { bytes.loadUnaligned(fromByteOffset: $0 * 2, as: UInt16.self) }
    }
  }

  /// The samples of an audio stream, as signed 32-bit words.
  static func decodeAudio(_ path: String, stream: Int = 0) throws -> [Int32] {
    let data = try run([
      "ffmpeg", "-nostdin", "-v", "error", "-i", path, "-map", "0:a:\(stream)", "-f", "s32le", "-",
    ]).output
    return data.withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: Int32.self) }
    }
  }

  /// A field of MediaInfo's view of the file.
  static func mediaInfo(_ path: String, _ section: String, _ field: String) throws -> String {
    let result = try run(["mediainfo", "--Inform=\(section);%\(field)%", path])
    return String(decoding: result.output, as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }
}

/// What ffprobe says of a file.
struct Probe: Decodable {
  struct Stream: Decodable {
    var codec_type: String
    var codec_name: String?
    var codec_tag_string: String
    var profile: String?
    var pix_fmt: String?
    var width: Int?
    var height: Int?
    var field_order: String?
    var color_range: String?
    var color_space: String?
    var color_transfer: String?
    var color_primaries: String?
    var sample_aspect_ratio: String?
    var r_frame_rate: String?
    var avg_frame_rate: String?
    var nb_frames: String?
    var nb_read_packets: String?
    var duration: String?
    var start_time: String?
    var time_base: String?
    var sample_rate: String?
    var channels: Int?
    var tags: [String: String]?
  }
  struct Frame: Decodable {
    var key_frame: Int
    var interlaced_frame: Int?
    var top_field_first: Int?
    var color_space: String?
    var color_primaries: String?
    var color_transfer: String?
    var pkt_size: String?
    var pix_fmt: String?
  }
  struct Format: Decodable {
    var duration: String?
    var tags: [String: String]?
  }

  var streams: [Stream]
  var format: Format

  func stream(_ type: String, _ index: Int = 0) throws -> Stream {
    let matching = streams.filter { $0.codec_type == type }
    return try #require(matching.indices.contains(index) ? matching[index] : nil)
  }
}

/// A folder that goes when the test is done.
final class TemporaryFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(
      path: "asset-writer-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appending(path: name).path }

  var contents: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
  }
}
