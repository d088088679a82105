import AVFoundationCompat
import TestSupport
import Testing

/// Pixel buffers around a program's own planes.
@Suite struct PlanarFrameTests {
  /// The arguments of a callback.
  private struct Reported {
    var calls = 0
    var address: UnsafeRawPointer?
    var size = 0
    var planes: [UnsafeRawPointer?] = []
  }

  /// A 64x48 frame in 4:2:0, in one block of memory, and what its release callback received.
  private struct Rig {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 64 * 48 * 2, alignment: 16)
    let reported = UnsafeMutablePointer<Reported>.allocate(capacity: 1)
    var addresses: [UnsafeMutableRawPointer?]
    var widths: [Int]
    var heights: [Int]
    var rows: [Int]

    init(planes: Int) {
      reported.initialize(to: Reported())
      addresses = [memory, memory + 64 * 48]
      (widths, heights, rows) = ([64, 32], [48, 24], [64, 64])
      if planes == 3 {
        addresses.append(memory + 64 * 48 + 32 * 24)
        (widths, heights, rows) = ([64, 32, 32], [48, 24, 24], [64, 32, 32])
      }
    }

    mutating func make(
      _ code: OSType, width: Int = 64, planes: Int? = nil, attributes: CFDictionary? = nil,
      _ frame: inout CVPixelBuffer?
    ) -> CVReturn {
      let giveBack: CVPixelBufferReleasePlanarBytesCallback = {
        context, address, size, count, planes in
        guard let reported = context?.assumingMemoryBound(to: Reported.self) else { return }
        reported.pointee.calls += 1
        reported.pointee.address = address
        reported.pointee.size = size
        reported.pointee.planes = (0..<count).map { planes?[$0] }
      }
      return CVPixelBufferCreateWithPlanarBytes(
        kCFAllocatorDefault, width, 48, code, memory, 64 * 72, planes ?? addresses.count,
        &addresses, &widths, &heights, &rows, giveBack, reported, attributes, &frame)
    }

    func free() {
      memory.deallocate()
      reported.deinitialize(count: 1)
      reported.deallocate()
    }
  }

  @Test(arguments: [
    (kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, 2), (kCVPixelFormatType_420YpCbCr8Planar, 3),
  ]) func planes_stay_in_place_and_are_released_once(code: OSType, planes: Int) throws {
    var rig = Rig(planes: planes)
    defer { rig.free() }
    var made: CVPixelBuffer?
    #expect(rig.make(code, &made) == kCVReturnSuccess)
    do {
      let frame = try #require(made)
      #expect(CVPixelBufferGetPixelFormatType(frame) == code)
      #expect(CVPixelBufferGetPlaneCount(frame) == planes)
      for plane in 0..<planes {
        #expect(CVPixelBufferGetBaseAddressOfPlane(frame, plane) == rig.addresses[plane])
        #expect(CVPixelBufferGetWidthOfPlane(frame, plane) == rig.widths[plane])
        #expect(CVPixelBufferGetHeightOfPlane(frame, plane) == rig.heights[plane])
        #expect(CVPixelBufferGetBytesPerRowOfPlane(frame, plane) == rig.rows[plane])
      }
      #expect(rig.reported.pointee.calls == 0)
    }
    made = nil
    let reported = rig.reported.pointee
    #expect(
      reported.calls == 1 && reported.address == UnsafeRawPointer(rig.memory)
        && reported.size == 64 * 72)
    #expect(reported.planes == rig.addresses.map { UnsafeRawPointer($0) })
  }

  @Test func mismatched_planes_are_refused_and_not_released() throws {
    let code = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
    var made: CVPixelBuffer?
    func refused(
      _ change: (inout Rig) -> Void, _ code: OSType = code, width: Int = 64, planes: Int? = nil,
      _ attributes: CFDictionary? = nil
    ) -> CVReturn {
      var rig = Rig(planes: 2)
      defer { rig.free() }
      change(&rig)
      let status = rig.make(code, width: width, planes: planes, attributes: attributes, &made)
      #expect(made == nil && rig.reported.pointee.calls == 0)
      return status
    }
    #expect(refused({ $0.rows[1] = 63 }) == kCVReturnInvalidArgument)
    #expect(refused({ $0.widths[1] = 64 }) == kCVReturnInvalidArgument)
    #expect(refused({ $0.heights[1] = 48 }) == kCVReturnInvalidArgument)
    #expect(refused({ $0.addresses[1] = nil }) == kCVReturnInvalidArgument)
    #expect(refused({ _ in }, planes: 1) == kCVReturnInvalidArgument)
    #expect(refused({ _ in }, width: .max) == kCVReturnInvalidSize)
    #expect(refused({ _ in }, width: 0) == kCVReturnInvalidSize)
    #expect(refused({ _ in }, kCVPixelFormatType_32RGBA) == kCVReturnInvalidPixelFormat)
    #expect(refused({ _ in }, code, ["Alpha": 1]) == kCVReturnInvalidPixelBufferAttributes)
  }
}
