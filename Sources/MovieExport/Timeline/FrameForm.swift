package import AssetReader
package import MediaCore

extension VideoProcessing.Layout {
  /// The layout for encoding ProRes 4444 from a source with subsampled chroma.
  static let fullChroma = Self(.yuv444p12, range: .video)
}

extension PixelFormat {
  /// True if two or more pixels share a chroma sample.
  var sharesChroma: Bool { descriptor.subsampling.horizontalShift > 0 }
}

/// A layout and size that every frame is converted to.
package struct FrameForm {
  private let processing: VideoProcessing
  /// True if frames with full chroma pass unchanged.
  private let passesFullChroma: Bool
  /// Overrides the frames' field order; nil keeps it.
  private let fieldOrder: FieldOrder?
  private var filter: (filter: FrameFilter, source: PixelBuffer.Description)?
  /// The number of frames filtered.
  private var count: Int64 = 0

  /// Creates a form.
  ///
  /// - Parameter processing: The layout, scaling, mirroring and rotation; nothing else.
  package init(_ processing: VideoProcessing) {
    self.processing = processing
    passesFullChroma = false
    fieldOrder = nil
  }

  /// The form for a 4:4:4 codec: chroma is interpolated where it is subsampled. Nil for other
  /// codecs, which take every frame.
  ///
  /// - Parameter fieldOrder: Overrides the frames' field order; nil keeps it.
  init?(fullChromaFor codec: VideoCodecType, fieldOrder: FieldOrder? = nil) {
    guard codec.is4444 else { return nil }
    var processing = VideoProcessing()
    processing.layout = .fullChroma
    self.processing = processing
    self.fieldOrder = fieldOrder
    passesFullChroma = true
  }

  /// True if frames keep their size.
  var keepsSize: Bool { processing.scaling == nil }

  /// The form for encoding a track; nil if its clips need no conversion.
  ///
  /// - Parameter box: A box that frames must fit in; nil for the first clip's size.
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
    var processing = VideoProcessing()
    let hasAlpha = codec.is4444 && clips.contains(where: \.hasAlpha)
    processing.layout =
      hasAlpha
      ? .init(.yuva444p12, range: .video)
      : codec.is4444 ? .fullChroma : .init(.yuv422p10, range: .video)
    processing.scaling = .init(size)
    self.init(processing)
  }

  /// The form for frames of a size; nil if they already fit.
  init?(_ size: VideoDimensions, within box: FrameBox?) {
    let fitted = box?.size(of: size) ?? size
    guard fitted != size else { return nil }
    var processing = VideoProcessing()
    processing.scaling = .init(fitted)
    self.init(processing)
  }

  /// Converts a frame; returns the frame itself if it already has the form.
  ///
  /// - Parameter name: The source's name, for messages.
  /// - Throws: `AssetReaderError` if it cannot be converted.
  package mutating func formed(
    _ frame: PixelBuffer, of name: String
  ) throws(AssetReaderError) -> PixelBuffer {
    guard !isFormed(frame) else { return frame }
    let filter = filter(for: frame, name)
    // Each frame is filtered alone, so its time in the filter does not matter.
    let results = try filter.send(frame, at: count)
    count += 1
    guard let made = results.first else {
      throw AssetReaderError(.decodeFailed, "\(name): a frame was lost in its conversion")
    }
    return made.frame
  }

  private func isFormed(_ frame: PixelBuffer) -> Bool {
    if passesFullChroma { return !frame.format.sharesChroma }
    guard !processing.isMirrored, processing.quarterTurns == 0 else { return false }
    let hasLayout =
      processing.layout.map {
        frame.format == $0.format && frame.details.color.range == $0.range
      } ?? true
    let hasSize =
      processing.scaling.map {
        frame.width == $0.size.width && frame.height == $0.size.height
      } ?? true
    return hasLayout && hasSize
  }

  /// The filter for a frame. A filter is set up for frames of one description.
  private mutating func filter(for frame: PixelBuffer, _ name: String) -> FrameFilter {
    if let filter, filter.source == frame.details { return filter.filter }
    let made = FrameFilter(
      processing, unit: MediaTime(value: 1, timescale: 25), timecode: nil, name: name)
    made.fieldOrder = fieldOrder
    filter = (made, frame.details)
    count = 0
    return made
  }
}

extension SampleBuffer {
  /// A copy of the sample with another frame.
  package func with(_ frame: PixelBuffer) -> SampleBuffer {
    SampleBuffer(
      .video(frame), presentationTimeStamp: presentationTimeStamp, duration: duration,
      attachments: sourceFacts)
  }
}
