import AssetReader
import AssetWriter
import MediaCore
import MovieExport

/// The samples of a track, clip after clip, or the frames or audio made of several tracks, in the requested form.
///
/// Unchecked: used only under its output's lock.
final class TrackReading: @unchecked Sendable {
  /// The requested form.
  enum Wish: Sendable {
    case frames(VideoProcessing)
    case audio(stored: AudioFormat, wanted: AudioFormat)
    /// Timecode and metadata, as stored.
    case data
  }

  private enum Source {
    case track(TimelineReader)
    /// Composed frames, and the time of the first one in the asset.
    case composition(CompositedFrames, start: CMTime)
    case mix(MixedAudio, start: CMTime)
    case data(StoredSamples)
  }

  private let source: Source
  private var form: FrameForm?
  /// Converts audio if the requested form differs from the source's.
  private var converter: AudioConverter?

  init(_ track: AVAssetTrack, _ wish: Wish, _ range: CMTimeRange) throws(AVError) {
    var audio: AudioFormat?
    switch wish {
    case .frames(let processing): form = FrameForm(processing)
    case .audio(let stored, let wanted):
      audio = stored
      converter = try Self.converter(from: stored, to: wanted)
    case .data:
      source = .data(try StoredSamples(track, in: range))
      return
    }
    do throws(AssetReaderError) {
      source = .track(try TimelineReader(track.clips(in: range), audio: audio))
    } catch { throw AVError(error) }
  }

  init(
    _ kept: KeptComposition, of asset: AVAsset, _ wish: Wish, _ range: CMTimeRange
  ) throws(AVError) {
    var hasFullChroma = false
    if case .frames(let processing) = wish {
      form = FrameForm(processing)
      let wanted = processing.layout?.format.descriptor.subsampling
      hasFullChroma = wanted == .yuv444 || wanted == .rgb
    }
    let timeline = try asset.timeline(in: range)
    let start = range.firstTime
    let native = try kept.composition.native(
      for: asset, timeline, from: start, kept.compositor)
    do throws(AssetReaderError) {
      let frames = try CompositedFrames(native, of: timeline, hasFullChroma: hasFullChroma)
      source = .composition(frames, start: start)
    } catch { throw AVError(error) }
  }

  init(
    _ mix: AVAudioMix, of tracks: [AVAssetTrack], _ asset: AVAsset, _ wish: Wish,
    _ range: CMTimeRange
  ) throws(AVError) {
    guard case .audio(_, let wanted) = wish else {
      throw AVError(.invalidSourceMedia, "a mix needs audio tracks")
    }
    // Mixing uses integers.
    var format = wanted
    if format.sampleFormat == .float32 { format.sampleFormat = .int32 }
    converter = try Self.converter(from: format, to: wanted)
    let timeline = try asset.timeline(in: range)
    let start = range.firstTime
    let numbers = tracks.map(\.trackID)
    let all = try asset.contents().tracks
    let places = all.indices.filter { numbers.contains(all[$0].trackID) }
    var native = AudioMix(
      Dictionary(uniqueKeysWithValues: places.map { ($0, Ramp(1.0)) }), format: format)
    try mix.set(&native, for: asset, from: start)
    do throws(AssetReaderError) {
      source = .mix(try MixedAudio(native, of: timeline), start: start)
    } catch { throw AVError(error) }
  }

  private static func converter(
    from stored: AudioFormat, to wanted: AudioFormat
  ) throws(AVError) -> AudioConverter? {
    guard stored != wanted else { return nil }
    guard let converter = AudioConverter(from: stored, to: wanted) else {
      throw AVError(
        .unsupportedOutputSettings,
        "audio with \(stored.channelCount) channels at \(stored.sampleRate) Hz cannot be converted to "
          + "\(wanted.channelCount) at \(wanted.sampleRate) Hz; request 1 to 8 channels")
    }
    return converter
  }

  /// Stops waiting for a program's compositor, from any thread; nil without one.
  var cancellation: (@Sendable () -> Void)? {
    if case .composition(let frames, _) = source { frames.cancellation } else { nil }
  }

  /// The next sample in the range; nil at the end.
  func next() throws(AVError) -> SampleBuffer? {
    guard let converter else { return try nextRead() }
    while let sample = try nextRead() {
      if let made = converter.convert(sample) { return made }
    }
    return converter.finishSamples()
  }

  /// The next sample before audio conversion.
  private func nextRead() throws(AVError) -> SampleBuffer? {
    do {
      guard let (sample, name) = try nextSample() else { return nil }
      guard form != nil, case .video(let frame) = sample.content else { return sample }
      return sample.with(try form?.formed(frame, of: name) ?? frame)
    } catch is CancellationError {
      throw AVError(.operationCancelled, "reading was cancelled")
    } catch { throw AVError(error) }
  }

  /// The next sample as read, and the name of its source in messages.
  private func nextSample() throws -> (SampleBuffer, String)? {
    switch source {
    case .track(let reader): return try reader.next().map { ($0, reader.clipName) }
    case .composition(let frames, let start):
      guard var sample = try frames.waitForNext() else { return nil }
      sample.presentationTimeStamp = sample.presentationTimeStamp + start
      return (sample, "video composition")
    case .mix(let audio, let start):
      guard var sample = try audio.next() else { return nil }
      sample.presentationTimeStamp = sample.presentationTimeStamp + start
      return (sample, "audio mix")
    case .data(let samples): return try samples.next().map { ($0, "data") }
    }
  }
}

extension TrackReading.Wish {
  /// The form requested by a program's settings.
  ///
  /// - Throws: ``AVError/Code/unsupportedOutputSettings``, with the key and what is wrong with it.
  init(_ settings: [String: Any]?, for track: AssetTrack) throws(AVError) {
    switch track.formatDescription {
    case .video(let video):
      guard let settings else {
        throw AVError(
          .unsupportedOutputSettings,
          "output settings of nil would return compressed frames; request a pixel format, or pass an "
            + "empty dictionary for the decoder's")
      }
      let wanted = try PixelBufferAttributes(settings)
      var processing = VideoProcessing()
      processing.layout = wanted.format.map { .init($0, range: wanted.range) }
      if wanted.width != nil || wanted.height != nil {
        let size = VideoDimensions(
          width: wanted.width ?? video.dimensions.width,
          height: wanted.height ?? video.dimensions.height)
        processing.scaling = .init(size)
        processing.scaling?.fitting = .stretch
      }
      self = .frames(processing)
    case .audio(let stored):
      guard let settings else {
        guard track.codecName.hasPrefix("pcm_") else {
          throw AVError(
            .unsupportedOutputSettings,
            "output settings of nil would return compressed audio; request kAudioFormatLinearPCM")
        }
        self = .audio(stored: stored, wanted: stored)
        return
      }
      let wanted = try PlainAudioSettings(settings, of: "a reader").format(of: stored)
      self = .audio(stored: stored, wanted: wanted)
    case .timecode, .metadata:
      guard settings == nil else {
        throw AVError(
          .unsupportedOutputSettings,
          "a \(track.mediaType) track is read as stored: its output settings must be nil")
      }
      self = .data
    }
  }
}
