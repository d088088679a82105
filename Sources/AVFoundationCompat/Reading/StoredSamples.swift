import AssetReader
import MediaCore
import QuickTime

/// The stored samples of a timecode or timed metadata track.
///
/// Use it from one thread at a time.
final class StoredSamples {
  private let track: MovieIndex.Track
  private let keys: BoxedMetadataKeys?
  private var reader: DataSampleReader

  /// Opens the file.
  init(_ track: AVAssetTrack, in range: CMTimeRange) throws(AVError) {
    guard let location = track.location, let stored = track.indexed else {
      throw AVError(.invalidSourceMedia, "the track's samples were not found")
    }
    self.track = stored
    keys = stored.metadataKeys.map(BoxedMetadataKeys.init)
    do throws(QuickTimeError) {
      reader = DataSampleReader(
        stored, of: try PosixMovieFile(path: location.path, mode: .read), in: range)
    } catch { throw AVError(error) }
  }

  /// The next sample; nil at the end.
  func next() throws(AVError) -> SampleBuffer? {
    let read: DataSampleReader.Sample?
    do throws(QuickTimeError) { read = try reader.next() } catch { throw AVError(error) }
    guard let read else { return nil }
    guard let block = try? CMBlockBuffer(copying: read.bytes) else {
      throw AVError(.outOfMemory, "there is no memory for a sample of \(read.bytes.count) bytes")
    }
    let sample: SampleBuffer?
    if let keys {
      sample = SampleBuffer(
        .metadata(MetadataSample(keys: keys, block: block)),
        presentationTimeStamp: read.timeRange.start, duration: read.timeRange.duration)
    } else if let format = track.timecode?.description {
      sample = SampleBuffer(
        block, of: format,
        timing: CMSampleTimingInfo(
          duration: read.timeRange.duration, presentationTimeStamp: read.timeRange.start,
          decodeTimeStamp: .invalid))
    } else {
      sample = nil
    }
    guard let sample else {
      throw AVError(
        QuickTimeError(
          .damaged, "a timecode sample has \(read.bytes.count) bytes: the movie is damaged"))
    }
    return sample
  }
}

extension AssetTrack {
  /// A timecode or timed metadata track of a movie; nil for another kind, and for an empty track or one with a
  /// damaged description.
  ///
  /// - Parameter place: Its index among the movie's tracks.
  init?(_ track: MovieIndex.Track, at place: Int) {
    let description: FormatDescription
    switch track.mediaType {
    case .timecode? where track.codec == "tmcd":
      guard let timecode = track.timecode?.description else { return nil }
      description = .timecode(timecode)
    case .metadata?:
      guard let keys = track.metadataKeys else { return nil }
      description = .metadata(BoxedMetadataKeys(keys).description)
    default: return nil
    }
    guard let range = DataSampleReader.timeRange(of: track) else { return nil }
    self.init(
      data: description, id: place, codec: track.codec, timeRange: range,
      sampleCount: track.samples.count, timescale: track.timescale)
  }
}

extension MovieIndex.TimecodeFacts {
  /// The timecode format; nil if its numbers are invalid.
  fileprivate var description: TimecodeFormatDescription? {
    guard let timescale = Int32(exactly: timescale), timescale > 0, frameDuration > 0,
      framesPerSecond > 0
    else { return nil }
    return TimecodeFormatDescription(
      frameDuration: CMTime(value: Int64(frameDuration), timescale: timescale),
      frameQuanta: framesPerSecond, isDropFrame: isDropFrame, wrapsAt24Hours: wrapsAt24Hours,
      allowsNegative: allowsNegative)
  }
}
