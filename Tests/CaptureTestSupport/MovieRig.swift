package import AssetWriter
package import CaptureDevices
package import Foundation
import MediaCore
import Synchronization
package import TakeReports
import Testing
package import VideoRecorder

/// A session with a scripted camera and microphone that records into a folder of its own.
package struct MovieRig {
  package let folder: URL
  package let cameraDriver: ScriptedDriver
  package let microphoneDriver = ScriptedDriver("alsa:test", mediaType: .audio, formats: [.sound()])
  package let camera: CaptureDevice
  package let session = CaptureSession()
  package let output: CaptureMovieFileOutput
  package var url: URL { folder.appending(path: "take.mov") }

  package init(
    formats: [CaptureDevice.Format] = [.pictures(.v210)], isRealTime: Bool = false,
    hasSound: Bool = true, freeSpace: FreeSpace = .system,
    fileSizeLimit: FileSizeLimit = .system,
    makeEncoder: @escaping VideoPreparation.MakeEncoder = EncoderFactory.makeEncoder
  ) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "movie-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    cameraDriver = ScriptedDriver(formats: formats)
    cameraDriver.state.withLock { $0.isRealTime = isRealTime }
    camera = CaptureDevice(driver: cameraDriver)
    output = CaptureMovieFileOutput(
      freeSpace: freeSpace, fileSizeLimit: fileSizeLimit, makeEncoder: makeEncoder)
    output.minFreeDiskSpaceLimit = 0
    try session.add(CaptureDeviceInput(device: camera))
    if hasSound {
      try session.add(CaptureDeviceInput(device: CaptureDevice(driver: microphoneDriver)))
    }
    try session.add(output)
  }

  package func cleanUp() { try? FileManager.default.removeItem(at: folder) }

  /// Records while `feed` gives frames and sound; the recording has to end by what it does.
  package func record(
    _ feed: (ScriptedStream, ScriptedStream?) async throws -> Void
  ) async throws -> RecordingReport {
    if !session.isRunning { try await session.start() }
    let stream = try #require(cameraDriver.stream)
    let recording = try await begin()
    try await feed(stream, microphoneDriver.stream)
    return try await recording.value
  }

  /// Begins a recording, and waits until it has begun.
  ///
  /// - Throws: Why it could not begin.
  package func begin(from mark: StartMark? = nil) async throws -> Task<RecordingReport, any Error> {
    let isOver = Atomic(false)
    let recording = Task { [output, url] in
      defer { isOver.store(true, ordering: .releasing) }
      return try await output.record(to: url, from: mark)
    }
    while !output.isRecording, !isOver.load(ordering: .acquiring) {
      try await Task.sleep(for: .milliseconds(1))
    }
    return recording
  }

  /// Frames and the sound that belongs to them, as a camera gives them.
  package func feed(
    _ frames: Range<Int>, _ camera: ScriptedStream, _ microphone: ScriptedStream?,
    except missing: Set<Int> = []
  ) throws {
    for index in frames {
      if !missing.contains(index) { try camera.sendFrame(index, sequence: UInt32(index)) }
      try microphone?.sendSound(from: index * 1920, frames: 1920)
    }
  }

  /// What ffprobe says of the movie, after a strict decode of every frame.
  package func judge() throws -> Judgement {
    let complaints = try Self.run(
      "ffmpeg",
      ["-v", "error", "-xerror", "-err_detect", "explode", "-i", url.path, "-f", "null", "-"])
    #expect(complaints.isEmpty, "\(complaints)")
    let text = try Self.run(
      "ffprobe",
      [
        "-v", "error", "-count_frames", "-show_streams", "-show_format", "-of", "json", url.path,
      ])
    return try JSONDecoder().decode(Judgement.self, from: Data(text.utf8))
  }

  /// Fingerprints of the decoded frames, in order.
  package func frameHashes() throws -> [String] {
    try Self.run(
      "ffmpeg", ["-v", "error", "-i", url.path, "-map", "0:v", "-f", "framemd5", "-"]
    )
    .split(separator: "\n").filter { !$0.hasPrefix("#") }
    .compactMap { $0.split(separator: ",").last.map { $0.trimmingCharacters(in: .whitespaces) } }
  }

  package static func run(_ tool: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [tool] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }

  package struct Judgement: Decodable {
    package struct Stream: Decodable {
      package var codec_type: String
      package var codec_name: String?
      package var profile: String?
      package var pix_fmt: String?
      package var width: Int?
      package var height: Int?
      package var r_frame_rate: String?
      package var avg_frame_rate: String?
      package var nb_read_frames: String?
      package var duration_ts: Int64?
      package var time_base: String?
      package var start_pts: Int64?
      package var duration: String?
      package var bits_per_raw_sample: String?
      package var tags: [String: String]?
    }
    package struct Format: Decodable { package var tags: [String: String]? }
    package var streams: [Stream]
    package var format: Format

    package func stream(_ type: String) throws -> Stream {
      try #require(streams.first { $0.codec_type == type })
    }
  }
}
