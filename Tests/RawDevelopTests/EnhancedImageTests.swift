import DNG
import Foundation
import MediaCore
import Synchronization
import TIFF
import Testing

@testable import RawDevelop

/// Files with a program's improved version of the sensor's image (NewSubFileType 16).
struct EnhancedImageTests: RAWFilterRig {
  /// Linear light that is brighter than the sensor's mosaic.
  private static func enhanced(
    width: Int = 96, height: Int = 64, _ change: (inout TIFFDirectory) -> Void = { _ in }
  ) -> TIFFDirectory {
    var negative = ExampleNegative()
    (negative.width, negative.height) = (width, height)
    var directory = negative.directory
    directory[.newSubFileType] = .longs([16])
    directory[.enhanceParams] = .ascii("Denoise")
    for tag in [TIFFTag.dngVersion, .dngBackwardVersion, .uniqueCameraModel, .asShotNeutral] {
      directory[tag] = nil
    }
    change(&directory)
    return directory
  }

  private func filter(
    _ enhanced: TIFFDirectory, _ change: @escaping (inout TIFFDirectory) -> Void = { _ in }
  ) throws -> RAWFilter {
    var negative = ExampleNegative()
    negative.components = 1
    negative.light = { _, _, _ in 0.01 }
    negative.change = { root in
      root.children = [enhanced]
      change(&root)
    }
    return try filter(negative)
  }

  @Test func the_enhanced_image_uses_its_own_levels_and_opcodes() throws {
    let black: (inout TIFFDirectory) -> Void = { directory in
      directory[.blackLevel] = ExampleNegative.unsigned([2000, 2000, 2000])
      directory[.noiseProfile] = .doubles([3e-4, 2e-6])
    }
    let seen = Mutex<Set<DNGFile.Role>>([])
    var filter = try filter(Self.enhanced(black)) { root in
      root[.noiseProfile] = .doubles([5e-3, 2e-5])
      // An unknown opcode, which does no harm: it is for the sensor's samples.
      root[.opcodeList2] = .undefined([
        0, 0, 0, 1, 0, 0, 0, 99, 1, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
      ])
    }
    filter.samplesObserver = { _, role in seen.withLock { _ = $0.insert(role) } }
    #expect(filter.isEnhanced && filter.properties.noiseProfile.map(\.scale) == [3e-4])
    var linear = ExampleNegative()
    linear.change = { black(&$0) }
    #expect(try filter.outputImage() == self.filter(linear).outputImage())
    #expect(seen.withLock { $0 } == [.enhanced])
  }

  @Test func a_crop_applies_only_to_an_image_of_its_size() throws {
    let crop: (inout TIFFDirectory) -> Void = { directory in
      directory[.defaultCropOrigin] = .longs([4, 2])
      directory[.defaultCropSize] = .longs([80, 60])
    }
    func size(_ enhanced: TIFFDirectory) throws -> [Int] {
      let size = try filter(enhanced, crop).nativeSize
      return [size.width, size.height]
    }
    #expect(try size(Self.enhanced()) == [80, 60])
    #expect(try size(Self.enhanced(width: 192, height: 128)) == [192, 128])
    #expect(try size(Self.enhanced(width: 192, height: 128, crop)) == [80, 60])
  }

  @Test func an_unsupported_enhanced_image_falls_back_to_the_raw_image() throws {
    let plain = try filter(TIFFDirectory()).outputImage()
    let changes: [(inout TIFFDirectory) -> Void] = [
      { $0[.compression] = .shorts([50_000]) }, { $0[.photometric] = .shorts([2]) },
      { $0[.subTileBlockSize] = .longs([2, 2]) },
    ]
    for change in changes {
      let filter = try filter(Self.enhanced(change))
      #expect(!filter.isEnhanced)
      #expect(try filter.outputImage() == plain)
    }
  }

  @Test(arguments: [1, 3]) func a_gray_sensor_uses_only_a_gray_enhanced_image(components: Int)
    throws
  {
    var (gray, made) = (ExampleNegative(), ExampleNegative())
    (gray.components, made.components) = (1, components)
    var enhanced = made.directory
    (enhanced[.newSubFileType], enhanced[.photometric]) = (.longs([16]), .shorts([34_892]))
    gray.light = { _, _, _ in 0.01 }
    gray.change = { root in
      root[.photometric] = .shorts([34_892])
      root.children = [enhanced]
    }
    #expect(try filter(gray).isEnhanced == (components == 1))
  }
}
