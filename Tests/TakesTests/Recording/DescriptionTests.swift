import Foundation
import MediaCore
import QuickTime
import TestSupport
import Testing

@testable import CaptureDevices
@testable import TakeReports
@testable import Takes
@testable import VideoRecorder

/// What a recording states about HDR and its audio channels.
@Suite struct DescriptionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func request(_ device: String) -> RecordingRequest {
    var request = RecordingRequest(preset: Preset(name: "test"))
    request.deviceID = device
    request.duration = .frames(5)
    request.preset.video.dimensions = VideoDimensions(width: 640, height: 360)
    request.preset.video.codec = .proRes422Proxy
    request.preset.audio.device = "tone?pace=pattern"
    return request
  }

  /// Ten gray frames in raw 10-bit 4:2:2, with these color tags.
  private func frames(_ color: String) throws -> String {
    let path = folder.path("gray.yuv")
    let frame = [UInt8](repeating: 2, count: 2 * 2 * 640 * 360)
    try Data((0..<10).flatMap { _ in frame }).write(to: URL(filePath: path))
    return "file:\(path)?size=640x360&rate=25&format=yuv422p10&color=\(color)&loop=yes"
  }

  @Test func a_pre_roll_in_frames_uses_the_recorded_frame_rate() throws {
    var request = request("pattern?pace=none")
    request.preset.preRoll = .frames(50)
    let setup = try RecordingSetup(request)
    #expect(request.preset.video.frameRate == nil && setup.selection.frameRate == .fps29_97)
    let seconds = 50 * 1001 / 30_000.0
    #expect(abs(setup.output.options.preRollDuration.seconds - seconds) < 1e-6)
    #expect(setup.output.options.request?.preRoll.map { abs($0 - seconds) < 1e-6 } == true)
  }

  @Test(.tags(.judges), .enabled(if: Judges.arePresent, Judges.absence))
  func hdr_and_surround_are_recorded_and_reported() async throws {
    var request = request(try frames("pq"))
    request.preset.audio.device = "tone"
    request.preset.video.masteringDisplay = MasteringDisplayColorVolume("p3-d65:1000:0.0001")
    request.preset.video.contentLight = ContentLightLevel("1000,400")
    request.preset.audio.channelLayout = AudioChannelLayout(name: "5.1")
    request.preset.audio.channelCount = 6
    let path = folder.path("hdr.mov")
    let report = try await RecordingSetup(request).record(to: path)
    #expect(report.movie.contentLight == "1000,400")
    #expect(report.movie.masteringDisplay?.hasSuffix("L(10000000,1)") == true)
    #expect(report.audio.first?.channelLayout == "5.1")
    let words = try Judges.run(
      "ffprobe", ["-v", "error", "-show_streams", "-of", "default=nw=1", path]
    ).output
    #expect(words.contains("max_content=1000") && words.contains("max_average=400"))
    #expect(words.contains("red_x=34000/50000") && words.contains("max_luminance=10000000/10000"))
    #expect(words.contains("channel_layout=5.1"))
    let info = try Judges.run("mediainfo", [path]).output
    #expect(info.contains("Maximum Content Light Level") && info.contains("Display P3"))
    #expect(info.contains("L R C LFE Ls Rs"))
  }

  @Test func each_mono_track_of_a_layout_has_its_channel_label() async throws {
    var request = request("pattern?pace=none")
    request.preset.video.frameRate = .fps25
    request.preset.audio.channelLayout = AudioChannelLayout(name: "5.1")
    request.preset.audio.channelCount = 6
    request.preset.audio.layout = .mono
    let path = folder.path("mono.mov")
    _ = try await RecordingSetup(request).record(to: path)
    let tracks = try MovieIndex(path: path).audioTracks
    #expect(
      tracks.map { $0.audio?.channelLayout }
        == [1, 2, 3, 4, 5, 6].map { .labels([.init(rawValue: $0)]) })
  }

  @Test func contradictory_settings_are_refused_before_recording() throws {
    func message(_ change: (inout RecordingRequest) -> Void) -> String? {
      var request = request("pattern?pace=none")
      change(&request)
      let wanted = request
      let error = #expect(throws: CaptureError.self) { try RecordingSetup(wanted) }
      return error?.message
    }
    let display = MasteringDisplayColorVolume("bt2020:4000:0.005")
    #expect(
      message { $0.preset.video.masteringDisplay = display }?.contains("PQ or HLG") == true)
    #expect(
      message { $0.preset.audio.channelLayout = AudioChannelLayout(name: "5.1") }?.contains(
        "has 6 channels") == true)
    let silent = message {
      $0.preset.audio.device = "none"
      $0.preset.audio.channelLayout = .stereo
    }
    #expect(silent?.contains("no audio") == true)
  }
}
