import AssetReader
import MediaCore

/// Draws frames of tracks over one another, into frames of one size.
///
/// Used from one thread at a time.
final class LayerPainter {
  private let size: VideoDimensions
  private let layout: VideoProcessing.Layout
  private let color: ColorDescription
  /// The frames' color with a matrix, for converting background colors.
  private let backgroundColor: ColorDescription
  /// The codes of background colors.
  private var backgrounds: [BackgroundColor: [UInt16]] = [:]
  private let tracks: [Int: LayeredTrack]
  /// The conversions of layers, by their index in an instruction.
  private var forms: [Int: (processing: VideoProcessing, form: FrameForm)] = [:]
  /// The scan type of all frames; nil until the first frame determines it.
  private var scan: FieldOrder?
  /// Drops the alpha channel after drawing; nil if no clip has one.
  private var opaque: FrameForm?

  /// Creates a painter.
  ///
  /// - Parameters:
  ///   - frame: The frames' description.
  ///   - tracks: The tracks, by their index in the timeline.
  ///   - clips: The clips of these tracks.
  init(
    _ frame: PixelBuffer.Description, _ tracks: [Int: LayeredTrack], of clips: [AssetTrack]
  ) {
    size = VideoDimensions(width: frame.width, height: frame.height)
    color = frame.color
    backgroundColor = frame.color.resolved(
      forHeight: clips.first?.video?.dimensions.height ?? frame.height)
    self.tracks = tracks
    let hasAlpha = clips.contains(where: \.hasAlpha)
    layout = VideoProcessing.Layout(hasAlpha ? .yuva444p12 : frame.format, range: .video)
    if hasAlpha {
      var processing = VideoProcessing()
      processing.layout = VideoProcessing.Layout(frame.format, range: .video)
      opaque = FrameForm(processing)
    }
    if let first = clips.first?.video?.fieldOrder, first.isInterlaced { scan = first }
  }

  /// A visible layer and its frame.
  private struct Drawn {
    let frame: PixelBuffer
    let placement: LayerPlacement
    let opacity: Double
    let index: Int
    let name: String

    /// True if nothing behind it is visible.
    func hides(_ size: VideoDimensions) -> Bool { opacity >= 1 && placement.covers(size) }
  }

  /// The frame of layers at a time. The frontmost layer comes first; the background shows where no
  /// layer does.
  ///
  /// - Throws: `AssetReaderError` if a clip cannot be read or a layer cannot be drawn.
  func frame(
    of layers: [VideoComposition.Layer], over background: BackgroundColor, at time: MediaTime
  ) throws(AssetReaderError) -> PixelBuffer {
    let layers = try drawn(layers, at: time)
    let hasAlpha = opaque != nil
    scan = scan ?? layers.first?.frame.fieldOrder ?? .progressive
    if let top = layers.first, !hasAlpha, top.opacity >= 1, top.placement.fills(size) {
      return try formed(top)
    }
    do {
      var canvas = try LayerCanvas(
        PixelBuffer.Description(
          format: layout.format, width: size.width, height: size.height, color: color,
          fieldOrder: scan ?? .progressive),
        background: try codes(of: background))
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

  private func codes(of background: BackgroundColor) throws(AssetReaderError) -> [UInt16] {
    if let known = backgrounds[background] { return known }
    let format = layout.format == .yuva444p12 ? .yuv444p12 : layout.format
    let made = try background.codes(in: format, backgroundColor)
    backgrounds[background] = made
    return made
  }

  /// The visible layers, the frontmost one first.
  private func drawn(
    _ layers: [VideoComposition.Layer], at time: MediaTime
  ) throws(AssetReaderError) -> [Drawn] {
    var drawn: [Drawn] = []
    for (index, layer) in layers.enumerated() {
      guard let track = tracks[layer.track], let frame = try track.frame(at: time) else {
        continue
      }
      let opacity = layer.opacity.value(at: time)
      guard opacity > 0 else { continue }
      let aspect = frame.details.pixelAspectRatio
      let seen = Double(frame.width) * Double(aspect.horizontal) / Double(aspect.vertical)
      let placement = try LayerPlacement(
        layer.transform.value(at: time), of: (seen, Double(frame.height)),
        drawn: layer.area.value(at: time))
      guard !placement.visible.isEmpty else { continue }
      let made = Drawn(
        frame: frame, placement: placement, opacity: opacity, index: index,
        name: track.clipName)
      try check(made)
      drawn.append(made)
    }
    return drawn
  }

  /// Rejects interlaced frames unless their rows stay in place and the field order matches:
  /// otherwise fields would not survive.
  private func check(_ layer: Drawn) throws(AssetReaderError) {
    let frame = layer.frame
    guard frame.fieldOrder.isInterlaced else { return }
    let isWhole = layer.placement.fills(size) && layer.opacity >= 1
    guard isWhole, layer.placement.area.y.count == frame.height,
      layer.placement.quarterTurns == 0
    else {
      throw AssetReaderError(
        .unsupported,
        "\(layer.name): a video composition does not scale or move interlaced frames; deinterlace the "
          + "clip first")
    }
    guard frame.fieldOrder == scan ?? frame.fieldOrder else {
      throw AssetReaderError(
        .unsupported,
        "\(layer.name): the field order differs from the first frame's; deinterlace the clip first")
    }
  }

  private func formed(_ layer: Drawn) throws(AssetReaderError) -> PixelBuffer {
    let processing = layer.placement.processing(layout)
    var form =
      forms[layer.index].flatMap { $0.processing == processing ? $0.form : nil }
      ?? FrameForm(processing)
    let formed = try form.formed(layer.frame, of: layer.name)
    forms[layer.index] = (processing, form)
    return formed
  }
}
