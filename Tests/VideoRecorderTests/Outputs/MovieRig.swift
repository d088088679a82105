import AssetWriter
import Foundation
import MediaCore
import Synchronization
import Testing

@testable import CaptureDevices
@testable import TakeReports
@testable import VideoRecorder

/// A session with a scripted camera and microphone that records into a folder of its own.
struct MovieRig {
  let folder: URL
  let cameraDriver: ScriptedDriver
  let microphoneDriver = ScriptedDriver("alsa:test", mediaType: .audio, formats: [.sound()])
  let camera: CaptureDevice
  let session = CaptureSession()
  let output: CaptureMovieFileOutput
  var url: URL { folder.appending(path: "take.mov") }

  init(
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

  func cleanUp() { try? FileManager.default.removeItem(at: folder) }

  /// Records while `feed` gives frames and sound; the recording has to end by what it does.
  func record(
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
  func begin(from mark: StartMark? = nil) async throws -> Task<RecordingReport, any Error> {
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
  func feed(
    _ frames: Range<Int>, _ camera: ScriptedStream, _ microphone: ScriptedStream?,
    except missing: Set<Int> = []
  ) throws {
    for index in frames {
      if !missing.contains(index) { try camera.sendFrame(index, sequence: UInt32(index)) }
      try microphone?.sendSound(from: index * 1920, frames: 1920)
    }
  }

  /// What ffprobe says of the movie, after a strict decode of every frame.
  func judge() throws -> Judgement {
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
  func frameHashes() throws -> [String] {
    try Self.run(
      "ffmpeg", ["-v", "error", "-i", url.path, "-map", "0:v", "-f", "framemd5", "-"]
    )
    .split(separator: "\n").filter { !$0.hasPrefix("#") }
    .compactMap { $0.split(separator: ",").last.map { $0.trimmingCharacters(in: .whitespaces) } }
  }

  static func run(_ tool: String, _ arguments: [String]) throws -> String {
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

  struct Judgement: Decodable {
    struct Stream: Decodable {
      var codec_type: String
      var codec_name: String?
      var profile: String?
      var pix_fmt: String?
      var width: Int?
      var height: Int?
      var r_frame_rate: String?
      var avg_frame_rate: String?
      var nb_read_frames: String?
      var duration_ts: Int64?
      var time_base: String?
      var start_pts: Int64?
      var duration: String?
      var bits_per_raw_sample: String?
      var tags: [String: String]?
    }
    struct Format: Decodable { var tags: [String: String]? }
    var streams: [Stream]
    var format: Format

    func stream(_ type: String) throws -> Stream {
      try #require(streams.first { $0.codec_type == type })
    }
  }
}
