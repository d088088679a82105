import DNG
import ImageFiles
import MediaCore
import RawDevelop

/// A rendered image: interleaved 16-bit sRGB codes.
struct Rendering: Sendable {
  let width: Int
  let height: Int
  let pixels: [UInt16]

  /// The codes, rounded to 8 bits.
  var bytes: [UInt8] {
    [UInt8](unsafeUninitializedCapacity: pixels.count) { target, count in
      pixels.withUnsafeBufferPointer { source in
        for index in source.indices { target[index] = Self.byte(source[index]) }
      }
      count = pixels.count
    }
  }

  private static func byte(_ code: UInt16) -> UInt8 {
    UInt8(truncatingIfNeeded: (UInt32(code) * 255 + 32_767) / 65_535)
  }

  /// The image scaled down to fit, each pixel the mean of those it covers; it is never enlarged.
  func scaled(fitting most: Int, _ highest: Int) -> Rendering {
    let size = VideoDimensions(width: width, height: height).fitted(width: most, height: highest)
    guard size.width < width || size.height < height else { return self }
    let columns = (0...size.width).map { $0 * width / size.width }
    let rows = (0...size.height).map { $0 * height / size.height }
    let result = [UInt16](unsafeUninitializedCapacity: 3 * size.width * size.height) { out, count in
      pixels.withUnsafeBufferPointer { source in
        // Safe: bands do not overlap, so each thread writes only its own rows; the source is only read.
        nonisolated(unsafe) let out = out
        nonisolated(unsafe) let source = source
        ConcurrentMap.bands(size.height, of: 16) { band in
          for row in band {
            for column in 0..<size.width {
              var sums = (0, 0, 0)
              let (left, right) = (columns[column], max(columns[column + 1], columns[column] + 1))
              let (top, bottom) = (rows[row], max(rows[row + 1], rows[row] + 1))
              for y in top..<bottom {
                for x in left..<right {
                  let index = 3 * (y * width + x)
                  sums.0 += Int(source[index])
                  sums.1 += Int(source[index + 1])
                  sums.2 += Int(source[index + 2])
                }
              }
              let area = (right - left) * (bottom - top)
              let target = 3 * (row * size.width + column)
              out[target] = UInt16((sums.0 + area / 2) / area)
              out[target + 1] = UInt16((sums.1 + area / 2) / area)
              out[target + 2] = UInt16((sums.2 + area / 2) / area)
            }
          }
        }
      }
      count = 3 * size.width * size.height
    }
    return Rendering(width: size.width, height: size.height, pixels: result)
  }

  /// Encodes the image.
  ///
  /// - Parameters:
  ///   - isThorough: True to let HEIC take many times as long for a better image.
  ///   - isCanceled: Called now and then; returning true cancels the work.
  func encoded(
    _ format: ProcessedPhotoFormat, _ metadata: PhotoMetadata, isThorough: Bool,
    isCanceled: @escaping @Sendable () -> Bool
  ) throws(RawPhotoError) -> [UInt8] {
    var settings = ImageFileSettings(format: format.codec == .jpeg ? .jpeg : .heic)
    settings.quality = format.quality
    settings.bitDepth = format.bitDepth
    settings.effort = isThorough ? .thorough : .fast
    let image = RenderedImage(
      width: width, height: height, samples: .uint16(pixels), colorSpace: .sRGB)
    var writer = ImageFileWriter(settings)
    writer.isCanceled = isCanceled
    do throws(ImageFileError) {
      return try writer.encode(ImageContent(image, metadata: metadata)).bytes
    } catch {
      throw RawPhotoError(error)
    }
  }

  /// The image as a pixel buffer: blue, green, red.
  func pixelBuffer() throws(RawPhotoError) -> PixelBuffer {
    do throws(MediaCoreError) {
      var buffer = try MutablePixelBuffer(
        PixelBuffer.Description(
          format: .bgr24, width: width, height: height,
          color: ColorDescription.bt709.with(range: .full)))
      let stride = buffer.bytesPerRow(plane: 0)
      buffer.withUnsafeMutableBytes(ofPlane: 0) { bytes in
        for row in 0..<height {
          for column in 0..<width {
            let source = 3 * (row * width + column)
            let target = row * stride + 3 * column
            bytes[target] = Self.byte(pixels[source + 2])
            bytes[target + 1] = Self.byte(pixels[source + 1])
            bytes[target + 2] = Self.byte(pixels[source])
          }
        }
      }
      return buffer.finish()
    } catch {
      throw RawPhotoError(.outOfResources, error.message)
    }
  }
}
