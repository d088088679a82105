import MediaCore

extension MovieIndex.Track {
  /// The typed view of a track. What cannot be read is left out.
  init(_ record: TrackRecord, movieTimescale: UInt32, source: any MovieByteSource) {
    self.id = TrackID(rawValue: record.id)
    self.mediaType = MediaType(handler: record.handler.description)
    self.codec =
      record.sampleEntry.count >= 8
      ? FourCharCode(
        rawValue: record.sampleEntry[4..<8].reduce(0) { $0 << 8 | UInt32($1) })
      : FourCharCode(rawValue: 0)
    self.timescale = Int32(clamping: record.timescale)
    self.name = TrackFacts.name(record)
    self.isEnabled = record.isEnabled
    self.references = Dictionary(
      record.references.map { ($0.type, $0.tracks.map { TrackID(rawValue: $0) }) },
      uniquingKeysWith: { first, _ in first })
    self.edits = record.edits
    self.duration = MediaTime(
      value: record.presentationDuration(movieTimescale: movieTimescale),
      timescale: Int32(clamping: movieTimescale))
    self.displaySize = (Double(record.displayWidth) / 65536, Double(record.displayHeight) / 65536)
    self.samples = record.samples
    self.compositionOffsets = record.compositionOffsets
    self.soundBlock = SoundBlock(record)
    self.fragments = record.fragments
    self.video = mediaType == .video ? try? TrackFacts.video(record) : nil
    self.audio = PCMDescription(record).map(MovieIndex.Audio.init)
    self.timecode =
      mediaType == .timecode ? try? TrackFacts.timecode(record, source: source) : nil
    self.metadataKeys =
      mediaType == .metadata ? try? BoxedMetadataParser.keys(record.sampleEntry) : nil
  }
}

extension MovieIndex.Audio {
  init(_ pcm: PCMDescription) {
    self.init(
      sampleRate: pcm.sampleRate, channelCount: pcm.channelCount,
      bitsPerChannel: pcm.bitsPerChannel, isFloat: pcm.isFloat, isBigEndian: pcm.isBigEndian,
      bytesPerFrame: pcm.bytesPerFrame, channelLayout: pcm.channelLayout, format: pcm.audioFormat)
  }
}

/// Reads sample entries and user data of a track.
enum TrackFacts {
  static func name(_ record: TrackRecord) -> String {
    var data = AtomReader(record.userData, type: "udta")
    guard let udta = try? data.next(), var name = try? udta.first("name"),
      let text = try? name.raw(name.remaining)
    else { return "" }
    return String(decoding: text, as: UTF8.self)
  }

  static func video(_ record: TrackRecord) throws(QuickTimeError) -> MovieIndex.Video? {
    var outer = AtomReader(record.sampleEntry, type: "stsd")
    guard var entry = try outer.next() else { return nil }
    var video = MovieIndex.Video()
    try entry.skip(12)
    video.vendor = try entry.code()
    try entry.skip(8)
    video.dimensions = VideoDimensions(
      width: Int(try entry.uint16()), height: Int(try entry.uint16()))
    try entry.skip(14)
    let name = try entry.raw(32)
    video.compressorName = String(
      decoding: name.dropFirst().prefix(Int(name.first ?? 0)), as: UTF8.self)
    video.depth = Int(try entry.uint16())
    try entry.skip(2)
    video.hasTrackApertures = !record.apertures.isEmpty
    let header = AtomReader(record.mediaHeader, type: "minf")
    if var vmhd = try? header.first("vmhd"), (try? vmhd.versionAndFlags()) != nil {
      video.graphicsMode = try? vmhd.uint16()
    }
    while var atom = try entry.next() {
      // An extension that is damaged is as good as none.
      try? read(&atom, into: &video)
    }
    return video
  }

  private static func read(
    _ atom: inout AtomReader, into video: inout MovieIndex.Video
  ) throws(QuickTimeError) {
    switch atom.type {
    case "colr":
      let type = try atom.code()
      video.colorType = type
      guard type == "nclc" || type == "nclx" else { return }
      video.colorCodes = [try atom.uint16(), try atom.uint16(), try atom.uint16()]
    case "fiel": video.fieldCodes = (try atom.uint8(), try atom.uint8())
    case "pasp": video.pixelAspectRatio = PixelAspectRatio(try atom.int32(), try atom.int32())
    case "clap":
      var parts: [CleanAperture.Rational] = []
      for _ in 0..<4 {
        parts.append(CleanAperture.Rational(try atom.int32(), try atom.int32()))
      }
      video.cleanAperture = CleanAperture(
        width: parts[0], height: parts[1], horizontalOffset: parts[2], verticalOffset: parts[3])
    case "gama":
      video.hasGamma = true
      video.gamma = Double(try atom.uint32()) / 65_536
    case "clli":
      video.contentLightLevel = ContentLightLevel(
        maximum: try atom.uint16(), maximumFrameAverage: try atom.uint16())
    case "mdcv":
      var points: [MasteringDisplayColorVolume.Chromaticity] = []
      for _ in 0..<4 {
        points.append(
          MasteringDisplayColorVolume.Chromaticity(x: try atom.uint16(), y: try atom.uint16()))
      }
      video.masteringDisplay = MasteringDisplayColorVolume(
        red: points[2], green: points[0], blue: points[1], white: points[3],
        maximumLuminance: try atom.uint32(), minimumLuminance: try atom.uint32())
    default: break
    }
  }

  static func timecode(
    _ record: TrackRecord, source: any MovieByteSource
  ) throws(QuickTimeError) -> MovieIndex.TimecodeFacts? {
    var outer = AtomReader(record.sampleEntry, type: "stsd")
    guard var entry = try outer.next() else { return nil }
    try entry.skip(12)
    let flags = try entry.uint32()
    var facts = MovieIndex.TimecodeFacts(
      timescale: try entry.uint32(), frameDuration: try entry.uint32(),
      framesPerSecond: try entry.uint8(), isDropFrame: flags & TimecodeFlags.dropFrame != 0,
      wrapsAt24Hours: flags & TimecodeFlags.wrapsAt24Hours != 0,
      allowsNegative: flags & TimecodeFlags.allowsNegative != 0, reelName: "")
    try entry.skip(1)
    if var name = try entry.first("name") {
      let count = Int(try name.uint16())
      try name.skip(2)
      facts.reelName = String(decoding: try name.raw(count), as: UTF8.self)
    }
    if let sample = record.samples.first, sample.size >= 4 {
      let bytes = try source.bytes(at: sample.offset, count: 4)
      if bytes.count == 4 { facts.startFrame = bytes.reduce(0) { $0 << 8 | UInt32($1) } }
    }
    return facts
  }
}
