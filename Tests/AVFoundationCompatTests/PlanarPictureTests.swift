import AVFoundationCompat
import TestSupport
import Testing

/// Pixel buffers around a program's own planes.
@Suite struct PlanarPictureTests {
  /// The arguments of a callback.
  private struct Told {
    var calls = 0
    var address: UnsafeRawPointer?
    var size = 0
    var planes: [UnsafeRawPointer?] = []
  }

  /// A 64x48 frame in 4:2:0, in one block of memory, and what its release callback received.
  private struct Rig {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 64 * 48 * 2, alignment: 16)
    let told = UnsafeMutablePointer<Told>.allocate(capacity: 1)
    var addresses: [UnsafeMutableRawPointer?]
    var widths: [Int]
    var heights: [Int]
    var rows: [Int]

    init(planes: Int) {
      told.initialize(to: Told())
      addresses = [memory, memory + 64 * 48]
      (widths, heights, rows) = ([64, 32], [48, 24], [64, 64])
      if planes == 3 {
        addresses.append(memory + 64 * 48 + 32 * 24)
        (widths, heights, rows) = ([64, 32, 32], [48, 24, 24], [64, 32, 32])
      }
    }

    mutating func make(
      _ code: OSType, width: Int = 64, planes: Int? = nil, attributes: CFDictionary? = nil,
      _ picture: inout CVPixelBuffer?
    ) -> CVReturn {
      let giveBack: CVPixelBufferReleasePlanarBytesCallback = {
        context, address, size, count, planes in
        guard let told = context?.assumingMemoryBound(to: Told.self) else { return }
        told.pointee.calls += 1
        told.pointee.address = address
        told.pointee.size = size
        told.pointee.planes = (0..<count).map { planes?[$0] }
      }
      return CVPixelBufferCreateWithPlanarBytes(
        kCFAllocatorDefault, width, 48, code, memory, 64 * 72, planes ?? addresses.count,
        &addresses, &widths, &heights, &rows, giveBack, told, attributes, &picture)
    }

    func free() {
      memory.deallocate()
      told.deinitialize(count: 1)
      told.deallocate()
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
      let picture = try #require(made)
      #expect(CVPixelBufferGetPixelFormatType(picture) == code)
      #expect(CVPixelBufferGetPlaneCount(picture) == planes)
      for plane in 0..<planes {
        #expect(CVPixelBufferGetBaseAddressOfPlane(picture, plane) == rig.addresses[plane])
        #expect(CVPixelBufferGetWidthOfPlane(picture, plane) == rig.widths[plane])
        #expect(CVPixelBufferGetHeightOfPlane(picture, plane) == rig.heights[plane])
        #expect(CVPixelBufferGetBytesPerRowOfPlane(picture, plane) == rig.rows[plane])
      }
      #expect(rig.told.pointee.calls == 0)
    }
    made = nil
    let told = rig.told.pointee
    #expect(told.calls == 1 && told.address == UnsafeRawPointer(rig.memory) && told.size == 64 * 72)
    #expect(told.planes == rig.addresses.map { UnsafeRawPointer($0) })
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
      #expect(made == nil && rig.told.pointee.calls == 0)
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
