package import CaptureDevices
package import MediaCore
import QuickTime
import VideoRecorder

/// Reads preset files: TOML, with a schema that is checked to the letter.
///
/// An unknown key, a wrong type or a value out of range is an error that names file, line, column
/// and key. A file that `extends` a built-in preset inherits the values that it does not set.
/// `docs/presets.md` describes the schema.
package enum PresetReader {
  /// Reads a preset from its text.
  ///
  /// - Parameters:
  ///   - text: The preset, as TOML.
  ///   - name: The name it is called by.
  ///   - path: The file's name as errors give it.
  ///   - origin: Where the preset comes from.
  /// - Throws: `CaptureError.Code.invalidPreset`.
  package static func read(
    _ text: String, name: String, path: String, origin: Preset.Origin
  ) throws(CaptureError) -> Preset {
    let root = PresetTable(try PresetDocument(text: text, path: path))
    try root.check(
      keys: "extends", "summary", "video", "audio", "timecode", "file", "limits", "faults",
      "threads",
      "library", "metadata")
    var preset = try base(of: root, origin: origin)
    preset.name = name
    preset.origin = origin
    preset.summary = try root.string("summary") ?? preset.summary
    if let video = try root.table("video") { try Self.video(video, into: &preset.video) }
    if let audio = try root.table("audio") { try Self.audio(audio, into: &preset.audio) }
    if let timecode = try root.table("timecode") {
      preset.timecode = try Self.timecode(timecode, rate: preset.video.frameRate)
    }
    if let file = try root.table("file") { try Self.file(file, into: &preset) }
    if let limits = try root.table("limits") { try Self.limits(limits, into: &preset.limits) }
    if let faults = try root.table("faults") { try Self.faults(faults, into: &preset.faults) }
    if let threads = try root.table("threads") { try Self.threads(threads, into: &preset.threads) }
    if let library = try root.table("library") { try Self.library(library, into: &preset.library) }
    if let metadata = try root.table("metadata") {
      for key in metadata.keys {
        guard Self.isMetadataKey(key) else {
          throw metadata.error(
            key,
            "is not a metadata key; write one in quotes with dots, such as "
              + "\"com.apple.quicktime.title\"")
        }
        preset.metadata[key] = try metadata.string(key)
      }
    }
    return preset
  }

  /// True for what can be a key: names with dots between them.
  private static func isMetadataKey(_ key: String) -> Bool {
    let names = key.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return names.count > 1
      && names.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0 > 0x20 && $0 != 0x7F } }
  }

  /// What a preset begins with: the built-in preset that it extends, or the defaults.
  private static func base(
    of root: PresetTable, origin: Preset.Origin
  ) throws(CaptureError) -> Preset {
    guard let name = try root.string("extends") else { return Preset(name: "", origin: origin) }
    guard let text = PresetLibrary.builtIn[name] else {
      let remark = Suggestion.remark(on: name, among: PresetLibrary.builtIn.keys.sorted())
      throw root.error(
        "extends",
        "unknown built-in preset '\(name)'\(remark); choose a preset by name, and not one of your own"
      )
    }
    return try read(text, name: name, path: "presets/\(name).toml", origin: .builtIn)
  }

  private static func video(
    _ table: PresetTable, into video: inout Preset.Video
  ) throws(CaptureError) {
    try table.check(
      keys: "size", "rate", "scan", "codec", "encoder", "gaps", "tiers", "modes",
      "mastering-display", "content-light")
    try highRange(table, into: &video)
    video.dimensions = try dimensions(table, "size") ?? video.dimensions
    video.frameRate = try rate(table, "rate") ?? video.frameRate
    video.fieldOrder =
      try table.choice(
        "scan",
        [
          FieldOrder.progressive.optionName: FieldOrder.progressive,
          FieldOrder.topFieldFirst.optionName: .topFieldFirst,
          FieldOrder.bottomFieldFirst.optionName: .bottomFieldFirst,
        ]) ?? video.fieldOrder
    let codecs = VideoCodecType.allProRes.map(\.shortName)
    video.codec =
      try table.parsed(
        "codec", wanted: "codec; choose one of \(codecs.joined(separator: ", "))", names: codecs
      ) {
        VideoCodecType(shortName: $0)
      } ?? video.codec
    video.encoder =
      try table.choice(
        "encoder",
        [
          "auto": "auto", "native": "native", "libavcodec": "libavcodec",
          "libavcodec:prores_ks": "libavcodec:prores_ks",
          "libavcodec:prores_aw": "libavcodec:prores_aw",
        ]) ?? video.encoder
    video.fillsGaps =
      try table.choice("gaps", ["repeat": true, "leave": false]) ?? video.fillsGaps
    if let tiers = try table.integers("tiers", in: 1...5) {
      guard !tiers.isEmpty else { throw table.error("tiers", "is empty; allow at least [1]") }
      video.tiers = Set(tiers.compactMap(FormatTier.init(rawValue:)))
    }
    let modes = try table.tables("modes")
    if !modes.isEmpty { video.modes = [] }
    for mode in modes {
      try mode.check(keys: "max-size", "max-rate")
      guard let size = try dimensions(mode, "max-size"), let rate = try rate(mode, "max-rate")
      else { throw table.error("modes", "each mode needs max-size and max-rate") }
      video.modes.append(FormatCriteria.Bound(maximumDimensions: size, maximumFrameRate: rate))
    }
    if let size = video.dimensions, let rate = video.frameRate, !video.allows(size, at: rate) {
      throw table.error("modes", "none of them allows the preset's own \(size) at \(rate)")
    }
    if video.fieldOrder?.isInterlaced == true, let size = video.dimensions, size.height % 2 != 0 {
      throw table.error("size", "\(size): interlaced video needs an even number of rows")
    }
  }

  private static func highRange(
    _ table: PresetTable, into video: inout Preset.Video
  ) throws(CaptureError) {
    video.masteringDisplay =
      try table.parsed(
        "mastering-display",
        wanted:
          "mastering display; write p3-d65:1000:0.0001 or G(x,y)B(x,y)R(x,y)WP(x,y)L(max,min)",
        MasteringDisplayColorVolume.init) ?? video.masteringDisplay
    video.contentLight =
      try table.parsed(
        "content-light",
        wanted: "content light level; write 1000,400, the pixel's before the frame's",
        ContentLightLevel.init) ?? video.contentLight
  }

  private static func library(
    _ table: PresetTable, into library: inout Preset.Library
  ) throws(CaptureError) {
    try table.check(keys: "save", "folder", "hooks")
    library.saves = try table.boolean("save") ?? library.saves
    library.folder = try table.folder("folder") ?? library.folder
    library.hooks = try table.strings("hooks") ?? library.hooks
  }

  private static func audio(
    _ table: PresetTable, into audio: inout Preset.Audio
  ) throws(CaptureError) {
    try table.check(
      keys: "device", "channels", "sample-rate", "sample-format", "layout", "channel-layout")
    audio.device = try table.string("device") ?? audio.device
    guard !audio.device.isEmpty else {
      throw table.error("device", "is empty; an identifier, \"auto\" or \"none\"")
    }
    audio.channelCount = try table.integer("channels", in: 1...16) ?? audio.channelCount
    audio.sampleRate = try table.integer("sample-rate", in: 8000...192_000) ?? audio.sampleRate
    audio.sampleFormat =
      try table.choice(
        "sample-format",
        ["int16": AudioFormat.SampleFormat.int16, "int24": .int24, "int32": .int32])
      ?? audio.sampleFormat
    audio.layout =
      try table.choice("layout", ["poly": Preset.Audio.Layout.poly, "mono": .mono])
      ?? audio.layout
    try channelLayout(table, into: &audio)
  }

  /// A layout brings its number of channels with it; a number that is given, too, must be that.
  private static func channelLayout(
    _ table: PresetTable, into audio: inout Preset.Audio
  ) throws(CaptureError) {
    let names = AudioChannelLayout.names
    audio.channelLayout =
      try table.parsed(
        "channel-layout",
        wanted:
          "channel layout; write \(names.joined(separator: ", ")), or channels such as L,R,C,LFE",
        names: names, AudioChannelLayout.init(name:)) ?? audio.channelLayout
    guard let layout = audio.channelLayout else { return }
    let isCounted = try table.integer("channels", in: 1...16) != nil
    let isNamed = try table.string("channel-layout") != nil
    if isNamed, !isCounted { audio.channelCount = layout.channelCount }
    // A preset that extends another one says anew what its channels are for.
    if isCounted, !isNamed, layout.channelCount != audio.channelCount { audio.channelLayout = nil }
    guard let layout = audio.channelLayout, layout.channelCount != audio.channelCount else {
      return
    }
    throw table.error(
      "channel-layout",
      "\(layout.name ?? "it") has \(layout.channelCount) channels, not \(audio.channelCount)")
  }

  private static func timecode(
    _ table: PresetTable, rate: FrameRate?
  ) throws(CaptureError) -> Preset.TimecodeSource {
    try table.check(keys: "source", "start")
    let start = try table.string("start")
    let source = try table.string("source") ?? (start == nil ? "time-of-day" : "start")
    switch (source, start) {
    case ("time-of-day", nil): return .timeOfDay
    case ("device", nil): return .device
    case ("none", nil): return .none
    case ("time-of-day", _), ("device", _), ("none", _):
      throw table.error("start", "has no effect with source = \"\(source)\"; use \"start\"")
    case ("start", let start?):
      // Without a rate of the preset's own the address is checked when the device's is known.
      guard rate == nil || Timecode(start, frameRate: rate ?? .fps25) != nil else {
        throw table.error("start", Self.timecodeFault(start, rate: rate ?? .fps25))
      }
      return .start(start)
    case ("start", nil):
      throw table.error("source", "\"start\" needs a start, such as start = \"01:00:00:00\"")
    default:
      throw table.error(
        "source", PresetTable.unknown(source, of: ["time-of-day", "device", "start", "none"]))
    }
  }

  package static func timecodeFault(_ text: String, rate: FrameRate) -> String {
    "\"\(text)\" is not a timecode at \(rate) frames per second; write HH:MM:SS:FF, or HH:MM:SS;FF for "
      + "drop-frame at 29.97 and 59.94 (where ;00 and ;01 exist only in each tenth minute)"
  }

  private static func file(
    _ table: PresetTable, into preset: inout Preset
  ) throws(CaptureError) {
    try table.check(
      keys: "fragment-interval", "sync", "name", "segment", "pre-roll", "pre-roll-size",
      "second-folder", "sidecar")
    preset.secondFolder = try table.folder("second-folder") ?? preset.secondFolder
    try takes(table, into: &preset)
    preset.writesSidecar = try table.boolean("sidecar") ?? preset.writesSidecar
    preset.fragmentInterval =
      try table.number("fragment-interval", in: 0.1...10) ?? preset.fragmentInterval
    preset.syncPolicy =
      try table.choice(
        "sync", ["every-fragment": Preset.SyncPolicy.everyFragment, "at-end": .atEnd])
      ?? preset.syncPolicy
  }

  private static func takes(
    _ table: PresetTable, into preset: inout Preset
  ) throws(CaptureError) {
    if let name = try table.string("name") {
      do throws(CaptureError) { _ = try MovieName(presetName: name) } catch {
        throw table.error("name", error.message)
      }
      preset.fileName = name
    }
    preset.segment =
      try table.parsed(
        "segment",
        wanted: "length or size; write 10m, 300f, or 4GB; a time is \(RecordingDuration.limit)",
        SegmentLimit.init)
      ?? preset.segment
    preset.preRoll =
      try table.parsed(
        "pre-roll", wanted: "duration; write 5s, 1m or 50f, \(RecordingDuration.limit)",
        RecordingDuration.init)
      ?? preset.preRoll
    preset.preRollByteCount =
      try table.parsed(
        "pre-roll-size", wanted: "size; write 500MB or 2GB", ByteCount.parse)
      ?? preset.preRollByteCount
  }

  private static func limits(
    _ table: PresetTable, into limits: inout Preset.Limits
  ) throws(CaptureError) {
    try table.check(keys: "max-duration", "max-size", "min-free-seconds")
    limits.maximumSeconds =
      try table.parsed(
        "max-duration",
        wanted: "duration; write 90, 10s, 1m30s or 2h, \(RecordingDuration.limit)"
      ) {
        guard case .seconds(let seconds)? = RecordingDuration($0) else { return nil }
        return seconds
      } ?? limits.maximumSeconds
    limits.maximumByteCount =
      try table.parsed(
        "max-size", wanted: "size; write bytes, or 500MB, 64GB, 1TB", ByteCount.parse)
      ?? limits.maximumByteCount
    limits.minimumFreeSeconds =
      try table.number("min-free-seconds", in: 0...86_400) ?? limits.minimumFreeSeconds
  }

  private static func faults(
    _ table: PresetTable, into faults: inout Preset.Faults
  ) throws(CaptureError) {
    try table.check(keys: "interruption", "stall-timeout", "max-wait", "slow-disk")
    faults.interruption =
      try table.choice(
        "interruption",
        [
          "new-segment": InterruptionPolicy.newSegment, "hold": .hold, "slate": .slate,
          "stop": .stop,
        ]) ?? faults.interruption
    faults.stallTimeout = try table.number("stall-timeout", in: 0...3600) ?? faults.stallTimeout
    faults.sourceWaitLimit =
      try table.number("max-wait", in: 0...86_400) ?? faults.sourceWaitLimit
    faults.slowDisk =
      try table.choice(
        "slow-disk", ["drop-frames": RecordingOptions.SlowDiskPolicy.dropFrames, "stop": .finish])
      ?? faults.slowDisk
  }

  private static func threads(
    _ table: PresetTable, into threads: inout ThreadOptions
  ) throws(CaptureError) {
    try table.check(keys: "priority", "processors")
    threads.isRaised =
      try table.choice("priority", ["raised": true, "normal": false]) ?? threads.isRaised
    threads.processors =
      try table.integers("processors", in: 0...8191) ?? threads.processors
  }

  private static func dimensions(
    _ table: PresetTable, _ key: String
  ) throws(CaptureError) -> VideoDimensions? {
    try table.parsed(
      key, wanted: "size; write WIDTHxHEIGHT with an even width, such as 1920x1080"
    ) {
      guard let size = VideoDimensions($0), size.width % 2 == 0 else { return nil }
      return size
    }
  }

  private static func rate(
    _ table: PresetTable, _ key: String
  ) throws(CaptureError) -> FrameRate? {
    try table.parsed(key, wanted: "frame rate; write 25, 29.97 or \"30000/1001\"") {
      FrameRate($0)
    }
  }
}
