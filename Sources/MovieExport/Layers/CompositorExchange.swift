import AssetReader
import MediaCore
import VideoRecorder

/// Converts pictures to the layout that a compositor wants, and its results to that of the frames.
struct CompositorExchange {
  /// The frames' description.
  private let frame: PixelBuffer.Description
  /// The color of pictures passed to a compositor, with a matrix that is also used to convert RGB
  /// back.
  private let color: ColorDescription
  /// The converter of each track.
  private var converters: [Int: PictureConverter] = [:]
  private var forms: [Int: (layout: PictureProcessing.Layout, form: PictureForm)] = [:]
  private var received: (processing: PictureProcessing, form: PictureForm)?
  private var unpacker: PictureUnpacker?

  /// - Parameters:
  ///   - frame: The frames' description.
  ///   - height: The sources' height, which determines the matrix if the color has none.
  init(_ frame: PixelBuffer.Description, sourceHeight height: Int) {
    self.frame = frame
    color = frame.color.resolved(forHeight: height)
  }

  /// A picture in the layout that a compositor wants.
  mutating func handedOver(
    _ picture: PixelBuffer, of track: Int, _ name: String, as layout: PictureProcessing.Layout?
  ) throws(AssetReaderError) -> PixelBuffer {
    guard let layout else { return picture }
    // Convert to RGB with the declared matrix rather than a guessed one.
    if layout.format.descriptor.subsampling == .rgb {
      let converter = converters[track] ?? PictureConverter()
      converters[track] = converter
      let wanted = PictureConversion(layout.format, range: layout.range)
      if let made = converter.convert(picture, to: wanted) { return made }
    }
    var form = forms[track].flatMap { $0.layout == layout ? $0.form : nil }
    if form == nil {
      var processing = PictureProcessing()
      processing.layout = layout
      form = PictureForm(processing)
    }
    let made = try form?.formed(picture, of: name) ?? picture
    if let form { forms[track] = (layout, form) }
    return made
  }

  /// Converts a compositor's picture to a frame.
  ///
  /// - Parameter fieldOrder: The field order of its sources.
  mutating func frame(
    of picture: PixelBuffer, _ fieldOrder: FieldOrder
  ) throws(AssetReaderError) -> PixelBuffer {
    var details = picture.details
    details.color = color.with(range: picture.color.range)
    details.fieldOrder = picture.height == frame.height ? fieldOrder : .progressive
    details.pixelAspectRatio = .square
    let made = try formed(try unpacked(try Self.picture(picture, described: details)))
    details = made.details
    details.color = frame.color
    return try Self.picture(made, described: details)
  }

  /// Converts RGB to luma and chroma exactly, with the matrix it was made with.
  private mutating func unpacked(
    _ picture: PixelBuffer
  ) throws(AssetReaderError) -> PixelBuffer {
    guard picture.format.descriptor.subsampling == .rgb else { return picture }
    do throws(MediaCoreError) {
      if unpacker?.source != picture.details {
        unpacker = try PictureUnpacker(from: picture.details, to: frame.format)
      }
      return try unpacker?.unpacked(picture) ?? picture
    } catch { throw Self.refusal(error) }
  }

  private mutating func formed(_ picture: PixelBuffer) throws(AssetReaderError) -> PixelBuffer {
    var processing = PictureProcessing()
    processing.layout = PictureProcessing.Layout(frame.format, range: .video)
    if picture.width != frame.width || picture.height != frame.height {
      processing.scaling = .init(VideoDimensions(width: frame.width, height: frame.height))
      processing.scaling?.fitting = .stretch
    }
    var form =
      received.flatMap { $0.processing == processing ? $0.form : nil } ?? PictureForm(processing)
    defer { received = (processing, form) }
    return try form.formed(picture, of: Self.name)
  }

  private static let name = "the video compositor's frame"

  private static func refusal(_ error: MediaCoreError) -> AssetReaderError {
    AssetReaderError(.unsupported, "\(name): \(error.message)")
  }

  /// The same memory with another description.
  private static func picture(
    _ picture: PixelBuffer, described details: PixelBuffer.Description
  ) throws(AssetReaderError) -> PixelBuffer {
    guard details != picture.details else { return picture }
    do throws(MediaCoreError) {
      return try PixelBuffer(
        details, planes: (0..<picture.planeCount).map(picture.plane),
        release: { withExtendedLifetime(picture) {} })
    } catch { throw refusal(error) }
  }
}
