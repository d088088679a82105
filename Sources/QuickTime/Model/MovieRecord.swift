import MediaCore

/// All that a movie atom says. The writer fills one while it records, the reader from a file, and
/// recovery takes it from the reader to the writer.
struct MovieRecord: Sendable, Hashable {
  /// Seconds since 1904 UTC, as QuickTime counts.
  var creationTime: UInt64 = 0
  /// Units a second of edits and of the movie's duration.
  var timescale: UInt32 = 600
  /// How fast players play it, 16.16, signed.
  var preferredRate: UInt32 = 0x1_0000
  /// How loud players play it, 8.8, signed.
  var preferredVolume: UInt16 = 0x100
  var tracks: [TrackRecord] = []
  /// The `meta` atom, complete; empty for none.
  var metadata: [UInt8] = []
  /// The `udta` atom, complete; empty for none.
  var userData: [UInt8] = []

  /// Seconds from 1904 to 1970.
  static let epochOffset: Int64 = 2_082_844_800

  /// The movie's duration in its time scale.
  var duration: Int64 {
    tracks.reduce(0) { max($0, $1.presentationDuration(movieTimescale: timescale)) }
  }

  /// Extends the last timecode sample to the end of the frames that refer to it. In fragments it
  /// ends with the fragment that it is in.
  mutating func extendTimecodes() {
    for track in tracks {
      for reference in track.references where reference.type == "tmcd" {
        for index in tracks.indices
        where reference.tracks.contains(tracks[index].id) && !tracks[index].isShownByTime
          && tracks[index].timescale == track.timescale
        {
          tracks[index].samples.extendLastSample(to: track.samples.duration)
        }
      }
    }
  }

  /// The smallest time scale in which the durations of all tracks are whole, so that edits are
  /// exact; nil where it does not fit 31 bits.
  static func commonTimescale(_ timescales: [UInt32]) -> UInt32? {
    var common: UInt64 = 1
    for scale in timescales where scale > 0 {
      var (large, small) = (common, UInt64(scale))
      while small != 0 { (large, small) = (small, large % small) }
      common = common / large * UInt64(scale)
      guard common <= UInt64(Int32.max) else { return nil }
    }
    return UInt32(common)
  }
}

/// All that a track atom says.
struct TrackRecord: Sendable, Hashable {
  var id: UInt32
  /// The media handler: `vide`, `soun`, `tmcd`.
  var handler: FourCharCode
  var handlerName = ""
  var isEnabled = true
  /// Units a second of the media.
  var timescale: UInt32
  /// Packed ISO 639-2 code; 0x55C4 is `und`.
  var language: UInt16 = 0x55C4
  var alternateGroup: UInt16 = 0
  /// Loudness, 8.8.
  var volume: UInt16 = 0
  /// How the video is rotated and moved on the screen, as in the file (QTFF, "Matrices").
  var matrix = TrackRecord.identityMatrix
  /// The size on the screen, 16.16.
  var displayWidth: UInt32 = 0
  var displayHeight: UInt32 = 0
  /// The one sample entry, complete.
  var sampleEntry: [UInt8] = []
  /// `vmhd`, `smhd` or `gmhd`, complete.
  var mediaHeader: [UInt8] = []
  /// `tapt`, complete; empty for none.
  var apertures: [UInt8] = []
  /// `udta`, complete; empty for none.
  var userData: [UInt8] = []
  var references: [TrackReference] = []
  /// Edits; none means all of the media.
  var edits: [MovieEdit] = []
  var samples = SampleTable()
  /// How much later than they are decoded samples are shown; ours are none later.
  var compositionOffsets = CompositionOffsets()
  /// True where its samples are in fragments at their times in the movie, and the first one says from when on the
  /// movie shows the track.
  var isShownByTime = false
  /// What fragments say about times, beyond the sample table.
  var fragments = FragmentTimes()

  static let identityMatrix: [UInt32] = [0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000]

  /// Rotates the video clockwise by quarter turns, and moves it back to where it was.
  mutating func rotate(quarters: Int) {
    let one = UInt32(0x1_0000)
    let minus = UInt32(bitPattern: -0x1_0000)
    let (width, height, last) = (displayWidth, displayHeight, UInt32(0x4000_0000))
    switch (quarters % 4 + 4) % 4 {
    case 1: matrix = [0, one, 0, minus, 0, 0, height, 0, last]
    case 2: matrix = [minus, 0, 0, 0, minus, 0, width, height, last]
    case 3: matrix = [0, minus, 0, one, 0, 0, 0, width, last]
    default: matrix = Self.identityMatrix
    }
  }

  /// Takes up a language of three letters (ISO 639-2/T); leaves any other as not known.
  mutating func setLanguage(_ code: String) {
    let letters = Array(code.lowercased().utf8)
    guard letters.count == 3, letters.allSatisfy({ (0x61...0x7A).contains($0) }) else { return }
    language = letters.reduce(0) { $0 << 5 | UInt16($1 - 0x60) }
  }

  /// The tracks that this one refers to for a purpose.
  struct TrackReference: Sendable, Hashable {
    var type: FourCharCode
    var tracks: [UInt32]
  }

  /// An entry of the edit list, in the units that the file has it.
  struct EditEntry: Hashable {
    var duration: Int64
    var mediaTime: Int64
    /// In units of 1/65536.
    var rate: Int32
  }

  /// The edit list to write: all of the media by default.
  func editEntries(movieTimescale: UInt32) -> [EditEntry] {
    let scale = Int32(clamping: movieTimescale)
    let list = edits.isEmpty ? [MovieEdit(mediaTime: 0, duration: nil)] : edits
    return list.map { edit in
      let left = max(samples.duration - (edit.mediaTime ?? 0), 0)
      let duration =
        edit.duration ?? MediaTime(value: left, timescale: Int32(clamping: timescale))
      // Away from zero: an edit cut short would lose its last frame.
      let rounded = duration.converted(toTimescale: scale, rounding: .roundAwayFromZero)
      return EditEntry(
        duration: rounded.isNumeric ? max(rounded.value, 0) : 0, mediaTime: edit.mediaTime ?? -1,
        rate: Self.fixed(edit.rate))
    }
  }

  /// A rate in units of 1/65536; 1.0 for a rate that is not finite.
  private static func fixed(_ rate: Double) -> Int32 {
    guard rate.isFinite else { return 1 << 16 }
    return Int32((min(max(rate, -32_768), 32_767) * 65_536).rounded())
  }

  /// How long the track lasts after its edits, in the movie's time scale.
  func presentationDuration(movieTimescale: UInt32) -> Int64 {
    editEntries(movieTimescale: movieTimescale).reduce(0) {
      let (sum, overflow) = $0.addingReportingOverflow($1.duration)
      return overflow ? Int64.max : sum
    }
  }
}
