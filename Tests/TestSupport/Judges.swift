package import Foundation
package import Testing

/// Other projects' programs, which make files and judge ours.
package enum Judges {
  /// Why a judge could not be asked.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// True if the judges of movies are installed.
  package static let arePresent = ["ffmpeg", "ffprobe", "mediainfo"].allSatisfy { find($0) != nil }
  package static let absence: Comment = "ffmpeg, ffprobe or mediainfo is not installed"

  package static func find(_ name: String) -> URL? {
    if name.hasPrefix("/") { return URL(filePath: name) }
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":")
    return folders.map { URL(filePath: "\($0)/\(name)") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }

  /// Runs a judge and waits for it.
  ///
  /// - Throws: ``Failure`` if it is not installed.
  package static func run(
    _ name: String, _ arguments: [String], input: Data = Data()
  ) throws -> Command.Result {
    guard let program = find(name) else { throw Failure(description: "\(name) is missing") }
    guard input.isEmpty else { return try Command.run(program.path, arguments, input: input) }
    return try JudgeMemory.answer(name, arguments) { try Command.run(program.path, arguments) }
  }

  // MARK: FFmpeg

  /// Runs ffmpeg and returns its standard output.
  ///
  /// - Parameter judge: The ffmpeg to use; by default ``decoder``, or Debian's if that one fails.
  /// - Throws: ``Failure`` with its messages if it fails.
  @discardableResult
  package static func ffmpeg(_ arguments: [String], by judge: String = decoder) throws -> Data {
    if try JudgeMemory.source(arguments, making: { _ = try willing(arguments, judge) }) {
      return Data()
    }
    return try willing(arguments, judge)
  }

  private static func willing(_ arguments: [String], _ program: String) throws -> Data {
    do { return try freshly(arguments, by: program) } catch let failure as Failure {
      guard program != "ffmpeg" else { throw failure }
      return try freshly(arguments, by: "ffmpeg")
    }
  }

  private static func freshly(_ arguments: [String], by program: String) throws -> Data {
    let result = try run(program, ["-nostdin", "-v", "error", "-y"] + arguments)
    guard result.status == 0 else {
      throw Failure(
        description: "ffmpeg \(arguments.joined(separator: " ")) failed: \(result.errors)")
    }
    return result.data
  }

  /// Runs ffmpeg with the arguments of one line.
  @discardableResult
  package static func ffmpeg(_ line: String, by judge: String = decoder) throws -> [UInt8] {
    [UInt8](try ffmpeg(line.split(separator: " ").map(String.init), by: judge))
  }

  /// The FFmpeg that decodes, converts and generates sources: the newer one, which is linked statically, if
  /// available. Debian's takes a tenth of a second of processor time to start; it is used in the
  /// thorough run.
  package static let decoder = (TestRun.isThorough ? nil : NewerFFmpeg.path) ?? "ffmpeg"

  /// The complaints of a strict decode of every frame and sample; empty for a faultless file.
  ///
  /// - Parameter judge: The ffmpeg to use; ``decoder`` by default.
  package static func strictDecode(
    _ path: String, _ options: [String] = [], of judge: String = decoder
  ) throws -> String {
    let result = try run(
      judge,
      ["-nostdin", "-v", "error", "-xerror", "-err_detect", "explode", "-i", path, "-map", "0:v?"]
        + ["-map", "0:a?"] + options + ["-f", "null", "-"])
    return result.errors + (result.status == 0 ? "" : " (status \(result.status))")
  }

  /// Hashes of the decoded frames, in order.
  package static func frameHashes(_ path: String) throws -> [String] {
    String(
      decoding: try freshly(["-i", path, "-map", "0:v", "-f", "framemd5", "-"], by: decoder),
      as: UTF8.self
    )
    .split(separator: "\n").filter { !$0.hasPrefix("#") }
    .compactMap { $0.split(separator: ",").last.map { $0.trimmingCharacters(in: .whitespaces) } }
  }

  /// The frames of the first video stream, decoded, as raw samples.
  package static func decode(_ path: String, pixelFormat: String) throws -> [UInt16] {
    let data = try freshly(
      ["-i", path, "-map", "0:v:0", "-f", "rawvideo", "-pix_fmt", pixelFormat, "-"], by: decoder)
    return words(data, as: UInt16.self)
  }

  /// An audio stream's samples, as signed 32-bit words.
  package static func decodeAudio(
    _ path: String, stream: Int = 0, by judge: String = decoder
  ) throws -> [Int32] {
    let data = try freshly(
      ["-i", path, "-map", "0:a:\(stream)", "-f", "s32le", "-"], by: judge)
    return words(data, as: Int32.self)
  }

  /// Raw samples as numbers; an incomplete number at the end is left out.
  package static func words<Word: FixedWidthInteger>(_ data: Data, as type: Word.Type) -> [Word] {
    let count = data.count / MemoryLayout<Word>.size
    return [Word](unsafeUninitializedCapacity: count) { words, filled in
      data.copyBytes(
        to: UnsafeMutableRawBufferPointer(words), count: count * MemoryLayout<Word>.size)
      filled = count
    }
  }

  /// PSNR of two runs of 10-bit samples, in decibels.
  package static func psnr(_ first: [UInt16], _ second: [UInt16]) -> Double {
    guard first.count == second.count, !first.isEmpty else { return 0 }
    var sum = 0
    first.withUnsafeBufferPointer { first in
      second.withUnsafeBufferPointer { second in
        // A loop without iterators, because tests are built without optimization.
        var index = 0
        while index < first.count {
          let difference = Int(first[index]) - Int(second[index])
          sum += difference * difference
          index += 1
        }
      }
    }
    return sum == 0 ? .infinity : 10 * log10(1023 * 1023 * Double(first.count) / Double(sum))
  }

  // MARK: MediaInfo

  /// Fields of a section of a file, such as `Video` and `%CodecID%|%Format%`, by MediaInfo.
  package static func mediaInfo(
    _ path: String, _ section: String, _ fields: String
  ) throws -> String {
    try run("mediainfo", ["--Inform=\(section);\(fields)", path]).output
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
