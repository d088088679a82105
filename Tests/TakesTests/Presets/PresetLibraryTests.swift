import Foundation
import MediaCore
import Testing

@testable import CaptureDevices
@testable import Takes
@testable import VideoRecorder

@Suite struct PresetLibraryTests {
  /// A folder that is removed when the body is done.
  private func withFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "presets-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }

  private let shipped = PresetLibrary(userFolder: "/nonexistent")

  @Test func every_preset_of_the_folder_is_in_the_binary() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../presets").standardized
    let files = try FileManager.default
      .contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "toml" }
    #expect(files.count >= 30)
    #expect(
      Set(shipped.entries.map(\.name))
        == Set(files.map { $0.deletingPathExtension().lastPathComponent }))
    for file in files {
      let text = try String(contentsOf: file, encoding: .utf8)
      let name = file.deletingPathExtension().lastPathComponent
      #expect(
        try shipped.text(named: name).trimmingCharacters(in: .newlines)
          == text.trimmingCharacters(in: .newlines))
      #expect(text.hasPrefix("# "), "\(name) says in a comment what it is for")
    }
  }

  @Test(arguments: ["422": VideoCodecType.proRes422, "hq": .proRes422HQ])
  func what_a_name_says_is_in_the_preset(suffix: String, codec: VideoCodecType) throws {
    let hd = VideoDimensions(width: 1920, height: 1080)
    let uhd = VideoDimensions(width: 3840, height: 2160)
    let wanted: [(String, VideoDimensions, FrameRate, FieldOrder)] = [
      ("1080p23.976", hd, .fps23_976, .progressive), ("1080p25", hd, .fps25, .progressive),
      ("1080p29.97", hd, .fps29_97, .progressive), ("1080p50", hd, .fps50, .progressive),
      ("1080p59.94", hd, .fps59_94, .progressive), ("1080i50", hd, .fps25, .topFieldFirst),
      ("1080i59.94", hd, .fps29_97, .topFieldFirst), ("uhd24", uhd, .fps24, .progressive),
      ("uhd25", uhd, .fps25, .progressive), ("uhd30", uhd, .fps30, .progressive),
      ("uhd50", uhd, .fps50, .progressive), ("uhd60", uhd, .fps60, .progressive),
    ]
    for (name, size, rate, order) in wanted {
      let preset = try shipped.preset(named: "\(name)-\(suffix)")
      #expect(preset.video.dimensions == size && preset.video.frameRate == rate)
      #expect(preset.video.fieldOrder == order && preset.video.codec == codec)
      #expect(preset.video.tiers == FormatTier.true10Bit422)
      #expect(!preset.summary.isEmpty && preset.origin == .builtIn)
    }
  }

  @Test func all_shipped_presets_follow_the_schema() throws {
    for entry in shipped.entries {
      let preset = try shipped.preset(named: entry.name)
      #expect(preset.name == entry.name && !preset.summary.isEmpty)
    }
  }

  @Test func the_technotes_limits_are_a_preset() throws {
    let video = try shipped.preset(named: "tn3104").video
    #expect(video.codec == .proRes422 && video.tiers == [.native10Bit422])
    #expect(video.allows(VideoDimensions(width: 3840, height: 2160), at: .fps30))
    #expect(!video.allows(VideoDimensions(width: 3840, height: 2160), at: .fps59_94))
    #expect(video.allows(VideoDimensions(width: 1920, height: 1080), at: .fps60))
    let small = try shipped.preset(named: "tn3104-small-storage").video
    #expect(small.allows(VideoDimensions(width: 1920, height: 1080), at: .fps30))
    #expect(!small.allows(VideoDimensions(width: 1920, height: 1080), at: .fps60))
  }

  @Test func a_users_preset_is_found_and_hides_a_shipped_one() throws {
    try withFolder { folder in
      try "[video]\ncodec = \"proxy\"".write(
        to: folder.appending(path: "1080p25-hq.toml"), atomically: true, encoding: .utf8)
      try "[video]\ncodec = \"lt\"".write(
        to: folder.appending(path: "mine.toml"), atomically: true, encoding: .utf8)
      let library = PresetLibrary(userFolder: folder.path)
      #expect(library.entries.prefix(2).map(\.name) == ["1080p25-hq", "mine"])
      #expect(library.entries.count == shipped.entries.count + 1)
      #expect(try library.preset(named: "1080p25-hq").video.codec == .proRes422Proxy)
      let byPath = try library.preset(named: folder.appending(path: "mine.toml").path)
      #expect(byPath.video.codec == .proRes422LT && byPath.name == "mine")
    }
  }

  @Test func a_broken_users_preset_is_named_by_its_path() throws {
    try withFolder { folder in
      let file = folder.appending(path: "bad.toml")
      try "[video]\nrate = \"x\"".write(to: file, atomically: true, encoding: .utf8)
      let library = PresetLibrary(userFolder: folder.path)
      let error = #expect(throws: CaptureError.self) { try library.preset(named: "bad") }
      #expect(error?.message.hasPrefix("\(file.path):2:1: video.rate: ") == true)
      try Data([0xFF, 0xFE, 0x80]).write(to: file)
      #expect(throws: CaptureError.self) { try library.preset(named: "bad") }
    }
  }

  @Test func a_missing_preset_names_its_neighbours() {
    let error = #expect(throws: CaptureError.self) { try shipped.preset(named: "1080p25") }
    #expect(error?.message.contains("did you mean '1080p25-hq'?") == true)
    #expect(throws: CaptureError.self) { try shipped.preset(named: "./no-such.toml") }
    #expect(throws: CaptureError.self) { try shipped.preset(named: "../presets") }
  }

  @Test func the_users_folder_follows_the_xdg_variable() {
    #expect(PresetLibrary.standardUserFolder("/cfg") == "/cfg/recordctl/presets")
    #expect(PresetLibrary.standardUserFolder("relative").hasSuffix("/.config/recordctl/presets"))
    #expect(PresetLibrary.standardUserFolder(nil).hasSuffix("/.config/recordctl/presets"))
  }
}
