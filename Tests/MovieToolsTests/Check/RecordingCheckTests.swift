import AssetWriter
import Foundation
import MediaCore
import QuickTime
import Takes
import TestSupport
import Testing

@testable import MovieTools

/// Reports about a recording before it is made.
struct RecordingCheckTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func item(_ name: String, of check: RecordingCheck) throws -> RecordingCheck.Item {
    try #require(check.items.first { $0.name == name }, "\(check.items)")
  }

  private func speed(
    _ bytesPerSecond: Double, freeBytes: Int64 = 1 << 40, freeFiles: Int64? = nil
  ) -> DiskSpeed {
    DiskSpeed(
      folder: "/media", bytesWritten: 1, bytesPerSecond: bytesPerSecond,
      slowestWriteMilliseconds: 1, freeBytes: freeBytes, freeFiles: freeFiles)
  }

  private func encoding(_ framesPerSecond: Double) -> EncodingSpeed {
    EncodingSpeed(
      encoder: "test", frameCount: 1, framesPerSecond: framesPerSecond, millisecondsPerFrame: 1,
      bytesPerFrame: 1)
  }

  // MARK: The name

  @Test func an_unusable_output_name_is_reported() throws {
    var request = RecordingRequest(preset: Preset(name: "test"))
    request.deviceID = "pattern"
    let setup = try RecordingSetup(request)
    func reported(_ output: String) -> [RecordingCheck.Item] {
      var check = RecordingCheck()
      check.checkName(output, setup)
      return check.items
    }
    let (movie, link) = (folder.path("taken.mov"), folder.path("link.mov"))
    try Data().write(to: URL(filePath: movie))
    // A dangling link.
    #expect(symlink(folder.path("none"), link) == 0)
    #expect(reported(folder.path("{reel}-{scene}-{take}.mov")).isEmpty)
    #expect(reported(folder.path("")).isEmpty)
    for (output, isGood, words) in [
      (movie, true, "allow overwriting"), (link, false, "not a regular file"),
      (folder.path(String(repeating: "a", count: 300)), false, "300 bytes; the limit is 240"),
    ] {
      let item = try #require(reported(output).first)
      #expect(item.name == "output" && item.isGood == isGood)
      #expect(item.message.contains(words), "\(item)")
    }
  }

  // MARK: What is recorded

  @Test(arguments: [
    ("pattern", "nosuch", "audio"), ("pattern", "tone?channels=99", "audio"),
    ("nosuch", "none", "device"), ("pattern?size=2x2", "none", "device"),
  ])
  func invalid_selections_are_reported_under_their_item(
    device: String, audio: String, name: String
  ) throws {
    var request = RecordingRequest(preset: Preset(name: "test"))
    request.deviceID = device
    request.preset.audio.device = audio
    var check = RecordingCheck()
    #expect(check.checkSelection(request) == nil)
    #expect(check.items.map(\.name) == [name] && !check.isGood, "\(check.items)")
  }

  @Test func invalid_timecodes_and_channel_layouts_have_separate_items() {
    var request = RecordingRequest(preset: Preset(name: "test"))
    request.deviceID = "pattern"
    func reported(_ change: (inout Preset) -> Void) -> [String] {
      var request = request
      change(&request.preset)
      var check = RecordingCheck()
      #expect(check.checkSelection(request) == nil && !check.isGood)
      return check.items.map(\.name)
    }
    #expect(reported { $0.timecode = .start("10:00:00:99") } == ["timecode"])
    #expect(reported { $0.audio.channelLayout = .discrete(64) } == ["channel layout"])
    #expect(
      reported {
        $0.audio.device = "none"
        $0.audio.channelLayout = .stereo
      } == ["channel layout"])
  }

  // MARK: Room

  @Test func a_disk_with_few_free_inodes_has_no_room() throws {
    for (files, rate, isGood) in [
      (3, 100e6, false), (3, nil, false), (8, 100e6, true), (nil, 100e6, true),
    ] as [(Int64?, Double?, Bool)] {
      var check = RecordingCheck()
      check.neededBytesPerSecond = rate
      _ = check.judge(
        speed(150e6, freeFiles: files), reserve: 0, filesOnDisk: 1, named: "")
      let reported = try item("room", of: check)
      #expect(reported.isGood == isGood, "\(reported)")
      #expect(reported.message.contains("inodes") != isGood, "\(reported)")
    }
  }

  /// As in XFS, which creates inodes in the free space.
  @Test func a_full_disk_is_not_reported_as_lacking_inodes() throws {
    var check = RecordingCheck()
    check.neededBytesPerSecond = 100e6
    _ = check.judge(
      speed(150e6, freeBytes: 4096, freeFiles: 0), reserve: 0, filesOnDisk: 1, named: "")
    let reported = try item("room", of: check)
    #expect(!reported.isGood && reported.message.contains("make room"), "\(reported)")
    #expect(!reported.message.contains("inodes"), "\(reported)")
  }

  @Test(arguments: [(59 * 100_000_000, false), (61 * 100_000_000, true)])
  func room_for_less_than_a_minute_is_reported_with_a_remedy(free: Int64, isGood: Bool) throws {
    var check = RecordingCheck()
    check.neededBytesPerSecond = 100e6
    _ = check.judge(speed(150e6, freeBytes: free), reserve: 0, filesOnDisk: 1, named: "")
    let reported = try item("room", of: check)
    #expect(
      reported.isGood == isGood && reported.message.contains("make room") != isGood, "\(reported)")
  }

  // MARK: Two places

  @Test func both_folders_of_a_take_are_checked() throws {
    let (first, second) = (try folder.makeFolder("a").path, try folder.makeFolder("b").path)
    var check = RecordingCheck()
    check.neededBytesPerSecond = 1000
    check.checkDisks(first, SecondFolder(second, beside: first), reserve: 0, seconds: 0)
    #expect(check.items.map(\.name) == ["disk", "room", "second disk", "second room"])
    #expect(check.disk?.folder == first && check.secondDisk?.folder == second)
    #expect(check.minutesThatFit != nil && check.secondMinutesThatFit != nil)
    // Both are on the test's disk, which has to hold both files.
    #expect(try item("second disk", of: check).message.contains("for both files"))
    for path in [first, second] {
      #expect(try FileManager.default.contentsOfDirectory(atPath: path).isEmpty)
    }
    var one = RecordingCheck()
    one.checkDisks(first, nil, reserve: 0, seconds: 0)
    #expect(one.items.map(\.name) == ["disk"] && one.secondDisk == nil)
  }

  @Test func an_invalid_second_folder_is_reported() throws {
    let first = try folder.makeFolder("a").path
    for (second, words) in [
      (folder.path("missing"), "name a folder that exists"),
      (folder.path("a/../a"), "is the folder of the movies itself"),
    ] {
      var check = RecordingCheck()
      check.checkDisks(first, SecondFolder(second, beside: first), reserve: 0, seconds: 0)
      let reported = try item("second disk", of: check)
      #expect(!reported.isGood && reported.message.contains(words), "\(reported)")
      #expect(check.disk != nil && check.secondDisk == nil && !check.isGood)
    }
  }

  @Test func a_disk_holding_both_files_needs_twice_the_speed() throws {
    for (files, isGood) in [(1.0, true), (2.0, false)] {
      var check = RecordingCheck()
      check.neededBytesPerSecond = 100e6
      let minutes = check.judge(
        speed(150e6, freeBytes: 12_000_000_000), reserve: 0, filesOnDisk: files, named: "")
      #expect(try item("disk", of: check).isGood == isGood)
      #expect(try #require(minutes) <= 2 / files)
    }
  }

  // MARK: Encoding

  @Test func compressed_device_video_is_reported_as_not_measured() async throws {
    var check = RecordingCheck()
    let video = VideoFormatDescription(
      codec: "MJPG", dimensions: VideoDimensions(width: 640, height: 360))
    await check.checkEncoding(
      video, codec: .proRes422HQ, encoder: .automatic, rate: .fps25)
    let reported = try item("encoding", of: check)
    #expect(
      reported.message.hasPrefix("not measured") && reported.message.contains("MJPG"), "\(reported)"
    )
    #expect(reported.isGood && check.encoding == nil)
  }

  @Test func an_assumed_frame_rate_is_reported() throws {
    for (rate, isAssumed) in [(nil, true), (FrameRate.fps25, false)] as [(FrameRate?, Bool)] {
      var check = RecordingCheck()
      check.judge(encoding(29), rate: rate)
      let reported = try item("encoding", of: check)
      #expect(reported.isGood != isAssumed, "29 frames are too few for 30, and enough for 25")
      #expect(
        reported.message.contains("30 frames per second are assumed") == isAssumed, "\(reported)")
    }
  }
}
