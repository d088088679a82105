import MediaCore
import QuickTime
import TestSupport
import Testing

@testable import CaptureDevices
@testable import Takes
@testable import VideoRecorder

@Suite struct PresetReaderTests {
  private func read(_ text: String) throws(CaptureError) -> Preset {
    try PresetReader.read(text, name: "x", path: "presets/x.toml", origin: .file("presets/x.toml"))
  }

  @Test func hdr_and_channel_layouts_are_read_or_refused_with_a_reason() throws {
    let preset = try read(
      """
      [video]
      mastering-display = "bt2020:1000:0.005"
      content-light = "1000,400"
      [audio]
      channel-layout = "5.1"
      """)
    #expect(preset.video.masteringDisplay?.maximumLuminance == 10_000_000)
    #expect(preset.video.contentLight?.maximumFrameAverage == 400)
    #expect(preset.audio.channelLayout?.name == "5.1" && preset.audio.channelCount == 6)
    for (text, word) in [
      ("[audio]\nchannels = 2\nchannel-layout = \"5.1\"", "6 channels, not 2"),
      ("[audio]\nchannel-layout = \"5.2\"", "channel layout"),
      ("[video]\ncontent-light = \"1000\"", "1000,400"),
      ("[video]\nmastering-display = \"p3\"", "p3-d65"),
    ] {
      let error = #expect(throws: CaptureError.self) { try read(text) }
      #expect(error?.message.contains(word) == true, "\(error?.message ?? "")")
    }
  }

  @Test(arguments: ["\"\"", "title", "\"title\"", "\".title\"", "\"com..title\"", "\"com.a b\""])
  func invalid_metadata_keys_are_refused_with_their_line(key: String) {
    let error = #expect(throws: CaptureError.self) { try read("[metadata]\n\(key) = \"a\"") }
    #expect(error?.message.hasPrefix("presets/x.toml:2:") == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("com.apple.quicktime.title") == true)
  }

  @Test func an_unquoted_metadata_key_gets_an_error_about_quotes() {
    let text = "[metadata]\ncom.apple.quicktime.title = \"a\""
    let error = #expect(throws: CaptureError.self) { try read(text) }
    #expect(error?.message.contains("quotes") == true, "\(error?.message ?? "")")
  }

  @Test func every_preset_key_is_read() throws {
    let preset = try read(
      """
      summary = "a test"
      [video]
      size = "1280x720"
      rate = 29.97
      scan = "progressive"
      codec = "lt"
      encoder = "libavcodec:prores_aw"
      tiers = [1, 3]
      [audio]
      device = "alsa:hw:1"
      channels = 16
      sample-rate = 96000
      sample-format = "int32"
      layout = "mono"
      [timecode]
      start = "01:00:00;00"
      [file]
      fragment-interval = 1
      sync = "at-end"
      [limits]
      max-duration = "1m30s"
      max-size = "64GB"
      min-free-seconds = 2.5
      [threads]
      priority = "normal"
      processors = [0, 3]
      [metadata]
      "com.apple.quicktime.title" = "Scene 1"
      """)
    #expect(preset.summary == "a test")
    #expect(preset.video.dimensions == VideoDimensions(width: 1280, height: 720))
    #expect(preset.video.frameRate == .fps29_97)
    #expect(preset.video.fieldOrder == .progressive)
    #expect(preset.video.codec == .proRes422LT)
    #expect(preset.video.encoder == "libavcodec:prores_aw")
    #expect(preset.video.tiers == [.native10Bit422, .eightBit422])
    #expect(preset.audio.device == "alsa:hw:1")
    #expect(preset.audio.channelCount == 16)
    #expect(preset.audio.sampleRate == 96_000)
    #expect(preset.audio.sampleFormat == .int32)
    #expect(preset.audio.layout == .mono)
    #expect(preset.timecode == .start("01:00:00;00"))
    #expect(preset.fragmentInterval == 1)
    #expect(preset.syncPolicy == .atEnd)
    #expect(preset.limits.maximumSeconds == 90)
    #expect(preset.limits.maximumByteCount == 64_000_000_000)
    #expect(preset.limits.minimumFreeSeconds == 2.5)
    #expect(preset.threads == ThreadOptions(isRaised: false, processors: [0, 3]))
    #expect(preset.metadata == ["com.apple.quicktime.title": "Scene 1"])
  }

  @Test func omitted_preset_keys_have_their_defaults() throws {
    #expect(try read("") == Preset(name: "x", origin: .file("presets/x.toml")))
  }

  @Test func an_extending_preset_overrides_only_the_keys_it_sets() throws {
    let base = try read("extends = \"1080i50-422\"")
    #expect(base.name == "x" && base.origin == .file("presets/x.toml"))
    #expect(base.summary == "1080i50, ProRes 422")
    let preset = try read(
      """
      extends = "1080i50-422"
      summary = "ours"
      [video]
      codec = "hq"
      [limits]
      max-duration = "2h"
      [metadata]
      "com.apple.quicktime.title" = "Scene 1"
      """)
    var wanted = base
    wanted.summary = "ours"
    wanted.video.codec = .proRes422HQ
    wanted.limits.maximumSeconds = 7200
    wanted.metadata = ["com.apple.quicktime.title": "Scene 1"]
    #expect(preset == wanted)
    #expect(preset.video.fieldOrder == .topFieldFirst && preset.limits.minimumFreeSeconds == 30)
  }

  @Test func bounds_replace_those_of_the_extended_preset() throws {
    let video = try read(
      """
      extends = "tn3104"
      [[video.modes]]
      max-size = "1280x720"
      max-rate = 60
      """
    ).video
    #expect(video.modes.count == 1 && video.tiers == [.native10Bit422])
  }

  @Test(
    arguments: [
      (
        "[video]\nsize = \"1920x1080\"\ncodec = \"h264\"",
        "presets/x.toml:3:1: video.codec: \"h264\""
      ),
      ("extends = 1", "presets/x.toml:1:1: extends: must be a string, not an integer"),
      (
        "extends = \"1080p25-hp\"",
        "presets/x.toml:1:1: extends: unknown built-in preset '1080p25-hp' (did you mean '1080p25-hq'?)"
      ),
      (
        "extends = \"1080p25-hq\"\n[timecode]\nstart = \"01:00:00;00\"",
        "presets/x.toml:3:1: timecode.start: \"01:00:00;00\" is not a timecode at 25"
      ),
      ("summary = 1", "presets/x.toml:1:1: summary: must be a string, not an integer"),
      ("\n\nshoesize = 1", "presets/x.toml:3:1: shoesize: no such key"),
      ("[video]\n  color = \"red\"", "presets/x.toml:2:3: video.color: no such key"),
      ("vido.size = 3", "presets/x.toml:1:1: vido: no such key (did you mean 'video'?)"),
      ("\n[vido.modes]\na = 1", "presets/x.toml:2:1: vido: no such key"),
      ("summary = \"a\"\r\n\r\n[video]\r\nsize = 3\r\n", "presets/x.toml:4:1: video.size: "),
      ("[file]\nsecond-folder = \"\"", "presets/x.toml:2:1: file.second-folder: is empty"),
      ("[library]\nfolder = \"\"", "presets/x.toml:2:1: library.folder: is empty"),
      (
        "extends = \"mine\"",
        "presets/x.toml:1:1: extends: unknown built-in preset 'mine'; choose a preset by name"
      ),
      ("video.color = 1", "presets/x.toml:1:1: video.color: no such key"),
      ("video = { rate = 25, color = 1 }", "presets/x.toml:1:1: video.color: no such key"),
      (
        "[audio]\nchannels = 17",
        "presets/x.toml:2:1: audio.channels: 17 is out of range; use 1 to 16"
      ),
      (
        "[audio]\nchannels = 0",
        "presets/x.toml:2:1: audio.channels: 0 is out of range; use 1 to 16"
      ),
      ("[audio]\nchannels = \"2\"", "presets/x.toml:2:1: audio.channels: must be an integer"),
      (
        "[audio]\nlayout = \"stereo\"", "presets/x.toml:2:1: audio.layout: unknown value \"stereo\""
      ),
      ("[audio]\ndevice = \"\"", "presets/x.toml:2:1: audio.device: is empty"),
      ("[video]\nrate = \"fast\"", "presets/x.toml:2:1: video.rate: \"fast\" is not a frame rate"),
      ("[video]\nrate = 0", "presets/x.toml:2:1: video.rate: \"0\" is not a frame rate"),
      ("[video]\nrate = true", "presets/x.toml:2:1: video.rate: must be a string or a number"),
      (
        "[video]\nsize = \"1921x1080\"",
        "presets/x.toml:2:1: video.size: \"1921x1080\" is not a size"
      ),
      ("[video]\nsize = \"1080p\"", "presets/x.toml:2:1: video.size: \"1080p\" is not a size"),
      ("[video]\ntiers = []", "presets/x.toml:2:1: video.tiers: is empty"),
      (
        "[video]\ntiers = [0]",
        "presets/x.toml:2:1: video.tiers: 0 is not an integer from 1 to 5"
      ),
      ("[video]\ntiers = 1", "presets/x.toml:2:1: video.tiers: must be an array"),
      ("[video]\nencoder = \"x264\"", "presets/x.toml:2:1: video.encoder: unknown value \"x264\""),
      ("[video]\nscan = \"i\"", "presets/x.toml:2:1: video.scan: unknown value \"i\""),
      ("[video]\ngaps = \"fill\"", "presets/x.toml:2:1: video.gaps: unknown value \"fill\""),
      ("video = 3", "presets/x.toml:1:1: video: must be a table"),
      ("[[video]]\nrate = 25", "presets/x.toml:1:1: video: must be a table, not an array"),
      ("[video]\nmodes = [1]", "presets/x.toml:2:1: video.modes: must be an array of tables"),
      ("[[video.modes]]\nmax-rate = 3", "presets/x.toml:1:1: video.modes: each mode needs"),
      (
        "[video]\nsize = \"1920x1080\"\nrate = 60\n[[video.modes]]\nmax-size = \"1920x1080\"\n"
          + "max-rate = 30", "presets/x.toml:4:1: video.modes: none of them allows"
      ),
      (
        "[video]\nsize = \"720x485\"\nscan = \"top-field-first\"",
        "presets/x.toml:2:1: video.size: 720x485: interlaced"
      ),
      (
        "[video]\nrate = 25\n[timecode]\nstart = \"01:00:00;00\"",
        "presets/x.toml:4:1: timecode.start: \"01:00:00;00\" is not a timecode at 25"
      ),
      (
        "[timecode]\nsource = \"sundial\"",
        "presets/x.toml:2:1: timecode.source: unknown value \"sundial\""
      ),
      ("[timecode]\nsource = \"start\"", "presets/x.toml:2:1: timecode.source: \"start\" needs"),
      (
        "[timecode]\nsource = \"none\"\nstart = \"01:00:00:00\"",
        "presets/x.toml:3:1: timecode.start: has no effect"
      ),
      (
        "[file]\nfragment-interval = 60",
        "presets/x.toml:2:1: file.fragment-interval: 60.0 is out of range"
      ),
      ("[file]\nsync = \"often\"", "presets/x.toml:2:1: file.sync: unknown value \"often\""),
      ("[limits]\nmax-duration = \"long\"", "presets/x.toml:2:1: limits.max-duration: \"long\""),
      ("[limits]\nmax-duration = \"300f\"", "presets/x.toml:2:1: limits.max-duration: \"300f\""),
      (
        "[limits]\nmax-size = \"big\"", "presets/x.toml:2:1: limits.max-size: \"big\" is not a size"
      ),
      ("[limits]\nmin-free-seconds = -1", "presets/x.toml:2:1: limits.min-free-seconds: -1.0"),
      (
        "[metadata]\n\"com.apple.quicktime.title\" = 1",
        "presets/x.toml:2:1: metadata.com.apple.quicktime.title: must be a string"
      ),
      ("[video\nrate = 25", "presets/x.toml:1:"),
      ("[$video]\nrate = 25", "presets/x.toml:1:2: '$' cannot begin a table name"),
      ("[[\n", "presets/x.toml:1:3: the line ends before the name of a table"),
      ("[video]\ntiers = [1, }", "presets/x.toml:2:13: '}' has no matching opening bracket"),
      ("summary = \u{A0}\"a\"", "presets/x.toml:1:11: U+A0 belongs in a string"),
      ("rate = = 25", "presets/x.toml:1:8: "),
      ("a = 1\na = 2", "presets/x.toml:2:"),
      ("a = 1\u{0}", "presets/x.toml: no text"),
    ])
  func an_error_names_file_line_column_and_key(text: String, message: String) {
    let error = #expect(throws: CaptureError.self) { try read(text) }
    #expect(error?.code == .invalidPreset)
    #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("\n") == false)
  }

  @Test(
    arguments: [
      ("time-of-day", Preset.TimecodeSource.timeOfDay), ("device", .device), ("none", .none),
    ])
  func timecode_sources_are_read_by_name(name: String, source: Preset.TimecodeSource) throws {
    #expect(try read("[timecode]\nsource = \"\(name)\"").timecode == source)
  }

  @Test func the_first_of_two_unknown_keys_is_named() {
    let error = #expect(throws: CaptureError.self) { try read("zebra = 1\nape = 2") }
    #expect(error?.message.hasPrefix("presets/x.toml:1:1: zebra") == true)
  }

  @Test func modes_limit_size_and_rate_in_combination() throws {
    let video = try read(
      """
      [[video.modes]]
      max-size = "3840x2160"
      max-rate = 30
      [[video.modes]]
      max-size = "1920x1080"
      max-rate = 60
      """
    ).video
    let uhd = VideoDimensions(width: 3840, height: 2160)
    let hd = VideoDimensions(width: 1920, height: 1080)
    #expect(video.allows(uhd, at: .fps30))
    #expect(!video.allows(uhd, at: .fps50))
    #expect(video.allows(hd, at: .fps60))
    #expect(!video.allows(VideoDimensions(width: 2048, height: 1080), at: .fps60))
  }

  @Test func corrupted_presets_never_crash_the_reader() throws {
    let whole = try PresetLibrary(userFolder: "/nonexistent").text(named: "1080p25-hq")
    var random = SeededGenerator(seed: 20)
    for _ in 0..<1000 {
      var bytes = Array(whole.utf8)
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
          in: 0...127, using: &random)
      }
      // Success or an error: both are fine, but an error must be a single line.
      do { _ = try read(String(decoding: bytes, as: UTF8.self)) } catch {
        #expect(error.message.hasPrefix("presets/x.toml") && !error.message.contains("\n"))
      }
    }
  }
}
