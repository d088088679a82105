import MediaCore

/// What a sound sample entry says about PCM, in each of QTFF's three versions.
struct PCMDescription: Hashable {
  var sampleRate: Double
  var channelCount: Int
  var bitsPerChannel: Int
  var isFloat = false
  var isBigEndian = false
  var bytesPerFrame: Int
  var channelLayout: AudioChannelLayout?

  /// Reads a track's sample entry; nil unless it is PCM that can be counted in frames.
  init?(_ track: TrackRecord) {
    guard track.handler == "soun" else { return nil }
    var outer = AtomReader(track.sampleEntry, type: "stsd")
    guard let parsed = try? Self.parse(&outer) else { return nil }
    self = parsed
  }

  /// Those that a track's timescale can have. NaN is in no range.
  private static let rates = 1...Double(Int32.max)

  private static func parse(_ outer: inout AtomReader) throws(QuickTimeError) -> PCMDescription? {
    guard var entry = try outer.next() else { return nil }
    try entry.skip(8)
    let version = try entry.uint16()
    try entry.skip(6)
    var channels = Int(try entry.uint16())
    var bits = Int(try entry.uint16())
    try entry.skip(4)
    var rate = Double(try entry.uint32()) / 65536
    var float = false
    var bigEndian = false
    var bytes = 0
    if version == 2 {
      try entry.skip(4)
      rate = Double(bitPattern: try entry.uint64())
      channels = Int(try entry.uint32())
      try entry.skip(4)
      bits = Int(try entry.uint32())
      let flags = try entry.uint32()
      bytes = Int(try entry.uint32())
      try entry.skip(4)
      guard entry.type == "lpcm", flags & PCMFlags.nonInterleaved == 0 else { return nil }
      float = flags & PCMFlags.float != 0
      bigEndian = flags & PCMFlags.bigEndian != 0
    } else {
      switch entry.type {
      case "sowt": bits = bits == 8 ? 8 : 16
      case "twos": (bits, bigEndian) = (bits == 8 ? 8 : 16, true)
      case "in24": (bits, bigEndian) = (24, true)
      case "in32": (bits, bigEndian) = (32, true)
      case "fl32": (bits, bigEndian, float) = (32, true, true)
      case "fl64": (bits, bigEndian, float) = (64, true, true)
      case "raw ": bits = 8
      default: return nil
      }
      if version == 1 { try entry.skip(16) }
      bytes = channels * bits / 8
    }
    guard (1...1024).contains(channels), (8...64).contains(bits), rates.contains(rate),
      bytes >= channels, bytes <= channels * 8
    else { return nil }
    return PCMDescription(
      sampleRate: rate, channelCount: channels, bitsPerChannel: bits, isFloat: float,
      isBigEndian: bigEndian, bytesPerFrame: bytes, channelLayout: try layout(entry))
  }

  private init(
    sampleRate: Double, channelCount: Int, bitsPerChannel: Int, isFloat: Bool, isBigEndian: Bool,
    bytesPerFrame: Int, channelLayout: AudioChannelLayout?
  ) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.bitsPerChannel = bitsPerChannel
    self.isFloat = isFloat
    self.isBigEndian = isBigEndian
    self.bytesPerFrame = bytesPerFrame
    self.channelLayout = channelLayout
  }

  private static func layout(_ entry: AtomReader) throws(QuickTimeError) -> AudioChannelLayout? {
    guard var atom = try entry.first("chan") else { return nil }
    try atom.skip(4)
    let tag = try atom.uint32()
    try atom.skip(4)
    let count = try atom.uint32()
    guard Int(count) <= atom.remaining / 20 else { return nil }
    var labels: [AudioChannelLayout.Label] = []
    for _ in 0..<count {
      labels.append(AudioChannelLayout.Label(rawValue: try atom.uint32()))
      try atom.skip(16)
    }
    return AudioChannelLayout(tag: tag, labels: labels)
  }

  /// The format, where it is one that `MediaCore` has: little-endian whole numbers, packed.
  var audioFormat: AudioFormat? {
    guard !isFloat, !isBigEndian, bytesPerFrame == channelCount * bitsPerChannel / 8,
      let rate = Int(exactly: sampleRate)
    else { return nil }
    let sample: AudioFormat.SampleFormat
    switch bitsPerChannel {
    case 16: sample = .int16
    case 24: sample = .int24
    case 32: sample = .int32
    default: return nil
    }
    return AudioFormat(sampleRate: rate, channelCount: channelCount, sampleFormat: sample)
  }
}
