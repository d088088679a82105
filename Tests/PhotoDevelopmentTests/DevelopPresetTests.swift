import Foundation
import ImageFiles
import MediaCore
import PhotoDevelopment
import RawDevelop
import TestSupport
import Testing

/// Built-in and user presets, and mistakes in them.
@Suite struct DevelopPresetTests {
  @Test func built_in_presets_are_read_and_make_recipes() throws {
    let folder = try TemporaryFolder()
    let library = DevelopPresetLibrary(userFolder: folder.path("none"))
    #expect(library.names == ["edit", "hdr", "web"])
    for name in library.names {
      let preset = try library.preset(named: name)
      #expect(preset.summary != nil && preset.name == name)
      _ = try DevelopRecipe(preset: preset)
    }
  }

  @Test func a_user_preset_overrides_a_built_in_one() throws {
    let folder = try TemporaryFolder()
    try Data("summary = \"Mine\"".utf8).write(to: folder.url("web.toml"))
    let library = DevelopPresetLibrary(userFolder: folder.path(""))
    #expect(try library.preset(named: "web").summary == "Mine")
    #expect(library.names.filter { $0 == "web" }.count == 1)
    let error = #expect(throws: PhotoDevelopmentError.self) { try library.preset(named: "wbe") }
    #expect(error?.code == .invalidPreset && error?.message.contains("web") == true)
  }

  @Test(
    arguments: [
      ("[light]\nexposure = \"bright\"", "exposure"), ("[light]\nexposure = 30", "-20 to 20"),
      ("[light]\nexposre = 1", "exposure"), ("[light]\nwhite = \"warm\"", "kelvins"),
      ("[file]\nformat = \"jpg\"", "jpeg"), ("[file]\nbit-depth = 9.5", "bit-depth"),
      ("[file]\nsize = \"0x4\"", "size"), ("light = 3", "table"), ("[light", ":1:"),
      ("[file]\nhdr = \"dolby\"", "pq"), ("nonsense = 1", "unknown key"),
    ])
  func an_invalid_preset_is_refused_with_a_remedy(text: String, word: String) {
    let error = #expect(throws: PhotoDevelopmentError.self) {
      try DevelopPreset(text, name: "p", path: "p.toml")
    }
    #expect(error?.code == .invalidPreset)
    #expect(
      error?.message.hasPrefix("p.toml") == true && error?.message.contains(word) == true,
      "\(error?.message ?? "")")
  }

  // MARK: HDR in other formats

  private func recipe(
    _ preset: String, _ change: (inout DevelopOptions) -> Void
  ) throws -> DevelopRecipe {
    var options = DevelopOptions()
    change(&options)
    return try DevelopRecipe(
      options, preset: DevelopPreset("[file]\n" + preset, name: "p", path: "p.toml"))
  }

  @Test(arguments: [
    (ImageFileFormat.heic, ImageDynamicRange.pq, 10), (.avif, .pq, 10), (.jpegXL, .pq, 16),
    (.png, .pq, 16),
  ])
  func hdr_formats_use_pq_if_the_preset_asks_for_a_gain_map(
    format: ImageFileFormat, range: ImageDynamicRange, depth: Int
  ) throws {
    for preset in ["format = \"jpeg-hdr\"", "hdr = \"gain-map\""] {
      let made = try recipe(preset) { $0.format = format }
      #expect(made.file.dynamicRange == range && made.file.bitDepth == depth)
      #expect(made.usedColorSpace == .linearRec2020)
      #expect(made.notes.map(\.kind) == [.highRangeReplaced])
      #expect(
        made.notes.first?.message
          == "the preset p asks for a gain map, which \(format.rawValue) does not support: the image is HDR by pq"
      )
    }
  }

  @Test func jpeg_uses_a_gain_map_if_the_preset_asks_for_hdr() throws {
    let same = try recipe("format = \"jpeg-hdr\"") { $0.format = .jpeg }
    #expect(same.file.format == .gainMapJPEG && same.notes.isEmpty)
    let other = try recipe("format = \"heic\"\nhdr = \"hlg\"") { $0.format = .jpeg }
    #expect(other.file.format == .gainMapJPEG)
    #expect(other.notes.map(\.kind) == [.highRangeReplaced])
    let kept = try recipe("format = \"heic\"\nhdr = \"hlg\"") { $0.format = .png }
    #expect(kept.file.dynamicRange == .hlg && kept.notes.isEmpty)
  }

  @Test func hdr_unsupported_by_the_file_is_reported() throws {
    func reported(_ words: String, _ change: (inout DevelopOptions) -> Void) throws {
      let made = try recipe("format = \"jpeg-hdr\"", change)
      #expect(made.file.dynamicRange == .standard)
      #expect(made.notes.map(\.kind) == [.settingsOmitted])
      #expect(
        made.notes.first?.message.contains("asks for HDR, but the image has none: \(words)")
          == true, "\(made.notes)")
    }
    try reported("tiff of 16 bits") { $0.format = .tiff }
    try reported("heic of 8 bits") { ($0.format, $0.bitDepth) = (.heic, 8) }
    try reported("heic has pq only in Rec. 2020") { ($0.format, $0.colorSpace) = (.heic, .sRGB) }
    // Floats and OpenEXR keep light above white.
    for format in [ImageFileFormat.tiff, .jpegXL] {
      let floats = try recipe("format = \"jpeg-hdr\"") { ($0.format, $0.bitDepth) = (format, 32) }
      #expect(floats.file.dynamicRange == .standard && floats.notes.isEmpty)
    }
    #expect(try recipe("hdr = \"pq\"") { $0.format = .openEXR }.notes.isEmpty)
  }

  @Test func preset_settings_unsuitable_for_the_format_are_reported() throws {
    func notes(_ preset: String, _ format: ImageFileFormat) throws -> [String] {
      try recipe(preset) { $0.format = format }.notes.map(\.message)
    }
    #expect(
      try notes("format = \"jpeg\"\nquality = 0.8", .png)
        == ["the preset p's quality is left out: png is lossless"])
    #expect(
      try notes("format = \"tiff\"\nbit-depth = 16", .jpeg)
        == ["the preset p's depth of 16 bits is left out: jpeg has 8"])
    #expect(try notes("format = \"tiff\"\nbit-depth = 16", .png).isEmpty)
    #expect(
      try notes("hdr = \"pq\"\nspace = \"srgb\"", .heic)
        == ["the preset p's color space is left out: heic has pq only in Rec. 2020"])
    #expect(
      try notes("space = \"srgb\"", .openEXR)
        == ["exr holds linear light: it has the primaries of srgb, but not its curve"])
  }
}
