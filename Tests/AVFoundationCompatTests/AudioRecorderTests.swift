import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AVFoundationCompat

/// Voice notes, recorded with an audio recorder.
@Suite(.timeLimit(.minutes(10)))
struct AudioRecorderTests {
  /// Logs the delegate's calls.
  private final class Listener: AVAudioRecorderDelegate, Sendable {
    let calls = Mutex<[String]>([])

    func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) {
      calls.withLock { $0.append(flag ? "good" : "bad") }
    }
    func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?) {
      calls.withLock { $0.append("error") }
    }

    /// Waits for this many calls.
    func calls(_ count: Int) async throws -> [String] {
      try await eventually("the delegate is called") { calls.withLock { $0.count } >= count }
      return calls.withLock { $0 }
    }
  }

  private let tone: AVCaptureDevice
  private let folder: TemporaryFolder
  private let plain: [String: Any] = [
    AVFormatIDKey: Int(kAudioFormatLinearPCM), AVSampleRateKey: 16_000.0, AVNumberOfChannelsKey: 1,
    AVLinearPCMBitDepthKey: 16,
  ]

  init() throws {
    tone = try #require(AVCaptureDevice(uniqueID: "tone"))
    folder = try TemporaryFolder()
  }

  private func recorder(_ url: URL, _ settings: [String: Any]) throws -> AVAudioRecorder {
    try AVAudioRecorder(url: url, settings: settings, inputDevice: tone)
  }

  private func code(_ body: () throws -> Void) -> AVError.Code? {
    do { try body() } catch { return (error as? AVError)?.code }
    return nil
  }

  @Test func a_stopped_recorder_has_written_a_complete_file() async throws {
    let url = folder.url("note.wav")
    let recorder = try recorder(url, plain)
    let listener = Listener()
    recorder.delegate = listener
    #expect(recorder.url == url && recorder.delegate === listener && recorder == recorder)
    #expect(recorder.notes.isEmpty)
    #expect(recorder.format.sampleRate == 16_000 && recorder.format.channelCount == 1)
    #expect(recorder.settings[AVNumberOfChannelsKey] as? Int == 1)
    #expect(recorder.prepareToRecord() && !recorder.isRecording && recorder.currentTime == 0)
    #expect(recorder.record() && recorder.isRecording && recorder.error == nil)
    try await eventually("audio is recorded") { recorder.currentTime >= 0.2 }
    #expect(!recorder.deleteRecording())
    recorder.stop()
    #expect(!recorder.isRecording && recorder.currentTime == 0 && recorder.error == nil)
    let file = try AVAudioFile(forReading: url)
    #expect(file.length >= 3000 && file.fileFormat.sampleRate == 16_000)
    #expect(try await listener.calls(1) == ["good"])
    #expect(recorder.deleteRecording() && !recorder.deleteRecording())
  }

  @Test func a_pause_leaves_no_gap_and_another_recording_overwrites_the_file() async throws {
    let url = folder.url("note.wav")
    let recorder = try recorder(url, plain)
    #expect(recorder.record())
    try await eventually("audio is recorded") { recorder.currentTime > 0 }
    recorder.pause()
    #expect(!recorder.isRecording)
    let before = recorder.currentTime
    #expect(before > 0 && recorder.deviceCurrentTime > 0)
    #expect(recorder.record() && recorder.isRecording)
    try await eventually("more is recorded") { recorder.currentTime >= before + 0.1 }
    recorder.stop()
    #expect(try AVAudioFile(forReading: url).length >= Int64((before + 0.1) * 16_000) - 200)
    #expect(recorder.record(forDuration: 0.1))
    try await eventually("the recording ends by itself") { !recorder.isRecording }
    recorder.stop()
    #expect(try AVAudioFile(forReading: url).length == 1600)
  }

  @Test func a_recording_ends_at_its_duration_and_notifies_the_delegate() async throws {
    let recorder = try recorder(folder.url("note.m4a"), [:])
    let listener = Listener()
    recorder.delegate = listener
    #expect(recorder.record(forDuration: 0.1))
    #expect(try await listener.calls(1) == ["good"])
    #expect((recorder.error as? AVError)?.code == .maximumDurationReached)
    recorder.stop()
    let track = try #require(AVURLAsset(url: recorder.url).tracks.first)
    let description = try #require(track.formatDescriptions.first as? CMFormatDescription)
    #expect(description.audioStreamBasicDescription?.mSampleRate == 44_100)
  }

  @Test func a_recording_starts_no_earlier_than_requested() async throws {
    let recorder = try recorder(folder.url("note.wav"), plain)
    let start = recorder.deviceCurrentTime + 0.3
    #expect(recorder.record(atTime: start, forDuration: 0.1))
    try await eventually("the recording ends by itself") { !recorder.isRecording }
    #expect(recorder.deviceCurrentTime >= start)
    recorder.stop()
    #expect(try AVAudioFile(forReading: recorder.url).length == 1600)
    // A time in the past means now; a recording stopped before its start time has no audio.
    #expect(recorder.record(atTime: 0))
    try await eventually("audio is recorded") { recorder.currentTime > 0 }
    recorder.stop()
    #expect(recorder.error == nil && recorder.record(atTime: recorder.deviceCurrentTime + 1000))
    #expect(recorder.currentTime == 0)
    recorder.stop()
    #expect((recorder.error as? AVError)?.code == .noDataCaptured)
  }

  @Test func levels_are_metered_without_writing_a_file() async throws {
    let recorder = try recorder(URL(filePath: "/dev/null"), plain)
    #expect(recorder.averagePower(forChannel: 0) == -160)
    recorder.isMeteringEnabled = true
    #expect(recorder.isMeteringEnabled && recorder.record() && recorder.isRecording)
    try await eventually("the tone is heard") {
      recorder.updateMeters()
      return recorder.peakPower(forChannel: 0) > -100
    }
    #expect(recorder.averagePower(forChannel: 0) <= recorder.peakPower(forChannel: 0))
    #expect(recorder.peakPower(forChannel: 100) == -160 && recorder.currentTime > 0)
    recorder.pause()
    #expect(!recorder.isRecording)
    recorder.stop()
    #expect(!recorder.deleteRecording() && FileManager.default.fileExists(atPath: "/dev/null"))
  }

  @Test func keys_of_other_formats_are_noted_and_ignored() throws {
    var settings = plain
    settings[AVEncoderAudioQualityKey] = AVAudioQuality.high.rawValue
    settings[AVLinearPCMIsFloatKey] = true
    let notes = try recorder(folder.url("note.wav"), settings).notes
    #expect(notes.count == 2 && notes[0].contains(AVEncoderAudioQualityKey))
    settings[AVFormatIDKey] = kAudioFormatAppleLossless
    settings[AVEncoderBitRateKey] = 320_000
    let lossless = try recorder(folder.url("note.m4a"), settings)
    #expect(lossless.notes.count == 1 && lossless.notes[0].contains(AVLinearPCMIsFloatKey))
    let form = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
    let floats = try AVAudioRecorder(url: folder.url("note.caf"), format: form)
    #expect(floats.format.sampleRate == 48_000 && floats.notes.count == 1)
  }

  @Test func audio_recorders_refuse_invalid_requests_with_the_reason() throws {
    let url = folder.url("note.wav")
    #expect(code { _ = try recorder(folder.url("note.mp3"), plain) } == .fileFormatNotRecognized)
    #expect(
      code { _ = try recorder(url, [AVFormatIDKey: 1]) } == .unsupportedOutputSettings)
    #expect(
      code { _ = try recorder(folder.url("note.caf"), [AVFormatIDKey: kAudioFormatMPEG4AAC]) }
        == .unsupportedOutputSettings)
    let deaf = try AVAudioRecorder(url: url, settings: plain, device: { nil })
    #expect(!deaf.prepareToRecord() && !deaf.record() && !deaf.isRecording)
    #expect((deaf.error as? AVError)?.code == .deviceNotConnected)
    deaf.pause()
    deaf.stop()
    let folderItself = folder.url("a.wav")
    try FileManager.default.createDirectory(at: folderItself, withIntermediateDirectories: false)
    let blocked = try recorder(folderItself, plain)
    #expect(!blocked.record() && (blocked.error as? AVError)?.code == .fileAlreadyExists)
    #expect(!blocked.deleteRecording() && FileManager.default.fileExists(atPath: folderItself.path))
  }

  @Test func an_existing_file_is_kept_if_audio_cannot_be_converted() throws {
    let url = folder.url("note.wav")
    let old = Data("old".utf8)
    try old.write(to: url)
    var settings = plain
    // Thirteen channels have no usual layout, and nothing is mixed without one.
    settings[AVNumberOfChannelsKey] = 13
    let recorder = try recorder(url, settings)
    #expect(!recorder.record() && !recorder.isRecording)
    #expect((recorder.error as? AVError)?.code == .unsupportedOutputSettings)
    #expect(try Data(contentsOf: url) == old)
  }

  @Test func only_a_complete_recording_replaces_an_existing_file() async throws {
    let url = folder.url("note.wav")
    let old = Data("old".utf8)
    try old.write(to: url)
    let recorder = try recorder(url, plain)
    #expect(recorder.record(atTime: recorder.deviceCurrentTime + 1000))
    recorder.stop()
    #expect((recorder.error as? AVError)?.code == .noDataCaptured)
    #expect(try Data(contentsOf: url) == old, "a recording without audio replaces nothing")
    #expect(recorder.record())
    try await eventually("audio is recorded") { recorder.currentTime > 0 }
    #expect(try Data(contentsOf: url) == old)
    recorder.stop()
    #expect(recorder.error == nil)
    #expect(try AVAudioFile(forReading: url).length > 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url("").path)
    #expect(names == ["note.wav"])
  }

  @Test func a_recorder_reports_a_lost_device_and_keeps_its_audio() async throws {
    let microphone = FaultyMicrophone(tone.driver)
    let recorder = try AVAudioRecorder(
      url: folder.url("note.wav"), settings: plain, inputDevice: AVCaptureDevice(driver: microphone)
    )
    let listener = Listener()
    recorder.delegate = listener
    #expect(recorder.record())
    try await eventually("audio is recorded") { recorder.currentTime >= 0.1 }
    microphone.unplug()
    #expect(try await listener.calls(2) == ["error", "good"])
    #expect(!recorder.isRecording && recorder.currentTime == 0)
    #expect((recorder.error as? AVError)?.code == .deviceWasDisconnected)
    #expect(try AVAudioFile(forReading: recorder.url).length >= 1600)
    // It cannot record until the microphone is back.
    #expect(!recorder.record())
    #expect(recorder.error != nil)
    microphone.plug()
    #expect(recorder.record() && recorder.error == nil)
    try await eventually("audio is recorded") { recorder.currentTime > 0 }
    recorder.stop()
    #expect(recorder.error == nil)
    #expect(try await listener.calls(3).last == "good")
  }

  @Test func a_metering_recorder_reports_a_lost_device() async throws {
    let microphone = FaultyMicrophone(tone.driver)
    let recorder = try AVAudioRecorder(
      url: URL(filePath: "/dev/null"), settings: plain,
      inputDevice: AVCaptureDevice(driver: microphone))
    let listener = Listener()
    recorder.delegate = listener
    #expect(recorder.record() && recorder.isRecording)
    microphone.unplug()
    try await eventually("the recording has ended") { !recorder.isRecording }
    #expect((recorder.error as? AVError)?.code == .deviceWasDisconnected)
    recorder.stop()
    #expect(try await listener.calls(2) == ["error", "bad"])
  }

  @Test func a_session_failure_persists_until_the_interruption_ends() {
    let failure = SessionFailure()
    #expect(failure.error == nil)
    failure.note(.wasInterrupted(.deviceStalled, deviceID: "alsa:hw:1"))
    failure.note(.samplesLost(count: 1, reason: .outOfBuffers, deviceID: "alsa:hw:1"))
    #expect(failure.error?.code == .mediaDiscontinuity)
    #expect(failure.error?.message.contains("alsa:hw:1") == true)
    failure.note(.interruptionEnded(deviceID: "alsa:hw:1"))
    #expect(failure.error == nil)
  }
}
