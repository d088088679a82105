import AssetReader
import MediaCore
import MovieTools

/// The samples of a track of an asset, clip after clip, or the frames that are drawn of several, in the form
/// that a program asked for.
///
/// Unchecked: used under its output's lock alone.
final class TrackReading: @unchecked Sendable {
  /// The form.
  enum Wish: Sendable {
    case pictures(PictureProcessing)
    case sound(AudioFormat)
  }

  private enum Source {
    case track(TimelineReader)
    /// Frames, and where the first of them is in the asset.
    case composition(CompositedPictures, start: CMTime)
    case mix(MixedSound, start: CMTime)
  }

  private let source: Source
  private var form: PictureForm?

  init(_ track: AVAssetTrack, _ wish: Wish, _ range: CMTimeRange) throws(AVError) {
    var sound: AudioFormat?
    switch wish {
    case .pictures(let processing): form = PictureForm(processing)
    case .sound(let format): sound = format
    }
    do throws(AssetReaderError) {
      source = .track(try TimelineReader(track.clips(in: range), sound: sound))
    } catch { throw AVError(error) }
  }

  init(
    _ composition: AVVideoComposition, of asset: AVAsset, _ wish: Wish, _ range: CMTimeRange
  ) throws(AVError) {
    var hasFullChroma = false
    if case .pictures(let processing) = wish {
      form = PictureForm(processing)
      let wanted = processing.layout?.format.descriptor.subsampling
      hasFullChroma = wanted == .yuv444 || wanted == .rgb
    }
    let timeline = try asset.timeline(in: range)
    let start = range.firstTime
    let native = try composition.native(for: asset, timeline, from: start)
    do throws(AssetReaderError) {
      let pictures = try CompositedPictures(native, of: timeline, hasFullChroma: hasFullChroma)
      source = .composition(pictures, start: start)
    } catch { throw AVError(error) }
  }

  init(
    _ mix: AVAudioMix, of tracks: [AVAssetTrack], _ asset: AVAsset, _ wish: Wish,
    _ range: CMTimeRange
  ) throws(AVError) {
    guard case .sound(let format) = wish else {
      throw AVError(.invalidSourceMedia, "a mix is made of tracks of sound")
    }
    let timeline = try asset.timeline(in: range)
    let start = range.firstTime
    let numbers = tracks.map(\.trackID)
    let all = try asset.contents().tracks
    let places = all.indices.filter { numbers.contains(all[$0].trackID) }
    var native = SoundMix(
      Dictionary(uniqueKeysWithValues: places.map { ($0, Ramp(1.0)) }), format: format)
    try mix.set(&native, for: asset, from: start)
    do throws(AssetReaderError) {
      source = .mix(try MixedSound(native, of: timeline), start: start)
    } catch { throw AVError(error) }
  }

  /// The next sample in the range; nil behind its end.
  func next() throws(AVError) -> SampleBuffer? {
    do throws(AssetReaderError) {
      guard let (sample, name) = try nextSample() else { return nil }
      guard form != nil, case .video(let picture) = sample.content else { return sample }
      return sample.with(try form?.formed(picture, of: name) ?? picture)
    } catch { throw AVError(error) }
  }

  /// The next sample as it is, and what messages call its source.
  private func nextSample() throws(AssetReaderError) -> (SampleBuffer, String)? {
    switch source {
    case .track(let reader): return try reader.next().map { ($0, reader.clipName) }
    case .composition(let pictures, let start):
      guard var sample = try pictures.next() else { return nil }
      sample.presentationTimeStamp = sample.presentationTimeStamp + start
      return (sample, "video composition")
    case .mix(let sound, let start):
      guard var sample = try sound.next() else { return nil }
      sample.presentationTimeStamp = sample.presentationTimeStamp + start
      return (sample, "audio mix")
    }
  }
}

extension TrackReading.Wish {
  /// Reads a program's settings.
  ///
  /// - Throws: ``AVError/Code/unsupportedOutputSettings``, with the key and what is wrong with it.
  init(_ settings: [String: Any]?, for track: AssetTrack) throws(AVError) {
    switch track.formatDescription {
    case .video(let video):
      guard let settings else {
        throw AVError(
          .unsupportedOutputSettings,
          "output settings of nil would give compressed pictures; ask for a pixel format, or give an "
            + "empty dictionary for the decoder's own")
      }
      let wanted = try PixelBufferAttributes(settings)
      var processing = PictureProcessing()
      processing.layout = wanted.format.map { .init($0, range: wanted.range) }
      if wanted.width != nil || wanted.height != nil {
        let size = VideoDimensions(
          width: wanted.width ?? video.dimensions.width,
          height: wanted.height ?? video.dimensions.height)
        processing.scaling = .init(size)
        processing.scaling?.fitting = .stretch
      }
      self = .pictures(processing)
    case .audio(let stored):
      guard let settings else {
        guard track.codecName.hasPrefix("pcm_") else {
          throw AVError(
            .unsupportedOutputSettings,
            "output settings of nil would give compressed audio; ask for kAudioFormatLinearPCM")
        }
        self = .sound(stored)
        return
      }
      let typed = try AudioOutputSettings(dictionary: settings, source: stored)
      guard typed.compression == .none else {
        throw AVError(
          .unsupportedOutputSettings,
          "a reader gives linear PCM; ask for kAudioFormatLinearPCM, and let a writer compress it")
      }
      let wanted = typed.format
      guard wanted == stored else {
        throw AVError(
          .unsupportedOutputSettings,
          "audio is read as it is: \(stored.sampleRate) Hz, \(stored.channelCount) channels, "
            + "\(stored.sampleFormat.bitDepth) bits")
      }
      self = .sound(stored)
    }
  }
}
