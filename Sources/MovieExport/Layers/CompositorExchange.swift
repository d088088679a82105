import AssetReader
import MediaCore
import VideoRecorder

/// Converts source frames to the layout that a compositor wants, and its results to frames.
struct CompositorExchange {
  /// The frames' description.
  private let frame: PixelBuffer.Description
  /// The color of frames passed to a compositor, with a matrix that is also used to convert RGB
  /// back.
  private let color: ColorDescription
  /// The converter of each track.
  private var converters: [Int: FrameConverter] = [:]
  private var forms: [Int: (layout: VideoProcessing.Layout, form: FrameForm)] = [:]
  private var received: (processing: VideoProcessing, form: FrameForm)?
  private var unpacker: FrameUnpacker?

  /// - Parameters:
  ///   - frame: The frames' description.
  ///   - height: The sources' height, which determines the matrix if the color has none.
  init(_ frame: PixelBuffer.Description, sourceHeight height: Int) {
    self.frame = frame
    color = frame.color.resolved(forHeight: height)
  }

  /// A source frame in the layout that a compositor wants.
  mutating func handedOver(
    _ frame: PixelBuffer, of track: Int, _ name: String, as layout: VideoProcessing.Layout?
  ) throws(AssetReaderError) -> PixelBuffer {
    guard let layout else { return frame }
    // Convert to RGB with the declared matrix rather than a guessed one.
    if layout.format.descriptor.subsampling == .rgb {
      let converter = converters[track] ?? FrameConverter()
      converters[track] = converter
      let wanted = FrameConversion(layout.format, range: layout.range)
      if let made = converter.convert(frame, to: wanted) { return made }
    }
    var form = forms[track].flatMap { $0.layout == layout ? $0.form : nil }
    if form == nil {
      var processing = VideoProcessing()
      processing.layout = layout
      form = FrameForm(processing)
    }
    let made = try form?.formed(frame, of: name) ?? frame
    if let form { forms[track] = (layout, form) }
    return made
  }

  /// Converts a compositor's result to a frame.
  ///
  /// - Parameter fieldOrder: The field order of its sources.
  mutating func frame(
    of image: PixelBuffer, _ fieldOrder: FieldOrder
  ) throws(AssetReaderError) -> PixelBuffer {
    var details = image.details
    details.color = color.with(range: image.color.range)
    details.fieldOrder = image.height == frame.height ? fieldOrder : .progressive
    details.pixelAspectRatio = .square
    let made = try formed(try unpacked(try Self.frame(image, described: details)))
    details = made.details
    details.color = frame.color
    return try Self.frame(made, described: details)
  }

  /// Converts RGB to luma and chroma exactly, with the matrix it was made with.
  private mutating func unpacked(
    _ image: PixelBuffer
  ) throws(AssetReaderError) -> PixelBuffer {
    guard image.format.descriptor.subsampling == .rgb else { return image }
    do throws(MediaCoreError) {
      if unpacker?.source != image.details {
        unpacker = try FrameUnpacker(from: image.details, to: frame.format)
      }
      return try unpacker?.unpacked(image) ?? image
    } catch { throw Self.refusal(error) }
  }

  private mutating func formed(_ image: PixelBuffer) throws(AssetReaderError) -> PixelBuffer {
    var processing = VideoProcessing()
    processing.layout = VideoProcessing.Layout(frame.format, range: .video)
    if image.width != frame.width || image.height != frame.height {
      processing.scaling = .init(VideoDimensions(width: frame.width, height: frame.height))
      processing.scaling?.fitting = .stretch
    }
    var form =
      received.flatMap { $0.processing == processing ? $0.form : nil } ?? FrameForm(processing)
    defer { received = (processing, form) }
    return try form.formed(image, of: Self.name)
  }

  private static let name = "the video compositor's frame"

  private static func refusal(_ error: MediaCoreError) -> AssetReaderError {
    AssetReaderError(.unsupported, "\(name): \(error.message)")
  }

  /// The same memory with another description.
  private static func frame(
    _ frame: PixelBuffer, described details: PixelBuffer.Description
  ) throws(AssetReaderError) -> PixelBuffer {
    guard details != frame.details else { return frame }
    do throws(MediaCoreError) {
      return try PixelBuffer(
        details, planes: (0..<frame.planeCount).map(frame.plane),
        release: { withExtendedLifetime(frame) {} })
    } catch { throw refusal(error) }
  }
}
