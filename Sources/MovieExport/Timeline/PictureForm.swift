package import AssetReader
package import MediaCore

extension PictureProcessing.Layout {
  /// What ProRes 4444 is made of where a source has less chroma.
  static let fullChroma = Self(.yuv444p12, range: .video)
}

extension PixelFormat {
  /// True where two pixels or more share a sample of chroma.
  var sharesChroma: Bool { descriptor.subsampling.horizontalShift > 0 }
}

/// A layout and a size that pictures are brought to, whatever each of them has.
package struct PictureForm {
  private let processing: PictureProcessing
  /// True where pictures with chroma for each pixel pass as they are.
  private let passesFullChroma: Bool
  /// Their field order, whatever they say; nil for what they say.
  private let fieldOrder: FieldOrder?
  private var filter: (filter: PictureFilter, source: PixelBuffer.Description)?
  /// Pictures that went through the filter.
  private var count: Int64 = 0

  /// A form.
  ///
  /// - Parameter processing: Its layout, its scaling and how it is turned, and nothing else.
  package init(_ processing: PictureProcessing) {
    self.processing = processing
    passesFullChroma = false
    fieldOrder = nil
  }

  /// The form of pictures for a codec that has chroma for each pixel: those that lack it are interpolated.
  /// Nil for other codecs, which take every picture.
  ///
  /// - Parameter fieldOrder: The pictures', whatever they say; nil for what they say.
  init?(fullChromaFor codec: VideoCodecType, fieldOrder: FieldOrder? = nil) {
    guard codec.is4444 else { return nil }
    var processing = PictureProcessing()
    processing.layout = .fullChroma
    self.processing = processing
    self.fieldOrder = fieldOrder
    passesFullChroma = true
  }

  /// True where pictures have their own size.
  var keepsSize: Bool { processing.scaling == nil }

  /// The form of a track that is to be encoded; nil where all of its clips have one already.
  ///
  /// - Parameter box: What frames are to fit in; nil for the first clip's size.
  init?(_ track: MovieTimeline.Track, _ codec: VideoCodecType, within box: FrameBox?) {
    let clips = track.clips.map(\.track)
    guard let first = clips.first, let video = first.video else { return nil }
    let size = box?.size(of: video.dimensions, video.pixelAspectRatio) ?? video.dimensions
    guard
      size != video.dimensions
        || clips.contains(where: {
          $0.video?.dimensions != video.dimensions || $0.sourceFormatName != first.sourceFormatName
        })
    else {
      self.init(fullChromaFor: codec)
      return
    }
    var processing = PictureProcessing()
    let hasAlpha = codec.is4444 && clips.contains(where: \.hasAlpha)
    processing.layout =
      hasAlpha
      ? .init(.yuva444p12, range: .video)
      : codec.is4444 ? .fullChroma : .init(.yuv422p10, range: .video)
    processing.scaling = .init(size)
    self.init(processing)
  }

  /// The form of frames of a size; nil where they fit already.
  init?(_ size: VideoDimensions, within box: FrameBox?) {
    let fitted = box?.size(of: size) ?? size
    guard fitted != size else { return nil }
    var processing = PictureProcessing()
    processing.scaling = .init(fitted)
    self.init(processing)
  }

  /// A picture in the form; the picture itself where it has that.
  ///
  /// - Parameter name: What messages call its source.
  /// - Throws: `AssetReaderError` where it cannot be brought to it.
  package mutating func formed(
    _ picture: PixelBuffer, of name: String
  ) throws(AssetReaderError) -> PixelBuffer {
    guard !isFormed(picture) else { return picture }
    let filter = filter(for: picture, name)
    // Each picture goes in and comes out alone: its place in the filter's time does not matter.
    let results = try filter.send(picture, at: count)
    count += 1
    guard let made = results.first else {
      throw AssetReaderError(.decodeFailed, "\(name): a picture was lost in its conversion")
    }
    return made.picture
  }

  private func isFormed(_ picture: PixelBuffer) -> Bool {
    if passesFullChroma { return !picture.format.sharesChroma }
    guard !processing.isMirrored, processing.quarterTurns == 0 else { return false }
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

  /// A filter is set up for pictures that are alike.
  private mutating func filter(for picture: PixelBuffer, _ name: String) -> PictureFilter {
    if let filter, filter.source == picture.details { return filter.filter }
    let made = PictureFilter(
      processing, unit: MediaTime(value: 1, timescale: 25), timecode: nil, name: name)
    made.fieldOrder = fieldOrder
    filter = (made, picture.details)
    count = 0
    return made
  }
}

extension SampleBuffer {
  /// The sample with another picture.
  package func with(_ picture: PixelBuffer) -> SampleBuffer {
    SampleBuffer(
      .video(picture), presentationTimeStamp: presentationTimeStamp, duration: duration,
      attachments: sourceFacts)
  }
}
