import AVFoundationCompat
import Testing

/// Frames that a session converts to other sizes and pixel formats.
@Suite struct PixelTransferTests {
  private let session: VTPixelTransferSession

  init() throws {
    var session: VTPixelTransferSession?
    let status = VTPixelTransferSessionCreate(allocator: nil, pixelTransferSessionOut: &session)
    #expect(status == noErr)
    self.session = try #require(session)
  }

  /// A frame of one color, four bytes a pixel.
  private func frame(
    _ type: OSType, _ width: Int, _ height: Int, _ pixel: [UInt8] = [0, 0, 0, 0]
  ) throws -> CVPixelBuffer {
    var buffer: CVPixelBuffer?
    CVPixelBufferCreate(nil, width, height, type, nil, &buffer)
    let made = try #require(buffer)
    let step = CVPixelBufferGetBytesPerRow(made)
    let base = try #require(CVPixelBufferGetBaseAddress(made))
    for row in 0..<height {
      for place in 0..<4 * width where CVPixelBufferGetPlaneCount(made) == 0 {
        base.storeBytes(of: pixel[place % 4], toByteOffset: row * step + place, as: UInt8.self)
      }
    }
    return made
  }

  /// A frame without attachments.
  private func empty(_ type: OSType, _ width: Int, _ height: Int) throws -> CVPixelBuffer {
    var buffer: CVPixelBuffer?
    CVPixelBufferCreate(nil, width, height, type, nil, &buffer)
    return try #require(buffer)
  }

  private func bytes(_ buffer: CVPixelBuffer, row: Int, column: Int) throws -> [UInt8] {
    let address = try #require(CVPixelBufferGetBaseAddress(buffer))
    let place = row * CVPixelBufferGetBytesPerRow(buffer) + 4 * column
    return (0..<4).map { address.load(fromByteOffset: place + $0, as: UInt8.self) }
  }

  private func transfer(_ source: CVPixelBuffer, _ target: CVPixelBuffer) -> OSStatus {
    VTPixelTransferSessionTransferImage(session, from: source, to: target)
  }

  private func isRed(_ pixel: [UInt8]) -> Bool { pixel[0] < 6 && pixel[1] < 6 && pixel[2] > 194 }
  private func isBlack(_ pixel: [UInt8]) -> Bool { pixel[..<3].allSatisfy { $0 < 4 } }

  @Test func a_transfer_scales_to_the_target_size() throws {
    let red = try frame(kCVPixelFormatType_32BGRA, 64, 32, [0, 0, 200, 255])
    let small = try frame(kCVPixelFormatType_32BGRA, 32, 32)
    #expect(transfer(red, small) == noErr && session.error == nil)
    for (row, column) in [(0, 0), (31, 31), (16, 16)] {
      #expect(isRed(try bytes(small, row: row, column: column)))
    }
  }

  @Test func a_transfer_to_argb_only_reorders_bytes() throws {
    let source = try frame(kCVPixelFormatType_32BGRA, 6, 4, [1, 2, 3, 4])
    let target = try frame(kCVPixelFormatType_32ARGB, 6, 4)
    #expect(transfer(source, target) == noErr)
    #expect(try bytes(target, row: 3, column: 5) == [4, 3, 2, 1])
  }

  @Test func rows_of_any_length_are_reordered() throws {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 4 * 25, alignment: 16)
    defer { memory.deallocate() }
    for place in 0..<4 * 25 {
      memory.storeBytes(of: UInt8(place % 25 % 4 + 1), toByteOffset: place, as: UInt8.self)
    }
    var source: CVPixelBuffer?
    #expect(
      CVPixelBufferCreateWithBytes(
        nil, 6, 4, kCVPixelFormatType_32BGRA, memory, 25, nil, nil, nil, &source)
        == kCVReturnSuccess)
    let target = try frame(kCVPixelFormatType_32ARGB, 6, 4)
    #expect(transfer(try #require(source), target) == noErr)
    #expect(try bytes(target, row: 3, column: 5) == [4, 3, 2, 1])
  }

  /// Two rows of v210. Each byte holds the number of its block of six pixels.
  private func blocks(_ width: Int) throws -> CVPixelBuffer {
    var buffer: CVPixelBuffer?
    CVPixelBufferCreate(nil, width, 2, kCVPixelFormatType_422YpCbCr10, nil, &buffer)
    let made = try #require(buffer)
    let step = CVPixelBufferGetBytesPerRow(made)
    let base = try #require(CVPixelBufferGetBaseAddress(made))
    for place in 0..<2 * step {
      base.storeBytes(of: UInt8(place % step / 16), toByteOffset: place, as: UInt8.self)
    }
    return made
  }

  @Test func writing_unpadded_v210_rows_stays_within_the_buffer() throws {
    let step = 11 * 16
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 2 * step + 256, alignment: 16)
    defer { memory.deallocate() }
    memory.initializeMemory(as: UInt8.self, repeating: 99, count: 2 * step + 256)
    var target: CVPixelBuffer?
    #expect(
      CVPixelBufferCreateWithBytes(
        nil, 64, 2, kCVPixelFormatType_422YpCbCr10, memory, step, nil, nil, nil, &target)
        == kCVReturnSuccess)
    #expect(transfer(try blocks(64), try #require(target)) == noErr)
    let copied = (0..<2 * step + 256).map { memory.load(fromByteOffset: $0, as: UInt8.self) }
    #expect(copied[..<(2 * step)].enumerated().allSatisfy { Int($1) == $0 % step / 16 })
    #expect(copied[(2 * step)...].allSatisfy { $0 == 99 })
  }

  @Test func trimming_v210_cuts_between_pixel_groups() throws {
    let key = kVTPixelTransferPropertyKey_ScalingMode
    #expect(VTSessionSetProperty(session, key: key, value: kVTScalingMode_Trim) == noErr)
    let target = try blocks(60)
    #expect(transfer(try blocks(72), target) == noErr)
    let base = try #require(CVPixelBufferGetBaseAddress(target))
    #expect(base.load(as: UInt8.self) == 1)
    #expect(base.load(fromByteOffset: 159, as: UInt8.self) == 10)
  }

  @Test func a_transfer_converts_range_and_copies_color_attachments() throws {
    let white = try frame(kCVPixelFormatType_32BGRA, 64, 32, [255, 255, 255, 255])
    CVBufferSetAttachment(
      white, kCVImageBufferColorPrimariesKey, kCVImageBufferColorPrimaries_ITU_R_2020,
      .shouldPropagate)
    let luma = try frame(kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, 32, 16)
    #expect(transfer(white, luma) == noErr)
    let level = try #require(CVPixelBufferGetBaseAddressOfPlane(luma, 0)).load(as: UInt8.self)
    #expect(abs(Int(level) - 235) <= 1)
    #expect(
      CVBufferCopyAttachment(luma, kCVImageBufferColorPrimariesKey, nil) as? String
        == kCVImageBufferColorPrimaries_ITU_R_2020)
  }

  @Test func letterboxing_adds_black_bars_and_trimming_fills_the_target() throws {
    let red = try frame(kCVPixelFormatType_32BGRA, 64, 32, [0, 0, 200, 255])
    let target = try frame(kCVPixelFormatType_32BGRA, 32, 32, [9, 9, 9, 9])
    let key = kVTPixelTransferPropertyKey_ScalingMode
    #expect(VTSessionSetProperty(session, key: key, value: kVTScalingMode_Letterbox) == noErr)
    #expect(transfer(red, target) == noErr)
    #expect(isBlack(try bytes(target, row: 0, column: 0)))
    #expect(isBlack(try bytes(target, row: 31, column: 31)))
    #expect(isRed(try bytes(target, row: 16, column: 0)))
    #expect(VTSessionSetProperty(session, key: key, value: kVTScalingMode_Trim) == noErr)
    #expect(transfer(red, target) == noErr)
    #expect(isRed(try bytes(target, row: 0, column: 0)))
    #expect(isRed(try bytes(target, row: 31, column: 31)))
    #expect(
      VTSessionSetProperty(session, key: key, value: kVTScalingMode_CropSourceToCleanAperture)
        == noErr)
  }

  /// Luma of a v210 pixel.
  private func luma(_ buffer: CVPixelBuffer, row: Int, column: Int) throws -> Int {
    let address = try #require(CVPixelBufferGetBaseAddress(buffer))
    // Word and bit of each luma sample in a block of six pixels.
    let places = [(0, 10), (1, 0), (1, 20), (2, 10), (3, 0), (3, 20)]
    let (word, bit) = places[column % 6]
    let place = row * CVPixelBufferGetBytesPerRow(buffer) + column / 6 * 16 + 4 * word
    return Int(address.load(fromByteOffset: place, as: UInt32.self) >> UInt32(bit) & 0x3FF)
  }

  @Test(arguments: [kCVPixelFormatType_32BGRA, kCVPixelFormatType_422YpCbCr10])
  func letterboxing_v210_adds_black_bars(type: OSType) throws {
    let key = kVTPixelTransferPropertyKey_ScalingMode
    #expect(VTSessionSetProperty(session, key: key, value: kVTScalingMode_Normal) == noErr)
    let white = try frame(kCVPixelFormatType_32BGRA, 64, 32, [255, 255, 255, 255])
    let source = try empty(type, 64, 32)
    #expect(transfer(white, source) == noErr)
    if type == kCVPixelFormatType_422YpCbCr10 {
      #expect(try abs(luma(source, row: 31, column: 63) - 940) <= 4)
    }
    #expect(VTSessionSetProperty(session, key: key, value: kVTScalingMode_Letterbox) == noErr)
    for (width, height, black, bright) in [
      (64, 64, [(0, 0), (15, 63), (48, 0), (63, 63)], [(16, 0), (47, 63)]),
      (160, 32, [(0, 0), (31, 47), (0, 112), (31, 159)], [(0, 48), (31, 111)]),
      (32, 32, [(0, 0), (7, 31), (24, 0)], [(8, 0), (23, 31)]),
    ] {
      let target = try empty(kCVPixelFormatType_422YpCbCr10, width, height)
      #expect(transfer(source, target) == noErr, "\(width)x\(height)")
      for (row, column) in black {
        #expect(try luma(target, row: row, column: column) == 64, "\(row), \(column) of \(width)")
      }
      for (row, column) in bright {
        let code = try luma(target, row: row, column: column)
        #expect(abs(code - 940) <= 4, "\(row), \(column) of \(width): \(code)")
      }
    }
  }

  @Test func trimming_between_extreme_aspect_ratios_is_refused() throws {
    let key = kVTPixelTransferPropertyKey_ScalingMode
    #expect(VTSessionSetProperty(session, key: key, value: kVTScalingMode_Trim) == noErr)
    let tall = try frame(kCVPixelFormatType_32BGRA, 2, 4000)
    let wide = try frame(kCVPixelFormatType_32BGRA, 4000, 2)
    #expect(transfer(tall, wide) == kVTPixelTransferNotSupportedErr)
    #expect(session.error?.message.contains("too far apart") == true)
    #expect(VTSessionSetProperty(session, key: key, value: kVTScalingMode_Letterbox) == noErr)
    #expect(transfer(tall, wide) == noErr)
  }

  @Test func a_transfer_session_reports_its_supported_properties() throws {
    let (key, flag) = (
      kVTPixelTransferPropertyKey_ScalingMode, kVTPixelTransferPropertyKey_RealTime
    )
    #expect(VTSessionSetProperty(session, key: flag, value: kCFBooleanTrue) == noErr)
    #expect(VTSessionSetProperty(session, key: flag, value: "soon") == kVTParameterErr)
    #expect(VTSessionSetProperty(session, key: key, value: "Sideways") == kVTParameterErr)
    #expect("\(String(describing: session.error))".contains(kVTScalingMode_Letterbox))
    #expect(VTSessionSetProperty(session, key: "x", value: 1) == kVTPropertyNotSupportedErr)
    #expect(VTSessionSetProperty(session, key: key, value: kVTScalingMode_Normal) == noErr)
    var value: CFTypeRef?
    #expect(VTSessionCopyProperty(session, key: key, allocator: nil, valueOut: &value) == noErr)
    #expect(value as? String == kVTScalingMode_Normal)
    var known: CFDictionary?
    VTSessionCopySupportedPropertyDictionary(session, supportedPropertyDictionaryOut: &known)
    #expect(known?.count == 2)
    var kept: CFDictionary?
    VTSessionCopySerializableProperties(session, allocator: nil, dictionaryOut: &kept)
    #expect(kept?[flag] as? Bool == true && kept?[key] as? String == kVTScalingMode_Normal)
    #expect(CFGetTypeID(session) == VTPixelTransferSessionGetTypeID())

    VTPixelTransferSessionInvalidate(session)
    #expect(VTSessionSetProperty(session, key: flag, value: nil) == kVTInvalidSessionErr)
    let frame = try frame(kCVPixelFormatType_32BGRA, 6, 4)
    #expect(transfer(frame, frame) == kVTInvalidSessionErr)
  }

  @Test func creation_attributes_recreate_a_pixel_buffer() throws {
    let frame = try frame(kCVPixelFormatType_32ARGB, 6, 4)
    let attributes = CVPixelBufferCopyCreationAttributes(frame)
    var other: CVPixelBuffer?
    #expect(
      CVPixelBufferCreate(
        nil, CVPixelBufferGetWidth(frame), CVPixelBufferGetHeight(frame),
        CVPixelBufferGetPixelFormatType(frame), attributes, &other) == kCVReturnSuccess)
    #expect(attributes[kCVPixelBufferWidthKey] as? Int == 6)
    #expect(attributes[kCVPixelBufferPixelFormatTypeKey] as? OSType == kCVPixelFormatType_32ARGB)
  }
}
