public import MediaCore

/// Reads the samples of a track of timecode or of timed metadata one after the other, at the movie's times.
public struct DataSampleReader {
  /// A sample as the file has it.
  public struct Sample: Sendable, Hashable {
    /// Its bytes.
    public var bytes: [UInt8]
    /// From when to when it holds, in the movie.
    public var timeRange: MediaTimeRange
  }

  /// The largest sample that is read, in bytes: those of such tracks are small.
  static let sizeLimit = 16 << 20

  /// A stretch of the media that the movie shows.
  private struct Part {
    /// Where it begins in the movie.
    var start: MediaTime
    /// What is shown, in the track's time scale.
    var media: Range<Int64>
    /// What is asked for of that.
    var wanted: Range<Int64>
  }

  private let source: any MovieByteSource
  private let samples: SampleTable
  private let timescale: Int32
  private var parts: ArraySlice<Part>
  /// The next sample of the first part; nil before its first one.
  private var number: Int?

  /// A reader of the samples of a track that hold within a range, all of each.
  ///
  /// - Parameters:
  ///   - track: A track of the source.
  ///   - source: The movie.
  ///   - range: What is read, in the movie's time; bounds that are no numbers do not bound it.
  public init(
    _ track: MovieIndex.Track, of source: any MovieByteSource, in range: MediaTimeRange
  ) {
    self.source = source
    samples = track.samples
    timescale = track.timescale
    let (first, end) = (range.start, range.end)
    parts =
      Self.parts(of: track).compactMap { part -> Part? in
        func media(_ time: MediaTime, _ rounding: MediaTime.RoundingMethod) -> Int64? {
          let units = (time - part.start).converted(
            toTimescale: track.timescale, rounding: rounding)
          guard units.isNumeric else { return nil }
          let length = Int64(part.media.count)
          return part.media.lowerBound + min(max(units.value, 0), length)
        }
        var part = part
        let lower = media(first, .roundTowardNegativeInfinity) ?? part.media.lowerBound
        let upper = media(end, .roundTowardPositiveInfinity) ?? part.media.upperBound
        guard lower < upper else { return nil }
        part.wanted = lower..<upper
        return part
      }[...]
  }

  /// From where to where the movie shows something of a track; nil where it shows nothing.
  public static func timeRange(of track: MovieIndex.Track) -> MediaTimeRange? {
    let parts = parts(of: track)
    guard let first = parts.first, let last = parts.last else { return nil }
    let length = MediaTime(value: Int64(last.media.count), timescale: track.timescale)
    return MediaTimeRange(start: first.start, end: last.start + length)
  }

  /// The parts of the media that the edit list shows.
  private static func parts(of track: MovieIndex.Track) -> [Part] {
    let length = track.samples.duration
    guard !track.samples.isEmpty, length > 0, track.timescale > 0 else { return [] }
    guard !track.edits.isEmpty else {
      return [Part(start: .zero, media: 0..<length, wanted: 0..<length)]
    }
    var parts: [Part] = []
    var start = MediaTime.zero
    for edit in track.edits {
      var duration = edit.duration ?? .zero
      if let time = edit.mediaTime, time < length {
        let left = length - time
        let asked = edit.duration?.converted(
          toTimescale: track.timescale, rounding: .roundHalfAwayFromZero)
        let shown = asked.map { $0.isNumeric ? min($0.value, left) : left } ?? left
        if shown > 0 {
          let media = time..<time + shown
          parts.append(Part(start: start, media: media, wanted: media))
        }
        duration = edit.duration ?? MediaTime(value: left, timescale: track.timescale)
      }
      start = start + duration
      // Sums that no longer fit come from a damaged list.
      guard start.isNumeric else { break }
    }
    return parts
  }

  /// The next sample; nil behind the last one.
  ///
  /// - Throws: ``QuickTimeError/Code/damaged`` where the file ends within the sample,
  ///   ``QuickTimeError/Code/unsupported`` for one of more than 16 MiB, ``QuickTimeError/Code/ioFailed``.
  public mutating func next() throws(QuickTimeError) -> Sample? {
    while let part = parts.first {
      let place = number ?? samples.index(at: part.wanted.lowerBound)
      if let place, let sample = samples[place], sample.time < part.wanted.upperBound {
        number = place + 1
        return try read(sample, part)
      }
      number = nil
      parts.removeFirst()
    }
    return nil
  }

  private func read(_ sample: SampleTable.Sample, _ part: Part) throws(QuickTimeError) -> Sample {
    guard sample.size <= Self.sizeLimit else {
      throw QuickTimeError(
        .unsupported,
        "\(source.name): a data sample of \(sample.size) bytes; the limit is "
          + "\(Self.sizeLimit)")
    }
    let bytes = try source.bytes(at: sample.offset, count: Int(sample.size))
    guard bytes.count == Int(sample.size) else {
      throw QuickTimeError(.damaged, "\(source.name): the file ends within a data sample")
    }
    let first = max(sample.time, part.media.lowerBound)
    let end = min(sample.time + Int64(sample.duration), part.media.upperBound)
    return Sample(
      bytes: bytes,
      timeRange: MediaTimeRange(
        start: part.start
          + MediaTime(value: first - part.media.lowerBound, timescale: timescale),
        duration: MediaTime(value: max(end - first, 0), timescale: timescale)))
  }
}
