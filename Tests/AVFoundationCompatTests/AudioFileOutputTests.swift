import AssetReader
import Synchronization
import TestSupport
import Testing

@testable import AVFoundationCompat

/// Audio-only recordings.
@Suite(.timeLimit(.minutes(10)))
struct AudioFileOutputTests {
  private let session = AVCaptureSession()
  private let output = AVCaptureAudioFileOutput()
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let tone = try #require(AVCaptureDevice(uniqueID: "tone"))
    session.addInput(try AVCaptureDeviceInput(device: tone))
    session.addOutput(output)
  }

  /// Logs the delegate's calls and passes on the end.
  private final class Listener: NSObject, AVCaptureFileOutputRecordingDelegate {
    let calls = Mutex<[String]>([])
    let start = Mutex<CMTime>(.invalid)
    private let ends = AsyncStream.makeStream(of: AVError?.self)

    /// Waits for the recording's end; returns its error.
    func end() async throws -> AVError? {
      var iterator = ends.stream.makeAsyncIterator()
      return try #require(await iterator.next())
    }

    func fileOutput(
      _ output: AVCaptureFileOutput, didStartRecordingTo fileURL: URL, startPTS: CMTime,
      from connections: [AVCaptureConnection]
    ) {
      calls.withLock { $0.append("start") }
      start.withLock { $0 = startPTS }
    }
    func fileOutput(
      _ output: AVCaptureFileOutput, didPauseRecordingTo fileURL: URL,
      from connections: [AVCaptureConnection]
    ) { calls.withLock { $0.append("pause") } }
    func fileOutput(
      _ output: AVCaptureFileOutput, didResumeRecordingTo fileURL: URL,
      from connections: [AVCaptureConnection]
    ) { calls.withLock { $0.append("resume") } }
    func fileOutput(
      _ output: AVCaptureFileOutput, willFinishRecordingTo fileURL: URL,
      from connections: [AVCaptureConnection], error: (any Error)?
    ) { calls.withLock { $0.append("will finish") } }
    func fileOutput(
      _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
      from connections: [AVCaptureConnection], error: (any Error)?
    ) {
      calls.withLock { $0.append("finish") }
      ends.continuation.yield(error as? AVError)
    }
  }

  /// Records at least this much audio; returns the error at the end.
  private func record(
    _ url: URL, _ type: AVFileType, _ listener: Listener = Listener(), seconds: Double = 0.3
  ) async throws -> AVError? {
    output.startRecording(to: url, outputFileType: type, recordingDelegate: listener)
    try await eventually("audio is recorded") { output.recordedDuration.seconds >= seconds }
    #expect(output.isRecording && output.outputFileURL == url && !output.isRecordingPaused)
    output.stopRecording()
    return try await listener.end()
  }

  @Test func session_audio_becomes_an_audio_only_movie() async throws {
    #expect(
      AVCaptureAudioFileOutput.availableOutputFileTypes() == [.mov, .m4a, .wav, .aiff, .caf])
    session.startRunning()
    defer { session.stopRunning() }
    let listener = Listener()
    let title = AVMutableMetadataItem()
    title.identifier = .commonIdentifierTitle
    title.value = "A tone"
    output.metadata = [title]
    #expect(output.metadata.first?.stringValue == "A tone")
    let url = folder.url("tone.mov")
    #expect(try await record(url, .mov, listener) == nil)
    #expect(listener.calls.withLock { $0 } == ["start", "will finish", "finish"])
    #expect(!output.isRecording && output.recordedDuration == .zero)
    let report = try StrictDecoder(path: url.path).run()
    #expect(report.isClean && report.tracks.count == 1)
    let asset = AVURLAsset(url: url)
    #expect(asset.tracks.map(\.mediaType) == [.audio] && asset.duration.seconds >= 0.3)
    #expect(asset.commonMetadata.first?.stringValue == "A tone")
  }

  @Test func audio_is_written_with_the_requested_settings() async throws {
    output.audioSettings = [
      AVFormatIDKey: kAudioFormatAppleLossless, AVSampleRateKey: 44_100.0, AVNumberOfChannelsKey: 1,
    ]
    #expect(output.audioSettings?[AVNumberOfChannelsKey] as? Int == 1)
    session.startRunning()
    defer { session.stopRunning() }
    let url = folder.url("tone.m4a")
    #expect(try await record(url, .m4a) == nil)
    let track = try #require(AVURLAsset(url: url).tracks.first)
    let description = try #require(track.formatDescriptions.first as? CMFormatDescription)
    let basic = try #require(description.audioStreamBasicDescription)
    #expect(basic.mSampleRate == 44_100 && basic.mChannelsPerFrame == 1)
    output.audioSettings = nil
    #expect(try await record(folder.url("plain.m4a"), .m4a) == nil)
  }

  @Test(arguments: ["wav", "aif", "caf"])
  func a_voice_note_has_the_file_type_of_its_extension(ending: String) async throws {
    output.audioSettings = [
      AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 44_100.0, AVNumberOfChannelsKey: 1,
      AVLinearPCMBitDepthKey: 16, AVLinearPCMIsFloatKey: false,
      AVLinearPCMIsBigEndianKey: ending == "aif",
    ]
    session.startRunning()
    defer { session.stopRunning() }
    output.maxRecordedDuration = CMTime(value: 1, timescale: 5)
    let listener = Listener()
    let url = folder.url("note.\(ending)")
    output.startRecording(to: url, recordingDelegate: listener)
    #expect(try await listener.end()?.recordingSuccessfullyFinished == true)
    let reader = try AssetReader(url.path)
    #expect(reader.containerName == (ending == "aif" ? "aiff" : ending))
    var (frames, peak) = (0, 0)
    while let sample = try reader.nextSample() {
      let audio = try #require(sample.sampleBuffer.audioBuffer)
      #expect(
        audio.format == AudioFormat(sampleRate: 44_100, channelCount: 1, sampleFormat: .int16))
      frames += audio.frameCount
      for place in stride(from: 0, to: audio.bytes.count, by: 2) {
        let word = UInt16(audio.bytes[place]) | UInt16(audio.bytes[place + 1]) << 8
        peak = max(peak, Int(Int16(bitPattern: word)))
      }
    }
    #expect(frames == 8820 && peak > 1000, "\(frames) frames up to \(peak)")
  }

  @Test func starting_during_a_recording_switches_files_without_loss() async throws {
    session.startRunning()
    defer { session.stopRunning() }
    let (first, second) = (Listener(), Listener())
    let urls = [folder.url("a.mov"), folder.url("b.mov")]
    output.startRecording(to: urls[0], outputFileType: .mov, recordingDelegate: first)
    try await eventually("audio is recorded") { output.recordedDuration > .zero }
    // The file name alone gives the type.
    output.startRecording(to: urls[1], recordingDelegate: second)
    #expect(try await first.end() == nil)
    try await eventually("audio is recorded") { output.recordedDuration > .zero }
    output.stopRecording()
    #expect(try await second.end() == nil)
    let (start, next) = (first.start.withLock { $0 }, second.start.withLock { $0 })
    let end = start + AVURLAsset(url: urls[0]).duration
    #expect(abs((next - end).seconds) < 0.001)
  }

  @Test func events_during_a_file_switch_reach_the_next_file() async throws {
    session.startRunning()
    defer { session.stopRunning() }
    let (first, second) = (Listener(), Listener())
    output.startRecording(
      to: folder.url("a.mov"), outputFileType: .mov, recordingDelegate: first)
    try await eventually("audio is recorded") { output.recordedDuration > .zero }
    var reached: [String] = []
    output.reach { recording in
      reached.append(recording.plan.url.lastPathComponent)
      // Another thread switches the file after the recording is looked up and before it is called.
      if reached.count == 1 {
        output.startRecording(to: folder.url("b.mov"), recordingDelegate: second)
      }
      return recording.receive(.signalRestored)
    }
    #expect(reached == ["a.mov", "b.mov"])
    output.stopRecording()
    #expect(try await first.end() == nil)
    _ = try await second.end()
  }

  @Test func a_pause_is_omitted_from_the_file() async throws {
    session.startRunning()
    defer { session.stopRunning() }
    let listener = Listener()
    let url = folder.url("tone.mov")
    output.startRecording(to: url, outputFileType: .mov, recordingDelegate: listener)
    try await eventually("audio is recorded") { output.recordedDuration > .zero }
    output.pauseRecording()
    #expect(output.isRecordingPaused)
    let paused = output.recordedDuration
    output.resumeRecording()
    try await eventually("more is recorded") { output.recordedDuration > paused }
    output.stopRecording()
    #expect(try await listener.end() == nil)
    #expect(
      listener.calls.withLock { $0 } == ["start", "pause", "resume", "will finish", "finish"])
    #expect(try StrictDecoder(path: url.path).run().isClean)
  }

  @Test func a_duration_limit_ends_the_recording_at_the_exact_sample() async throws {
    session.startRunning()
    defer { session.stopRunning() }
    output.maxRecordedDuration = CMTime(value: 1, timescale: 5)
    let listener = Listener()
    let url = folder.url("tone.mov")
    output.startRecording(to: url, outputFileType: .mov, recordingDelegate: listener)
    let error = try await listener.end()
    #expect(error?.code == .maximumDurationReached && error?.recordingSuccessfullyFinished == true)
    #expect(AVURLAsset(url: url).duration == CMTime(value: 1, timescale: 5))
    output.maxRecordedDuration = .invalid
    output.maxRecordedFileSize = 1
    let small = Listener()
    output.startRecording(
      to: folder.url("b.mov"), outputFileType: .mov, recordingDelegate: small)
    #expect(try await small.end()?.code == .maximumFileSizeReached)
    output.maxRecordedFileSize = 0
    output.minFreeDiskSpaceLimit = .max
    let full = Listener()
    output.startRecording(to: folder.url("c.mov"), outputFileType: .mov, recordingDelegate: full)
    #expect(try await full.end()?.code == .diskFull)
    #expect(output.maxRecordedFileSize == 0 && output.minFreeDiskSpaceLimit == .max)
  }

  @Test(.timeLimit(.minutes(2)))
  func a_hanging_free_space_query_does_not_block_stopping()
    async throws
  {
    let isHanging = WaitableMutex(false)
    let isAsked = Atomic(false)
    let output = AVCaptureAudioFileOutput(
      freeSpace: FreeSpace { _ in
        if isHanging.withLock({ $0 }) { isAsked.store(true, ordering: .releasing) }
        _ = isHanging.wait { $0 ? nil : true }
        return 1 << 42
      })
    defer { isHanging.update { $0 = false } }
    output.minFreeDiskSpaceLimit = 1
    session.addOutput(output)
    session.startRunning()
    defer { session.stopRunning() }
    let listener = Listener()
    let url = folder.url("tone.mov")
    output.startRecording(to: url, outputFileType: .mov, recordingDelegate: listener)
    try await eventually("audio is recorded") { output.recordedDuration > .zero }
    isHanging.update { $0 = true }
    try await eventually("the free space is queried") { isAsked.load(ordering: .acquiring) }
    output.stopRecording()
    #expect(try await listener.end() == nil)
    #expect(try StrictDecoder(path: url.path).run().isClean)
  }

  @Test func stopping_the_session_completes_the_audio_file() async throws {
    session.startRunning()
    let listener = Listener()
    let url = folder.url("tone.mov")
    output.startRecording(to: url, outputFileType: .mov, recordingDelegate: listener)
    try await eventually("audio is recorded") { output.recordedDuration > .zero }
    session.stopRunning()
    #expect(try await listener.end() == nil)
    #expect(try StrictDecoder(path: url.path).run().isClean)
  }

  @Test func audio_that_cannot_be_recorded_ends_with_an_error() async throws {
    func end(_ name: String, _ type: AVFileType) async throws -> AVError? {
      let listener = Listener()
      output.startRecording(
        to: folder.url(name), outputFileType: type, recordingDelegate: listener)
      return try await listener.end()
    }
    #expect(try await end("a.mov", .mov)?.code == .sessionNotRunning)
    session.startRunning()
    defer { session.stopRunning() }
    for type in [AVFileType.aifc, .mp3, .mp4] {
      let error = try await end("a.mov", type)
      #expect(error?.code == .unsupportedOutputSettings)
      #expect(error?.message.contains(type.rawValue) == true)
    }
    output.audioSettings = [AVFormatIDKey: kAudioFormatLinearPCM]
    #expect(try await end("a.m4a", .m4a)?.code == .unsupportedOutputSettings)
    output.audioSettings = [AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMIsBigEndianKey: true]
    #expect(try await end("a.wav", .wav)?.message.contains("little-endian") == true)
    output.audioSettings = [AVFormatIDKey: kAudioFormatMPEG4AAC]
    #expect(try await end("a.caf", .caf)?.message.contains(".m4a") == true)
    output.audioSettings = [AVFormatIDKey: kAudioFormatLinearPCM, "Fast": true]
    #expect(try await end("a.mov", .mov)?.message.contains("Fast") == true)
    output.audioSettings = nil
    output.metadata = [AVMutableMetadataItem()]
    #expect(try await end("a.mov", .mov)?.message.contains("metadata") == true)
    output.metadata = []
    let url = folder.url("taken.mov")
    try Data().write(to: url)
    #expect(try await end("taken.mov", .mov)?.code == .fileAlreadyExists)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(files == ["taken.mov"])
  }
}
