import AssetWriter
import Foundation
import MediaCore
import QuickTime
import Testing

@testable import TakeReports

/// Sidecars written by version 0.1.0, unchanged.
struct SidecarVersion1Tests {
  private static let names = [
    "recorded", "dropped", "unplugged", "encoded", "recording", "recovered",
  ]

  private func bytes(_ name: String) throws -> Data {
    let folder = try #require(Bundle.module.url(forResource: "Version1", withExtension: nil))
    return try Data(contentsOf: folder.appending(path: "\(name).json"))
  }

  /// Reads a kept sidecar as that of a movie; `body` also gets the file.
  private func read(
    _ name: String, _ body: (TakeSidecar, SidecarFile) throws -> Void
  ) throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "sidecar-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let movie = folder.appending(path: "a.mov").path
    try bytes(name).write(to: URL(filePath: movie + ".json"))
    let file = SidecarFile(ofMovie: movie)
    try body(try #require(try file.read()), file)
  }

  @Test(arguments: names)
  func version_1_sidecars_are_read_and_written_with_current_keys(name: String) throws {
    try read(name) { sidecar, file in
      #expect(sidecar.schema == DocumentKind.sidecar.schema)
      #expect(sidecar.version == DocumentKind.version)
      #expect(sidecar.date.hasSuffix("Z"))
      try file.write(sidecar)
      #expect(try file.read() == sidecar)
      let text = try String(contentsOfFile: file.path, encoding: .utf8)
      for word in ["\"format\" : \"recordctl", "\"sound", "\"checksum\"", "\"bytes\"", "\"mean\""] {
        #expect(!text.contains(word), "\(word)")
      }
    }
  }

  @Test func version_1_checksums_keep_their_values() throws {
    try read("recorded") { sidecar, _ in
      let sums = try #require(sidecar.checksums)
      #expect(sums.file?.description == "345e672984433ffe" && sums.frames.count == 20)
      #expect(sums.head?.byteCount == 2771 && sums.index?.byteCount == 2887)
      #expect(sums.audio.first?.runs.map(\.samples) == [21120, 17280])
      #expect(sidecar.movie?.checksum == "345e672984433ffe" && sidecar.fileName == "a.mov")
    }
  }

  @Test func version_1_reports_keep_their_figures() throws {
    try read("dropped") { sidecar, _ in
      let report = try #require(sidecar.recording)
      #expect(report.movie.fieldOrder == .progressive && report.movie.color == "1-1-1")
      #expect(report.audio.first?.channelCount == 2)
      #expect(report.frames.largestQueueBytes > 0)
      #expect(report.latency?.encoded.maximum ?? 0 > 0)
      #expect(report.writer.video.first?.largestFrame ?? 0 > 0)
      #expect(report.writer.fileBytes == report.movie.fileSize)
      let kinds = report.incidents.map(\.kind)
      #expect(kinds.contains(.dropped) && kinds.contains(.repeated) && kinds.contains(.damaged))
      #expect(kinds.suffix(2) == [.audioLost, .audioEnded])
    }
    try read("encoded") { sidecar, _ in
      let encoding = try #require(sidecar.encoding)
      #expect(encoding.framesUndecoded == 0 && encoding.writer.video.first?.framesWritten == 20)
      #expect(encoding.prematureEnd?.message.contains("within frame 8") == true)
    }
  }

  @Test func version_1_error_messages_get_the_code_unknown() throws {
    try read("unplugged") { sidecar, _ in
      let error = try #require(sidecar.recording?.error)
      #expect(error.code == "unknown" && error.message.contains("was unplugged"))
    }
  }
}
