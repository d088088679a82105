import AVFoundationCompat
import ImageFiles
import TestSupport
import Testing

/// Captured photos as images.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct PhotoImageTests {
  /// The number of times each value occurs.
  private func histogram(of samples: [UInt8], from first: Int = 0, by step: Int = 1) -> [Int] {
    var counts = [Int](repeating: 0, count: 256)
    // A loop over raw memory without iterators, because tests are built without optimization.
    samples.withUnsafeBufferPointer { samples in
      counts.withUnsafeMutableBufferPointer { counts in
        var place = first
        while place < samples.count {
          counts[Int(samples[place])] &+= 1
          place &+= step
        }
      }
    }
    return counts
  }

  private func mean(of counts: [Int]) -> Double {
    let sum = counts.enumerated().reduce(0) { $0 + $1.offset * $1.element }
    return Double(sum) / Double(max(counts.reduce(0, +), 1))
  }

  @Test(arguments: [false, true])
  func a_photo_becomes_an_image(isProRAW: Bool) async throws {
    let folder = try TemporaryFolder()
    let camera = try PhotoCamera(proRAW: isProRAW)
    camera.session.startRunning()
    defer { camera.session.stopRunning() }
    let raw = try #require(
      camera.output.availableRawPhotoPixelFormatTypes.first {
        AVCapturePhotoOutput.isAppleProRAWPixelFormat($0) == isProRAW
      })
    let settings = AVCapturePhotoSettings(
      rawPixelFormatType: raw, processedFormat: [AVVideoCodecKey: AVVideoCodecType.jpeg])
    let processor = PhotoProcessor(folder: folder.url)
    #expect(await processor.capture(settings, camera.output) == nil)
    #expect(processor.photos.map(\.isRawPhoto) == [true, false])
    var means: [Double] = []
    for photo in processor.photos {
      let image = try #require(photo.cgImageRepresentation(), "\(photo.fileDataError as Any)")
      #expect(photo.fileDataError == nil && image.bitsPerComponent == 8)
      let sizes = photo.resolvedSettings
      let wanted = photo.isRawPhoto ? sizes.rawPhotoDimensions : sizes.photoDimensions
      // Development leaves out the sensor's edges.
      let least = photo.isRawPhoto ? 0.95 : 1
      #expect((least...1).contains(Double(image.width) / Double(wanted.width)))
      #expect((least...1).contains(Double(image.height) / Double(wanted.height)))
      guard case .uint8(let samples) = image.image.samples else {
        Issue.record("not 8-bit samples")
        continue
      }
      #expect(samples.count == image.width * image.height * 3)
      let counts = histogram(of: samples)
      #expect(counts.count { $0 > 0 } > 16)
      means.append(mean(of: counts))
    }
    // Both have the same exposure, so they are about equally bright.
    #expect(abs(means[0] - means[1]) < 40, "\(means)")
  }

  /// Both have the same exposure.
  @Test func heic_and_jpeg_photos_decode_to_the_same_image() async throws {
    let folder = try TemporaryFolder()
    let camera = try PhotoCamera(proRAW: false)
    camera.session.startRunning()
    defer { camera.session.stopRunning() }
    var means: [[Double]] = []
    for codec in [AVVideoCodecType.hevc, .jpeg] {
      let processor = PhotoProcessor(folder: folder.url)
      let settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: codec])
      #expect(await processor.capture(settings, camera.output) == nil)
      let photo = try #require(processor.photos.first)
      let decoded = photo.cgImageRepresentation()
      if (photo.fileDataError?.underlyingError as? ImageFileError)?.code == .unsupported {
        try Test.cancel("\(photo.fileDataError?.message ?? "")")
      }
      let image = try #require(decoded, "\(photo.fileDataError as Any)")
      #expect(photo.resolvedSettings.previewDimensions == CMVideoDimensions())
      let sizes = photo.resolvedSettings.photoDimensions
      #expect(image.width == Int(sizes.width) && image.height == Int(sizes.height))
      guard case .uint8(let samples) = image.image.samples else {
        Issue.record("not 8-bit samples")
        continue
      }
      means.append((0..<3).map { mean(of: histogram(of: samples, from: $0, by: 3)) })
    }
    #expect(zip(means[0], means[1]).allSatisfy { abs($0 - $1) < 3 }, "\(means)")
  }
}
