import Foundation
import MediaCore
import TestSupport
import Testing

@testable import CaptureDevices
@testable import Takes
@testable import VideoRecorder

@Suite struct PresetLibraryTests {
  private let shipped = PresetLibrary(userFolder: "/nonexistent")

  private let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../presets").standardized

  @Test func every_file_in_the_folder_is_a_built_in_preset() throws {
    let files = try FileManager.default
      .contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "toml" }
    #expect(files.count >= 3)
    for file in files {
      let name = file.deletingPathExtension().lastPathComponent
      #expect(
        try shipped.text(named: name).trimmingCharacters(in: .newlines)
          == String(contentsOf: file, encoding: .utf8).trimmingCharacters(in: .newlines))
    }
  }

  @Test func the_example_preset_is_usable_unchanged() throws {
    let preset = try shipped.preset(named: folder.appending(path: "examples/production.toml").path)
    #expect(preset.video == (try shipped.preset(named: "1080p25-hq").video))
    #expect(preset.audio.channelCount == 4 && preset.audio.sampleFormat == .int24)
    #expect(preset.fileName == "{reel}-{scene}-{take}" && preset.limits.minimumFreeSeconds == 30)
  }

  @Test func the_model_file_is_itself_a_standard_preset() throws {
    let model = try #require(StandardPreset.all.first { $0.name == StandardPreset.modelName })
    let text = try shipped.text(named: StandardPreset.modelName)
    #expect(model.text(model: text) == text)
  }

  @Test func standard_presets_describe_format_and_data_rate() throws {
    let text = try shipped.text(named: "1080i59.94-422")
    #expect(
      text.hasPrefix(
        """
        # Full HD, 59.94 fields per second, top field first, ProRes 422.
        # For television in 60 Hz countries: 30000/1001 frames of two fields.
        # At most about 147 Mb/s of video: 18 MB/s, 66 GB per hour.

        summary = "1080i59.94, ProRes 422"

        [video]
        size = "1920x1080"
        rate = "29.97"
        scan = "top-field-first"
        codec = "422"
        encoder = "auto"
        """))
    #expect(try shipped.preset(named: "uhd60-hq").summary == "UHD 60p, ProRes 422 HQ")
    #expect(
      try shipped.text(named: "uhd60-hq").contains("1770 Mb/s of video: 221 MB/s, 796 GB per hour.")
    )
  }

  @Test func preset_names_used_by_scripts_stay_available() {
    let rates = ["23.976", "25", "29.97", "50", "59.94"]
    let hd = (rates.map { "1080p\($0)" } + ["1080i50", "1080i59.94"])
    let uhd = ["24", "25", "30", "50", "60"].map { "uhd\($0)" }
    let names =
      (hd + uhd).flatMap { ["\($0)-422", "\($0)-hq"] }
      + rates.flatMap { ["offline-1080p\($0)-lt", "offline-1080p\($0)-proxy"] }
      + ["tn3104", "tn3104-small-storage"]
    #expect(names.count == 36)
    #expect(Set(names).subtracting(shipped.entries.map(\.name)).isEmpty)
    #expect(Set(StandardPreset.all.map(\.name)).count == StandardPreset.all.count)
  }

  @Test(arguments: ["proxy": VideoCodecType.proRes422Proxy, "lt": .proRes422LT])
  func offline_presets_use_light_codecs(suffix: String, codec: VideoCodecType) throws {
    let video = try shipped.preset(named: "offline-1080p50-\(suffix)").video
    #expect(video.codec == codec && video.frameRate == .fps50)
    #expect(video.dimensions == VideoDimensions(width: 1920, height: 1080))
  }

  @Test(arguments: ["422": VideoCodecType.proRes422, "hq": .proRes422HQ])
  func preset_names_match_their_settings(suffix: String, codec: VideoCodecType) throws {
    let hd = VideoDimensions(width: 1920, height: 1080)
    let uhd = VideoDimensions(width: 3840, height: 2160)
    let wanted: [(String, VideoDimensions, FrameRate, FieldOrder)] = [
      ("1080p23.976", hd, .fps23_976, .progressive), ("1080p25", hd, .fps25, .progressive),
      ("1080p29.97", hd, .fps29_97, .progressive), ("1080p50", hd, .fps50, .progressive),
      ("1080p59.94", hd, .fps59_94, .progressive), ("1080i50", hd, .fps25, .topFieldFirst),
      ("1080i59.94", hd, .fps29_97, .topFieldFirst), ("uhd24", uhd, .fps24, .progressive),
      ("uhd25", uhd, .fps25, .progressive), ("uhd30", uhd, .fps30, .progressive),
      ("uhd50", uhd, .fps50, .progressive), ("uhd60", uhd, .fps60, .progressive),
      ("uhd23.976", uhd, .fps23_976, .progressive), ("uhd29.97", uhd, .fps29_97, .progressive),
      ("uhd59.94", uhd, .fps59_94, .progressive),
    ]
    for (name, size, rate, order) in wanted {
      let preset = try shipped.preset(named: "\(name)-\(suffix)")
      #expect(preset.video.dimensions == size && preset.video.frameRate == rate)
      #expect(preset.video.fieldOrder == order && preset.video.codec == codec)
      #expect(preset.video.tiers == FormatTier.true10Bit422)
      #expect(!preset.summary.isEmpty && preset.origin == .builtIn)
    }
  }

  @Test func all_shipped_presets_load_with_name_and_summary() throws {
    for entry in shipped.entries {
      let preset = try shipped.preset(named: entry.name)
      #expect(preset.name == entry.name && !preset.summary.isEmpty)
    }
  }

  @Test func tn3104_limits_are_available_as_presets() throws {
    let video = try shipped.preset(named: "tn3104").video
    #expect(video.codec == .proRes422 && video.tiers == [.native10Bit422])
    #expect(video.allows(VideoDimensions(width: 3840, height: 2160), at: .fps30))
    #expect(!video.allows(VideoDimensions(width: 3840, height: 2160), at: .fps59_94))
    #expect(video.allows(VideoDimensions(width: 1920, height: 1080), at: .fps60))
    let small = try shipped.preset(named: "tn3104-small-storage").video
    #expect(small.allows(VideoDimensions(width: 1920, height: 1080), at: .fps30))
    #expect(!small.allows(VideoDimensions(width: 1920, height: 1080), at: .fps60))
  }

  @Test func a_user_preset_overrides_a_shipped_one() throws {
    let folder = try TemporaryFolder()
    try "[video]\ncodec = \"proxy\"".write(
      to: folder.url("1080p25-hq.toml"), atomically: true, encoding: .utf8)
    try "[video]\ncodec = \"lt\"".write(
      to: folder.url("mine.toml"), atomically: true, encoding: .utf8)
    let library = PresetLibrary(userFolder: folder.path)
    #expect(library.entries.prefix(2).map(\.name) == ["1080p25-hq", "mine"])
    #expect(library.entries.count == shipped.entries.count + 1)
    #expect(try library.preset(named: "1080p25-hq").video.codec == .proRes422Proxy)
    let byPath = try library.preset(named: folder.url("mine.toml").path)
    #expect(byPath.video.codec == .proRes422LT && byPath.name == "mine")
  }

  @Test func errors_in_a_user_preset_name_its_path() throws {
    let folder = try TemporaryFolder()
    let file = folder.url("bad.toml")
    try "[video]\nrate = \"x\"".write(to: file, atomically: true, encoding: .utf8)
    let library = PresetLibrary(userFolder: folder.path)
    let error = #expect(throws: CaptureError.self) { try library.preset(named: "bad") }
    #expect(error?.message.hasPrefix("\(file.path):2:1: video.rate: ") == true)
    try Data([0xFF, 0xFE, 0x80]).write(to: file)
    #expect(throws: CaptureError.self) { try library.preset(named: "bad") }
  }

  @Test func an_unknown_preset_name_gets_a_suggestion() {
    let error = #expect(throws: CaptureError.self) { try shipped.preset(named: "1080p25") }
    #expect(error?.message.contains("did you mean '1080p25-hq'?") == true)
    #expect(throws: CaptureError.self) { try shipped.preset(named: "./no-such.toml") }
    #expect(throws: CaptureError.self) { try shipped.preset(named: "../presets") }
  }

  @Test func the_user_folder_follows_the_xdg_variable() {
    #expect(PresetLibrary.standardUserFolder("/cfg") == "/cfg/recordctl/presets")
    #expect(PresetLibrary.standardUserFolder("relative").hasSuffix("/.config/recordctl/presets"))
    #expect(PresetLibrary.standardUserFolder(nil).hasSuffix("/.config/recordctl/presets"))
  }
}
