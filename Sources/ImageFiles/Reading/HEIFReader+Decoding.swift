import CHEIF

extension HEIFReader {
  /// The interleaved samples of a decoded image.
  struct Plane {
    let first: UnsafePointer<UInt8>
    /// Bytes from row to row.
    let stride: Int
    let width: Int
    let height: Int
    /// Bits of a sample.
    let bitDepth: Int32

    /// The first sample of the visible part.
    ///
    /// - Parameter storage: The visible part; nil if the file does not state it.
    /// - Throws: ``ImageFileError/Code/invalidFile`` if the plane does not contain it.
    func start(
      of storage: HEIFTransforms.Storage?, _ width: Int, _ height: Int, bytesPerPixel: Int
    ) throws(ImageFileError) -> UnsafePointer<UInt8> {
      guard width > 0, height > 0, width <= self.width, height <= self.height else {
        throw .invalidFile("libheif decoded no image")
      }
      let start =
        storage?.start(inWidth: self.width, height: self.height) ?? (column: 0, row: 0)
      return first + start.row * stride + start.column * bytesPerPixel
    }
  }

  /// Decodes an image as it is stored, without the file's transformations.
  ///
  /// - Parameters:
  ///   - chroma: An interleaved form.
  ///   - inEightBits: True to reduce deeper samples.
  ///   - body: Takes the samples, which are valid only during the call.
  static func decode<Result>(
    _ bitmap: OpaquePointer, as chroma: heif_chroma, inEightBits: Bool = false,
    _ body: (Plane) throws(ImageFileError) -> Result
  ) throws(ImageFileError) -> Result {
    guard let options = heif_decoding_options_alloc() else {
      throw .refused("libheif", "no memory")
    }
    defer { heif_decoding_options_free(options) }
    options.pointee.ignore_transformations = 1
    if inEightBits { options.pointee.convert_hdr_to_8bit = 1 }
    var image: OpaquePointer?
    let result = heif_decode_image(bitmap, &image, heif_colorspace_RGB, chroma, options)
    try checkDecoder(result)
    try check(result)
    guard let image else { throw .refused("libheif", "no memory") }
    defer { heif_image_release(image) }
    var stride: Int32 = 0
    guard let first = heif_image_get_plane_readonly(image, heif_channel_interleaved, &stride) else {
      throw .invalidFile("libheif decoded no image")
    }
    return try body(
      Plane(
        first: first, stride: Int(stride),
        width: Int(heif_image_get_width(image, heif_channel_interleaved)),
        height: Int(heif_image_get_height(image, heif_channel_interleaved)),
        bitDepth: heif_image_get_bits_per_pixel_range(image, heif_channel_interleaved)))
  }
}
