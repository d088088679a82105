import CPNG
import RawDevelop

/// Decodes the pixels of a PNG file, through libpng.
struct PNGDecoder {
  private let reader: PNGReader
  private let bytes: [UInt8]
  private var header: PNGReader.Header { reader.header }

  init(_ reader: PNGReader, _ bytes: [UInt8]) { (self.reader, self.bytes) = (reader, bytes) }

  /// Decodes the image.
  ///
  /// - Throws: ``ImageFileError/Code/invalidFile`` with libpng's message.
  func decoded() throws(ImageFileError) -> DecodedImage {
    // Deflate expands data at most 1032 times.
    guard header.pixelBits * header.width / 8 * header.height <= 1032 * bytes.count + 4096 else {
      throw .invalidFile("it claims more pixels than its data can hold")
    }
    // One byte of the file may stand for eight thousand pixels.
    guard header.width * header.height <= (1 << 31) / most else {
      throw .invalidFile("it claims more pixels than the limit")
    }
    let (samples, message) =
      header.bitDepth == 16
      ? try samples(of: UInt16.self) { .uint16($0) } : try samples(of: UInt8.self) { .uint8($0) }
    var decoded = reader.color.decoded(samples)
    if reader.isAnimated { decoded.notes.append("only the first image of the animation is read") }
    if !reader.isWhole {
      decoded.notes.append("the file ends before its image does: the rest is black")
    } else if let message {
      decoded.notes.append("libpng says: \(message)")
    }
    return decoded
  }

  /// The most samples that a pixel may expand to: palette entries become red, green and blue, and a transparent
  /// color adds alpha.
  private var most: Int {
    let colors = header.colorType == 0 || header.colorType == 4 ? 1 : 3
    return colors + (reader.facts.hasAlpha ? 1 : 0)
  }

  /// - Returns: The samples, and libpng's message about damage; nil if there is none.
  private func samples<Sample: FixedWidthInteger>(
    of type: Sample.Type, _ wrapped: ([Sample]) -> RenderedImage.Samples
  ) throws(ImageFileError) -> (ImageSamples, message: String?) {
    let size = MemoryLayout<Sample>.size
    var values = [Sample](repeating: 0, count: header.width * header.height * most)
    var rowBytes = header.width * most * size
    var message = [UInt8](repeating: 0, count: 160)
    let result = values.withUnsafeMutableBytes { samples in
      message.withUnsafeMutableBytes { message in
        png_picture_decode(
          bytes, bytes.count, samples.bindMemory(to: UInt8.self).baseAddress, &rowBytes,
          header.height, message.bindMemory(to: CChar.self).baseAddress, message.count)
      }
    }
    let text = String(decoding: message.prefix { $0 != 0 }, as: UTF8.self)
    guard result != PNG_PICTURE_NONE else { throw .invalidFile("libpng says: \(text)") }
    let channels = rowBytes / size / header.width
    values.removeLast(values.count - header.width * header.height * channels)
    let made = ImageSamples(
      width: header.width, height: header.height, channels: channels, samples: wrapped(values))
    return (made, text.isEmpty ? nil : text)
  }
}
