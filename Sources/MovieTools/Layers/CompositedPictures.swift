package import AssetReader
package import MediaCore

/// The frames that a composition makes of a timeline, one after the other.
///
/// They are used from one thread at a time.
package final class CompositedPictures {
  private let composition: VideoComposition
  private let layout: PictureProcessing.Layout
  private let color: ColorDescription
  private let end: MediaTime
  private var tracks: [Int: LayeredTrack] = [:]
  /// How layers are brought to their form, by their places in an instruction.
  private var forms: [Int: (processing: PictureProcessing, form: PictureForm)] = [:]
  /// One picture or two fields, of all frames; nil until the first one says so.
  private var scan: FieldOrder?
  /// Drops the alpha channel, which drawing has used; nil where no clip has one.
  private var opaque: PictureForm?
  private var time: MediaTime?
  private var count: Int64 = 0

  /// The rate; nil where frames last as long as their times say.
  package let frameRate: FrameRate?
  /// What the frames have otherwise than their clips.
  package let notes: [ExportNote]

  /// Frames of a timeline.
  ///
  /// - Parameters:
  ///   - hasFullChroma: True for 4:4:4 of 12 bits, false for 4:2:2 of 10.
  /// - Throws: `AssetReaderError` for a composition that makes no frames of this timeline, and where the first
  ///   clip of a track cannot be read.
  package init(
    _ composition: VideoComposition, of timeline: MovieTimeline, hasFullChroma: Bool
  ) throws(AssetReaderError) {
    self.composition = composition
    try composition.check(timeline)
    end = VideoComposition.end(of: timeline)
    let used = composition.tracks.sorted().map { timeline.tracks[$0] }
    let clips = used.flatMap(\.clips).map(\.track)
    let hasAlpha = clips.contains(where: \.hasAlpha)
    let plain: PixelFormat = hasFullChroma ? .yuv444p12 : .yuv422p10
    layout = PictureProcessing.Layout(hasAlpha ? .yuva444p12 : plain, range: .video)
    if hasAlpha {
      var processing = PictureProcessing()
      processing.layout = PictureProcessing.Layout(plain, range: .video)
      opaque = PictureForm(processing)
    }
    color = (clips.first?.video?.color ?? .bt709).with(range: .video)
    notes =
      hasAlpha
      ? [ExportNote(.changed, "alpha", "alpha channel flattened: layers are composited over black")]
      : []
    switch composition.timing {
    case .constant(let duration): frameRate = Self.rate(duration)
    case .track(let track, let otherwise):
      // Where the track shows nothing, frames go on by themselves.
      let own = timeline.tracks[track].frameRate
      frameRate = own?.frameDuration == otherwise ? own : nil
    }
    if let first = clips.first?.video?.fieldOrder, first.isInterlaced { scan = first }
    var needed = composition.tracks
    if case .track(let track, _) = composition.timing { needed.insert(track) }
    for track in needed where !timeline.tracks[track].clips.isEmpty {
      tracks[track] = try LayeredTrack(timeline.tracks[track])
    }
  }

  private static func rate(_ duration: MediaTime) -> FrameRate? {
    Int32(exactly: duration.value).flatMap { FrameRate(duration.timescale, $0) }
  }

  /// The next frame; nil behind the end.
  ///
  /// - Throws: `AssetReaderError` where a clip cannot be read, and for a layer that cannot be drawn.
  package func next() throws(AssetReaderError) -> SampleBuffer? {
    guard let start = try nextTime(), start + .containerRounding < end else { return nil }
    time = start
    count += 1
    var duration = MediaTime.invalid
    if case .constant(let length) = composition.timing { duration = length }
    return SampleBuffer(
      .video(try frame(at: start)), presentationTimeStamp: start, duration: duration,
      attachments: .init())
  }

  private func nextTime() throws(AssetReaderError) -> MediaTime? {
    switch composition.timing {
    case .constant(let duration): return duration * count
    case .track(let track, let otherwise):
      let own = time.map { $0 + otherwise } ?? .zero
      guard let timing = tracks[track] else { return own }
      if let next = try timing.nextTime(after: time ?? MediaTime(value: -1, timescale: 1_000_000)),
        next <= own || timing.shows(own)
      {
        return next
      }
      // Its last picture stays until its clip ends.
      return timing.endOfClip(at: own) ?? own
    }
  }

  /// A layer that is seen, and its picture.
  private struct Drawn {
    let picture: PixelBuffer
    let placement: LayerPlacement
    let opacity: Double
    let index: Int
    let name: String

    /// True where nothing behind it is seen.
    func hides(_ size: VideoDimensions) -> Bool { opacity >= 1 && placement.covers(size) }
  }

  private func frame(at time: MediaTime) throws(AssetReaderError) -> PixelBuffer {
    let layers = try layers(at: time)
    let hasAlpha = opaque != nil
    let size = composition.size
    scan = scan ?? layers.first?.picture.fieldOrder ?? .progressive
    if let top = layers.first, !hasAlpha, top.opacity >= 1, top.placement.fills(size) {
      return try formed(top)
    }
    do {
      var canvas = try LayerCanvas(
        PixelBuffer.Description(
          format: layout.format, width: size.width, height: size.height, color: color,
          fieldOrder: scan ?? .progressive))
      let last = hasAlpha ? nil : layers.firstIndex { $0.hides(size) }
      for layer in layers.prefix(last.map { $0 + 1 } ?? layers.count).reversed() {
        canvas.draw(try formed(layer), layer.placement, opacity: layer.opacity)
      }
      let drawn = canvas.finish()
      return try opaque?.formed(drawn, of: "video composition") ?? drawn
    } catch let error as AssetReaderError {
      throw error
    } catch {
      throw AssetReaderError(.outOfMemory, "video composition: \(error)")
    }
  }

  /// The layers that are seen, the frontmost one first.
  private func layers(at time: MediaTime) throws(AssetReaderError) -> [Drawn] {
    var drawn: [Drawn] = []
    for (index, layer) in (composition.instruction(at: time)?.layers ?? []).enumerated() {
      guard let track = tracks[layer.track], let picture = try track.picture(at: time) else {
        continue
      }
      let opacity = layer.opacity.value(at: time)
      guard opacity > 0 else { continue }
      let aspect = picture.details.pixelAspectRatio
      let seen = Double(picture.width) * Double(aspect.horizontal) / Double(aspect.vertical)
      let placement = try LayerPlacement(
        layer.transform.value(at: time), of: (seen, Double(picture.height)),
        drawn: layer.area.value(at: time))
      guard !placement.visible.isEmpty else { continue }
      let made = Drawn(
        picture: picture, placement: placement, opacity: opacity, index: index,
        name: track.clipName)
      try check(made)
      drawn.append(made)
    }
    return drawn
  }

  /// Fields stay fields only where their rows stay where they are, and in frames of the same fields.
  private func check(_ layer: Drawn) throws(AssetReaderError) {
    let picture = layer.picture
    guard picture.fieldOrder.isInterlaced else { return }
    let isWhole = layer.placement.fills(composition.size) && layer.opacity >= 1
    guard isWhole, layer.placement.area.y.count == picture.height,
      layer.placement.quarterTurns == 0
    else {
      throw AssetReaderError(
        .unsupported,
        "\(layer.name): a video composition does not scale or move interlaced frames; deinterlace the "
          + "clip first")
    }
    guard picture.fieldOrder == scan ?? picture.fieldOrder else {
      throw AssetReaderError(
        .unsupported,
        "\(layer.name): the field order differs from the first frame's; deinterlace the clip first")
    }
  }

  private func formed(_ layer: Drawn) throws(AssetReaderError) -> PixelBuffer {
    let processing = layer.placement.processing(layout)
    var form =
      forms[layer.index].flatMap { $0.processing == processing ? $0.form : nil }
      ?? PictureForm(processing)
    let formed = try form.formed(layer.picture, of: layer.name)
    forms[layer.index] = (processing, form)
    return formed
  }
}
