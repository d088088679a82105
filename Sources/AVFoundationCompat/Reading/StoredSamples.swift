import AssetReader
import MediaCore
import QuickTime

/// The samples of a track of timecode or of timed metadata, as the file has them.
///
/// It is used from one thread at a time.
final class StoredSamples {
  private let track: MovieIndex.Track
  private let keys: BoxedMetadataKeys?
  private var reader: DataSampleReader

  /// Opens the file.
  init(_ track: AVAssetTrack, in range: CMTimeRange) throws(AVError) {
    guard let location = track.location, let stored = track.indexed else {
      throw AVError(.invalidSourceMedia, "the track's samples are not found")
    }
    self.track = stored
    keys = stored.metadataKeys.map(BoxedMetadataKeys.init)
    do throws(QuickTimeError) {
      reader = DataSampleReader(
        stored, of: try PosixMovieFile(path: location.path, mode: .read), in: range)
    } catch { throw AVError(error) }
  }

  /// The next sample; nil behind the last one.
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
          .damaged, "a sample of timecode of \(read.bytes.count) bytes: the movie is damaged"))
    }
    return sample
  }
}

extension AssetTrack {
  /// A track of timecode or of timed metadata of a movie; nil for one of another kind, one that shows nothing, and
  /// one whose description is damaged.
  ///
  /// - Parameter place: Its place among the movie's tracks.
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
  /// How frames are counted; nil if that makes no sense.
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
