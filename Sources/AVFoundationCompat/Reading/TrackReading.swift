import AssetReader
import MediaCore
import MovieTools

/// The samples of a track of an asset, clip after clip, in the form that a program asked for.
///
/// Unchecked: used under its output's lock alone.
final class TrackReading: @unchecked Sendable {
  /// The form.
  enum Wish: Sendable {
    case pictures(PictureProcessing)
    case sound(AudioFormat)
  }

  private let reader: TimelineReader
  private var form: PictureForm?

  init(_ track: AVAssetTrack, _ wish: Wish, _ range: CMTimeRange) throws(AVError) {
    var sound: AudioFormat?
    switch wish {
    case .pictures(let processing): form = PictureForm(processing)
    case .sound(let format): sound = format
    }
    do throws(AssetReaderError) {
      reader = try TimelineReader(track.clips(in: range), sound: sound)
    } catch { throw AVError(error) }
  }

  /// The next sample in the range; nil behind its end.
  func next() throws(AVError) -> SampleBuffer? {
    do throws(AssetReaderError) {
      guard let sample = try reader.next() else { return nil }
      guard form != nil, case .video(let picture) = sample.content else { return sample }
      return sample.with(try form?.formed(picture, of: reader.clipName) ?? picture)
    } catch { throw AVError(error) }
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
