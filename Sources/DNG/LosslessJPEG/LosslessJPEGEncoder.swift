import CRawKernels
import MediaCore

/// Lossless JPEG (ITU-T T.81, process 14) with predictor 1, as DNG's compression 7 requires.
///
/// An encoder reuses its memory for further images, so each thread needs its own.
final class LosslessJPEGEncoder {
  /// The shape of an image.
  struct Image {
    /// Width in pixels.
    var columns: Int
    /// Height in pixels.
    var rows: Int
    /// Samples per pixel, 1 to 4, interleaved.
    var components: Int
    /// Bits per sample, 2 to 16.
    var precision: Int
    /// The number of samples from one row to the next.
    var stride: Int
  }

  private var differences: [Int16] = []
  private var scratch: [UInt8] = []
  private var scan: [UInt8] = []

  init() {}

  /// Encodes an image as a complete file, with an optimized table for each component.
  ///
  /// - Throws: ``DNGError/Code/invalidArgument`` if there are fewer samples than the image needs.
  func encode(_ samples: Span<UInt16>, _ image: Image) throws(DNGError) -> [UInt8] {
    let count = image.columns * image.rows * image.components
    let last = (image.rows - 1) * image.stride + image.columns * image.components
    guard samples.count >= last else {
      throw DNGError(
        .invalidArgument,
        "\(image.columns)x\(image.rows) pixels need \(last) samples, not \(samples.count)")
    }
    reserve(count)
    let codes = makeCodes(samples, image)
    let length = encodeScan(count, image, codes)
    let header = Self.header(image, codes)
    return [UInt8](unsafeUninitializedCapacity: header.count + length + 2) { bytes, used in
      _ = bytes.update(fromContentsOf: header)
      scan.withUnsafeBufferPointer { coded in
        _ = bytes[header.count...].update(fromContentsOf: coded[..<length])
      }
      bytes[header.count + length] = 0xFF
      bytes[header.count + length + 1] = 0xD9
      used = header.count + length + 2
    }
  }

  private func reserve(_ count: Int) {
    guard differences.count < count else { return }
    let bound = raw_jpeg_bound(count)
    differences = [Int16](repeating: 0, count: count)
    scratch = [UInt8](repeating: 0, count: bound)
    scan = [UInt8](repeating: 0, count: bound)
  }

  private func makeCodes(_ samples: Span<UInt16>, _ image: Image) -> [HuffmanCode] {
    let categories = Int(RAW_JPEG_CATEGORIES)
    var counts = [UInt32](
      repeating: 0, count: Int(RAW_JPEG_COMPONENTS) * categories)
    samples.withUnsafeBufferPointer { source in
      differences.withUnsafeMutableBufferPointer { target in
        counts.withUnsafeMutableBytes { counts in
          raw_jpeg_differences(
            source.baseAddress, image.stride, image.columns, image.rows,
            image.components, UInt32(image.precision), target.baseAddress,
            counts.baseAddress?.assumingMemoryBound(to: CategoryCounts.self))
        }
      }
    }
    return (0..<image.components).map {
      HuffmanCode(counts: counts[$0 * categories..<($0 + 1) * categories])
    }
  }

  private typealias CategoryCounts = (
    UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32,
    UInt32, UInt32, UInt32, UInt32, UInt32, UInt32
  )

  private func encodeScan(
    _ count: Int, _ image: Image, _ codes: [HuffmanCode]
  ) -> Int {
    var words = codes.map(\.codes)
    while words.count < Int(RAW_JPEG_COMPONENTS) { words.append(raw_jpeg_codes()) }
    let bound = scratch.count
    return differences.withUnsafeBufferPointer { source in
      scratch.withUnsafeMutableBufferPointer { scratch in
        scan.withUnsafeMutableBufferPointer { target in
          raw_jpeg_encode(
            source.baseAddress, count, image.components, words, scratch.baseAddress,
            target.baseAddress, bound)
        }
      }
    }
  }

  private static func header(_ image: Image, _ codes: [HuffmanCode]) -> [UInt8] {
    func word(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)] }
    let indices = 0..<image.components
    var header: [UInt8] = [0xFF, 0xD8, 0xFF, 0xC3]
    header += word(8 + 3 * image.components) + [UInt8(image.precision)]
    header += word(image.rows) + word(image.columns) + [UInt8(image.components)]
    for index in indices { header += [UInt8(index), 0x11, 0] }
    for (index, code) in codes.enumerated() {
      header += [0xFF, 0xC4] + word(19 + code.values.count) + [UInt8(index)]
      header += code.lengthCounts + code.values
    }
    header += [0xFF, 0xDA] + word(6 + 2 * image.components) + [UInt8(image.components)]
    for index in indices { header += [UInt8(index), UInt8(index << 4)] }
    // Predictor 1, no point transform.
    return header + [1, 0, 0]
  }
}
