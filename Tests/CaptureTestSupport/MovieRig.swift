package import AssetWriter
package import CaptureDevices
package import Foundation
import MediaCore
import Synchronization
package import TakeReports
package import TestSupport
import Testing
package import VideoRecorder

/// A session with a scripted camera and microphone that records into a folder of its own.
package struct MovieRig {
  package let folder: URL
  package let cameraDriver: ScriptedDriver
  package let microphoneDriver: ScriptedDriver
  package let camera: CaptureDevice
  package let session = CaptureSession()
  package let output: CaptureMovieFileOutput
  package var url: URL { folder.appending(path: "take.mov") }

  package init(
    camera identifier: String = "v4l2:test",
    formats: [CaptureDevice.Format] = [.frames(.v210)], isRealTime: Bool = false,
    hasAudio: Bool = true, channels: Int = 2, freeSpace: FreeSpace = .system,
    fileSizeLimit: FileSizeLimit = .system,
    audioPatience: AudioPatience = .init(),
    makeEncoder: @escaping VideoPreparation.MakeEncoder = EncoderFactory.makeEncoder
  ) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "movie-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    cameraDriver = ScriptedDriver(identifier, formats: formats)
    microphoneDriver = ScriptedDriver(
      "alsa:test", mediaType: .audio, formats: [.audio(channels: channels)])
    cameraDriver.state.withLock { $0.isRealTime = isRealTime }
    camera = CaptureDevice(driver: cameraDriver)
    output = CaptureMovieFileOutput(
      freeSpace: freeSpace, fileSizeLimit: fileSizeLimit, audioPatience: audioPatience,
      makeEncoder: makeEncoder)
    output.minFreeDiskSpaceLimit = 0
    try session.add(CaptureDeviceInput(device: camera))
    if hasAudio {
      try session.add(CaptureDeviceInput(device: CaptureDevice(driver: microphoneDriver)))
    }
    try session.add(output)
  }

  package func cleanUp() { try? FileManager.default.removeItem(at: folder) }

  /// Records while `feed` sends frames and audio; `feed` must make the recording end.
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
  /// - Throws: The reason why it could not begin.
  package func begin(from mark: StartMark? = nil) async throws -> Task<RecordingReport, any Error> {
    let isOver = Atomic(false)
    let recording = Task { [output, url] in
      defer { isOver.store(true, ordering: .releasing) }
      return try await output.record(to: url, from: mark)
    }
    try await eventually("the recording begins or fails") {
      output.isRecording || isOver.load(ordering: .acquiring)
    }
    return recording
  }

  /// Frames with their audio, as a camera delivers them.
  package func feed(
    _ frames: Range<Int>, _ camera: ScriptedStream, _ microphone: ScriptedStream?,
    except missing: Set<Int> = []
  ) throws {
    for index in frames {
      if !missing.contains(index) { try camera.sendFrame(index, sequence: UInt32(index)) }
      try microphone?.sendAudio(from: index * 1920, frames: 1920)
    }
  }

  /// ffprobe's report about the movie, after a strict decode of every frame.
  package func judge() throws -> Probe {
    #expect(try Judges.strictDecode(url.path) == "")
    return try Judges.probe(url.path, countingFrames: true)
  }

  /// Hashes of the decoded frames, in order.
  package func frameHashes() throws -> [String] { try Judges.frameHashes(url.path) }
}
