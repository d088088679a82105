import AssetReader
import MediaCore

/// The samples of one track of an asset within a range of time, in the form that a program asked for.
///
/// Unchecked: used under its output's lock alone.
final class TrackReading: @unchecked Sendable {
  /// The form.
  enum Wish: Sendable {
    case pictures(PictureProcessing)
    case sound(AudioFormat)
  }

  private let reader: AssetReader
  private let range: CMTimeRange
  private let wish: Wish
  private let name: String
  private let frameDuration: CMTime
  private var filter: PictureFilter?
  /// Pictures that went through the filter.
  private var count: Int64 = 0

  init(_ track: AVAssetTrack, _ wish: Wish, _ range: CMTimeRange) throws(AVError) {
    do throws(AssetReaderError) {
      reader = try AssetReader(track.location)
      try reader.select([track.facts.id])
    } catch { throw AVError(error) }
    if range.start.isNumeric, range.start > .zero {
      _ = reader.seek(track.facts.id, to: range.start)
    }
    name = track.location.displayName
    frameDuration = track.minFrameDuration
    (self.wish, self.range) = (wish, range)
  }

  /// The next sample in the range; nil behind its end.
  func next() throws(AVError) -> SampleBuffer? {
    while true {
      do throws(AssetReaderError) {
        guard let sample = try reader.nextSample()?.sampleBuffer else { return nil }
        let start = sample.presentationTimeStamp
        if isBehind(start) { return nil }
        guard let cut = try cut(sample) else { continue }
        return try formed(cut)
      } catch { throw AVError(error) }
    }
  }

  private func isBehind(_ time: CMTime) -> Bool {
    guard range.duration.isNumeric, range.start.isNumeric else { return false }
    return time >= range.end
  }

  /// What of a sample lies in the range: a whole picture, or the frames of sound that do.
  private func cut(_ sample: SampleBuffer) throws(AssetReaderError) -> SampleBuffer? {
    let start = sample.presentationTimeStamp
    guard range.start.isNumeric, start.isNumeric else { return sample }
    switch sample.content {
    case .video:
      let length = sample.duration.isNumeric ? sample.duration : frameDuration
      return start >= range.start || (length.isNumeric && start + length > range.start)
        ? sample : nil
    case .audio(let sound):
      let rate = Int32(clamping: sound.format.sampleRate)
      func frames(_ time: CMTime) -> Int {
        Int(clamping: time.converted(toTimescale: rate).value)
      }
      let first = min(max(frames(range.start - start), 0), sound.frameCount)
      let last =
        range.duration.isNumeric
        ? min(max(frames(range.end - start), 0), sound.frameCount) : sound.frameCount
      guard first < last else { return nil }
      guard first > 0 || last < sound.frameCount else { return sample }
      let step = sound.format.bytesPerFrame
      do throws(MediaCoreError) {
        let part = try MediaCore.AudioBuffer(
          format: sound.format, bytes: Array(sound.bytes[first * step..<last * step]))
        return SampleBuffer(
          .audio(part), presentationTimeStamp: start + sound.format.duration(ofFrames: first),
          duration: sound.format.duration(ofFrames: last - first),
          attachments: sample.sourceFacts)
      } catch { throw AssetReaderError(.outOfMemory, "\(name): \(error.message)") }
    }
  }

  /// The sample in the form that was asked for.
  private func formed(_ sample: SampleBuffer) throws(AssetReaderError) -> SampleBuffer {
    guard case .pictures(let processing) = wish, case .video(let picture) = sample.content,
      !isAsWished(picture, processing)
    else { return sample }
    let filter =
      filter
      ?? PictureFilter(
        processing, unit: CMTime(value: 1, timescale: 25), timecode: nil, name: name)
    self.filter = filter
    // Each picture goes in and comes out alone: its place in the filter's time does not matter.
    let results = try filter.send(picture, at: count)
    count += 1
    guard let made = results.first else {
      throw AssetReaderError(.decodeFailed, "\(name): a picture was lost in its conversion")
    }
    return SampleBuffer(
      .video(made.picture), presentationTimeStamp: sample.presentationTimeStamp,
      duration: sample.duration, attachments: sample.sourceFacts)
  }

  private func isAsWished(_ picture: PixelBuffer, _ processing: PictureProcessing) -> Bool {
    let hasLayout =
      processing.layout.map {
        picture.format == $0.format && picture.details.color.range == $0.range
      } ?? true
    let hasSize =
      processing.scaling.map {
        picture.width == $0.size.width && picture.height == $0.size.height
      } ?? true
    return hasLayout && hasSize
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
