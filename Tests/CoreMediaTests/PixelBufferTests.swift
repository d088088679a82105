import AVFoundationCompat
import Testing

@Suite struct PixelBufferTests {
  /// Pixel format codes, and what Core Video says about 66x34 pixels in them.
  private static let layouts: [(code: OSType, planes: Int, chroma: (width: Int, height: Int)?)] = [
    (kCVPixelFormatType_420YpCbCr8Planar, 3, (33, 17)),
    (kCVPixelFormatType_420YpCbCr8PlanarFullRange, 3, (33, 17)),
    (kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, 2, (33, 17)),
    (kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, 2, (33, 17)),
    (kCVPixelFormatType_422YpCbCr8BiPlanarVideoRange, 2, (33, 34)),
    (kCVPixelFormatType_422YpCbCr8BiPlanarFullRange, 2, (33, 34)),
    (kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange, 2, (33, 17)),
    (kCVPixelFormatType_420YpCbCr10BiPlanarFullRange, 2, (33, 17)),
    (kCVPixelFormatType_422YpCbCr10BiPlanarVideoRange, 2, (33, 34)),
    (kCVPixelFormatType_422YpCbCr10BiPlanarFullRange, 2, (33, 34)),
    (kCVPixelFormatType_422YpCbCr16BiPlanarVideoRange, 2, (33, 34)),
    (kCVPixelFormatType_422YpCbCr8, 0, nil), (kCVPixelFormatType_422YpCbCr8FullRange, 0, nil),
    (kCVPixelFormatType_422YpCbCr8_yuvs, 0, nil), (kCVPixelFormatType_422YpCbCr10, 0, nil),
    (kCVPixelFormatType_24BGR, 0, nil), (kCVPixelFormatType_32BGRA, 0, nil),
    (kCVPixelFormatType_32ARGB, 0, nil), (kCVPixelFormatType_14Bayer_RGGB, 0, nil),
    (kCVPixelFormatType_14Bayer_GRBG, 0, nil), (kCVPixelFormatType_14Bayer_GBRG, 0, nil),
    (kCVPixelFormatType_14Bayer_BGGR, 0, nil),
  ]

  @Test func foundation_dictionaries_are_accepted_for_core_foundation_ones() throws {
    let attributes: NSDictionary = [
      kCVPixelBufferPixelFormatTypeKey: Int(kCVPixelFormatType_32BGRA),
      kCVPixelBufferWidthKey: 66, kCVPixelBufferHeightKey: 34,
    ]
    var pool: CVPixelBufferPool?
    let options: NSDictionary = [kCVPixelBufferPoolMinimumBufferCountKey: 1]
    #expect(CVPixelBufferPoolCreate(nil, options, attributes, &pool) == kCVReturnSuccess)
    let made = try #require(pool)
    var (first, second): (CVPixelBuffer?, CVPixelBuffer?)
    let most: NSDictionary = [kCVPixelBufferPoolAllocationThresholdKey: 1]
    #expect(
      CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(nil, made, most, &first)
        == kCVReturnSuccess)
    #expect(
      CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(nil, made, most, &second)
        == kCVReturnWouldExceedAllocationThreshold)
    #expect(first.map(CVPixelBufferGetWidth) == 66 && second == nil)
    let wrong: NSDictionary = [kCVPixelBufferWidthKey: "wide"]
    #expect(
      CVPixelBufferCreate(nil, 66, 34, kCVPixelFormatType_32BGRA, wrong, &second)
        == kCVReturnInvalidPixelBufferAttributes)
  }

  @Test(arguments: layouts.indices)
  func a_pixel_buffer_reports_its_layout(index: Int) throws {
    let layout = Self.layouts[index]
    var made: CVPixelBuffer?
    let attributes = [
      kCVPixelBufferWidthKey as String: 66, kCVPixelBufferHeightKey as CFString: 34,
    ]
    let result: CVReturn = CVPixelBufferCreate(
      kCFAllocatorDefault, 66, 34, layout.code, attributes as CFDictionary, &made)
    #expect(result == kCVReturnSuccess)
    let buffer = try #require(made)
    #expect(CVPixelBufferGetPixelFormatType(buffer) == layout.code)
    #expect(CVPixelBufferGetWidth(buffer) == 66 && CVPixelBufferGetHeight(buffer) == 34)
    #expect(CVPixelBufferGetPlaneCount(buffer) == layout.planes)
    #expect(CVPixelBufferIsPlanar(buffer) == (layout.planes > 0))
    if let chroma = layout.chroma {
      #expect(CVPixelBufferGetWidthOfPlane(buffer, 1) == chroma.width)
      #expect(CVPixelBufferGetHeightOfPlane(buffer, 1) == chroma.height)
    }
    #expect(CVPixelBufferGetWidthOfPlane(buffer, 9) == 0)
    #expect(CVPixelBufferGetBaseAddressOfPlane(buffer, 9) == nil)
    // Every byte of every plane can be written and read back.
    let flags: CVPixelBufferLockFlags = .readOnly
    #expect(flags.rawValue == 1 as CVOptionFlags)
    #expect(CVPixelBufferLockBaseAddress(buffer, []) == kCVReturnSuccess)
    var bytes = 0
    for plane in 0..<max(layout.planes, 1) {
      let size =
        CVPixelBufferGetBytesPerRowOfPlane(buffer, plane)
        * CVPixelBufferGetHeightOfPlane(buffer, plane)
      let address = try #require(CVPixelBufferGetBaseAddressOfPlane(buffer, plane))
      memset(address, 0x5A, size)
      bytes += size
    }
    #expect(CVPixelBufferUnlockBaseAddress(buffer, []) == kCVReturnSuccess)
    #expect(CVPixelBufferGetDataSize(buffer) == bytes)
    let first = try #require(CVPixelBufferGetBaseAddress(buffer))
    #expect(first.load(as: UInt8.self) == 0x5A && CVPixelBufferGetBytesPerRow(buffer) >= 66)
  }

  @Test func failed_pixel_buffer_creation_returns_an_error_code() {
    var made: CVPixelBuffer?
    func create(_ width: Int, _ code: OSType, _ attributes: CFDictionary? = nil) -> CVReturn {
      CVPixelBufferCreate(nil as CFAllocator?, width, 16, code, attributes, &made)
    }
    #expect(create(16, kCVPixelFormatType_32RGBA) == kCVReturnInvalidPixelFormat)
    #expect(create(0, kCVPixelFormatType_24BGR) == kCVReturnInvalidSize)
    #expect(
      create(16, kCVPixelFormatType_24BGR, ["Alpha": 1]) == kCVReturnInvalidPixelBufferAttributes)
    #expect(made == nil)
    let numbers = [
      kCVReturnSuccess, kCVReturnError, kCVReturnInvalidArgument, kCVReturnAllocationFailed,
      kCVReturnInvalidPixelFormat, kCVReturnInvalidSize, kCVReturnInvalidPixelBufferAttributes,
      kCVReturnWouldExceedAllocationThreshold,
    ]
    #expect(numbers == [0, -6660, -6661, -6662, -6680, -6681, -6682, -6689])
  }

  @Test func an_empty_pool_grows_unless_limited() throws {
    let pool: CVPixelBufferPool = try CVPixelBufferPool(
      .init(format: .p210, width: 16, height: 16), capacity: 1)
    var first: CVPixelBuffer?
    var second: CVPixelBuffer?
    #expect(CVPixelBufferPoolCreatePixelBuffer(nil, pool, &first) == kCVReturnSuccess)
    #expect(
      CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(
        nil, pool, [kCVPixelBufferPoolAllocationThresholdKey: 1], &second)
        == kCVReturnWouldExceedAllocationThreshold)
    #expect(CVPixelBufferPoolCreatePixelBuffer(nil, pool, &second) == kCVReturnSuccess)
    #expect(first !== second && pool.available == 0)
    first = nil
    #expect(pool.available == 1)
  }

  @Test func a_threshold_counts_extra_buffers_while_they_are_held() throws {
    let pool = try CVPixelBufferPool(.init(format: .p210, width: 16, height: 16), capacity: 2)
    let limit: CFDictionary = [kCVPixelBufferPoolAllocationThresholdKey: 4]
    var held: [CVPixelBuffer] = []
    func make() -> CVReturn {
      var made: CVPixelBuffer?
      let status = CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(nil, pool, limit, &made)
      if let made { held.append(made) }
      return status
    }
    for _ in 0..<4 { #expect(make() == kCVReturnSuccess) }
    #expect(make() == kCVReturnWouldExceedAllocationThreshold && held.count == 4)
    let extra = held[3]
    #expect(extra.details == pool.details && extra.planeCount == 2)
    let base = try #require(CVPixelBufferGetBaseAddressOfPlane(extra, 1))
    base.storeBytes(of: 7, as: UInt8.self)
    held.removeLast()
    #expect(base.load(as: UInt8.self) == 7, "the buffer is still held")
    #expect(make() == kCVReturnWouldExceedAllocationThreshold)
    // One of the pool's own buffers is returned and reused.
    held.removeFirst()
    #expect(make() == kCVReturnSuccess && pool.available == 0)
    withExtendedLifetime(extra) {}
    held = []
    #expect(pool.available == 2)
    for _ in 0..<3 { #expect(make() == kCVReturnSuccess) }
  }

  @Test func a_released_extra_buffer_no_longer_counts() throws {
    let pool = try CVPixelBufferPool(.init(format: .p210, width: 16, height: 16), capacity: 1)
    let limit: CFDictionary = [kCVPixelBufferPoolAllocationThresholdKey: 2]
    var first: CVPixelBuffer?
    #expect(CVPixelBufferPoolCreatePixelBuffer(nil, pool, &first) == kCVReturnSuccess)
    for _ in 0..<5 {
      var extra: CVPixelBuffer?
      var none: CVPixelBuffer?
      #expect(
        CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(nil, pool, limit, &extra)
          == kCVReturnSuccess)
      #expect(
        CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(nil, pool, limit, &none)
          == kCVReturnWouldExceedAllocationThreshold)
      #expect(none == nil && extra !== first)
    }
    var none: CVPixelBuffer?
    for threshold in [Int.min, -1, 0, 1] {
      #expect(
        CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(
          nil, pool, [kCVPixelBufferPoolAllocationThresholdKey: threshold], &none)
          == kCVReturnWouldExceedAllocationThreshold)
    }
  }

  @Test func planar_media_subtypes_map_to_pixel_formats() {
    let classes: [(OSType, PixelFormat, ColorDescription.Range)] = [
      (kCVPixelFormatType_444YpCbCr8BiPlanarVideoRange, .yuv444p8, .video),
      (kCVPixelFormatType_444YpCbCr8BiPlanarFullRange, .yuv444p8, .full),
      (kCVPixelFormatType_444YpCbCr10BiPlanarVideoRange, .yuv444p10, .video),
      (kCVPixelFormatType_444YpCbCr10BiPlanarFullRange, .yuv444p10, .full),
      (kCVPixelFormatType_444YpCbCr16BiPlanarVideoRange, .yuv444p12, .video),
      (kCVPixelFormatType_422YpCbCr10BiPlanarVideoRange, .v210, .video),
    ]
    for (code, format, range) in classes {
      let description = CMFormatDescription.video(
        VideoFormatDescription(
          .init(format: format, width: 16, height: 16, color: .bt709.with(range: range))))
      #expect(CMFormatDescriptionGetMediaSubType(description) == code)
    }
    #expect(AVCapturePhotoOutput.isAppleProRAWPixelFormat(kCVPixelFormatType_64RGBALE))
  }
}
