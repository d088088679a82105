import AVFoundationCompat
import TestSupport
import Testing

/// RGB and full-range frames become levels that every judge agrees on.
@Suite(.tags(.judges), .timeLimit(.minutes(10)))
struct RGBWritingTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Bytes of a white, a black and a red pixel, by pixel format.
  private static func pixels(_ code: OSType) -> [[UInt8]] {
    let colors: [(UInt8, UInt8, UInt8)] = [(255, 255, 255), (0, 0, 0), (255, 0, 0)]
    return colors.map { red, green, blue in
      code == kCVPixelFormatType_32BGRA ? [blue, green, red, 255] : [255, red, green, blue]
    }
  }

  /// 10-bit codes of white, black and red (BT.709, BT.601).
  private static func codes(isHigh: Bool) -> [[Int]] {
    [[940, 512, 512], [64, 512, 512], isHigh ? [250, 409, 960] : [326, 361, 960]]
  }

  private func write(
    _ code: OSType, _ settings: [String: Any], height: Int,
    fill: (CVPixelBuffer, Int) throws -> Void
  ) async throws -> String {
    let isProRes = (settings[AVVideoCodecKey] as? AVVideoCodecType)?.isProRes == true
    let url = folder.url("\(height)." + (isProRes ? "mov" : "mp4"))
    let writer = try AVAssetWriter(outputURL: url, fileType: isProRes ? .mov : .mp4)
    let input = AVAssetWriterInput(
      mediaType: .video,
      outputSettings: settings.merging([AVVideoWidthKey: 64, AVVideoHeightKey: height]) { $1 })
    let adaptor = AVAssetWriterInputPixelBufferAdaptor(
      assetWriterInput: input,
      sourcePixelBufferAttributes: [kCVPixelBufferPixelFormatTypeKey as String: code])
    writer.add(input)
    try #require(writer.startWriting(), "\(String(describing: writer.error))")
    writer.startSession(atSourceTime: .zero)
    for frame in 0..<3 {
      while !input.isReadyForMoreMediaData { await Task.yield() }
      var made: CVPixelBuffer?
      let pool = try #require(adaptor.pixelBufferPool)
      #expect(CVPixelBufferPoolCreatePixelBuffer(nil, pool, &made) == kCVReturnSuccess)
      let image = try #require(made)
      #expect(CVPixelBufferGetPixelFormatType(image) == code)
      try fill(image, frame)
      let time = CMTime(value: Int64(frame), timescale: 25)
      #expect(
        adaptor.append(image, withPresentationTime: time), "\(String(describing: writer.error))")
    }
    await writer.finishWriting()
    #expect(writer.status == .completed, "\(String(describing: writer.error))")
    return url.path
  }

  private func check(_ path: String, _ wanted: [[Int]], height: Int, tolerance: Double) throws {
    let codes = try Judges.decode(path, pixelFormat: "yuv444p10le")
    let size = 64 * height
    try #require(codes.count == 9 * size)
    for frame in 0..<3 {
      for plane in 0..<3 {
        let first = (3 * frame + plane) * size
        let mean = Double(codes[first..<first + size].reduce(0) { $0 + Int($1) }) / Double(size)
        #expect(
          abs(mean - Double(wanted[frame][plane])) <= tolerance, "frame \(frame), plane \(plane)")
      }
    }
  }

  @Test(
    arguments: [kCVPixelFormatType_32BGRA, kCVPixelFormatType_32ARGB],
    [AVVideoCodecType.proRes422HQ, .proRes4444, .h264])
  func white_black_and_red_have_correct_codes(code: OSType, codec: AVVideoCodecType) async throws {
    guard codec.isProRes || EncoderCapabilities.current.interframeCodecs.contains(codec) else {
      try Test.cancel("libavcodec has no encoder of H.264")
    }
    // The height determines the matrix.
    for height in [48, 720] where height == 48 || codec == .proRes422HQ {
      var settings: [String: Any] = [AVVideoCodecKey: codec]
      if codec == .h264 {
        settings[AVVideoCompressionPropertiesKey] = [AVVideoQualityKey: 1]
      }
      let path = try await write(code, settings, height: height) { image, frame in
        let pixel = Self.pixels(code)[frame]
        CVPixelBufferLockBaseAddress(image, [])
        let base = try #require(CVPixelBufferGetBaseAddress(image))
        let bytes = UnsafeMutableRawBufferPointer(
          start: base, count: CVPixelBufferGetDataSize(image))
        for place in bytes.indices { bytes[place] = pixel[place & 3] }
        CVPixelBufferUnlockBaseAddress(image, [])
      }
      try check(
        path, Self.codes(isHigh: height == 720), height: height, tolerance: codec == .h264 ? 4 : 2)
      let matrix = try Judges.probe(path).stream("video").color_space
      #expect(matrix == (height == 720 ? "bt709" : "smpte170m"))
    }
  }

  @Test func the_color_matrix_in_the_settings_takes_precedence() async throws {
    let settings: [String: Any] = [
      AVVideoCodecKey: AVVideoCodecType.proRes422HQ,
      AVVideoColorPropertiesKey: [
        AVVideoColorPrimariesKey: AVVideoColorPrimaries_ITU_R_709_2,
        AVVideoTransferFunctionKey: AVVideoTransferFunction_ITU_R_709_2,
        AVVideoYCbCrMatrixKey: AVVideoYCbCrMatrix_ITU_R_709_2,
      ],
    ]
    let code = kCVPixelFormatType_32BGRA
    let path = try await write(code, settings, height: 48) { image, frame in
      let pixel = Self.pixels(code)[frame]
      let base = try #require(CVPixelBufferGetBaseAddress(image))
      for place in 0..<CVPixelBufferGetDataSize(image) {
        base.storeBytes(of: pixel[place & 3], toByteOffset: place, as: UInt8.self)
      }
    }
    try check(path, Self.codes(isHigh: true), height: 48, tolerance: 2)
  }

  @Test(
    arguments: [
      kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
      kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_422YpCbCr8,
      kCVPixelFormatType_422YpCbCr8_yuvs,
    ], [AVVideoCodecType.proRes422, .h264])
  func eight_bit_formats_keep_their_levels(code: OSType, codec: AVVideoCodecType) async throws {
    guard codec.isProRes || EncoderCapabilities.current.interframeCodecs.contains(codec) else {
      try Test.cancel("libavcodec has no encoder of H.264")
    }
    let isFull = code == kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
    let levels: [Int32] = isFull ? [255, 0, 128] : [235, 16, 126]
    let path = try await write(code, [AVVideoCodecKey: codec], height: 48) { image, frame in
      let isPlanar = CVPixelBufferIsPlanar(image)
      for plane in 0..<(isPlanar ? 2 : 1) {
        let base = try #require(
          isPlanar
            ? CVPixelBufferGetBaseAddressOfPlane(image, plane)
            : CVPixelBufferGetBaseAddress(image))
        let count =
          isPlanar
          ? CVPixelBufferGetBytesPerRowOfPlane(image, plane)
            * CVPixelBufferGetHeightOfPlane(image, plane) : CVPixelBufferGetDataSize(image)
        memset(base, plane == 0 ? levels[frame] : 128, count)
        guard !isPlanar else { continue }
        let chroma = code == kCVPixelFormatType_422YpCbCr8 ? 0 : 1
        for place in stride(from: chroma, to: count, by: 2) {
          base.storeBytes(of: 128, toByteOffset: place, as: UInt8.self)
        }
      }
    }
    try check(
      path, [[940, 512, 512], [64, 512, 512], [504, 512, 512]], height: 48, tolerance: 4)
  }
}
