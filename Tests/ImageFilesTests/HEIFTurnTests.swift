import DNG
import MediaCore
import RawDevelop
import TestSupport
import Testing

@testable import ImageFiles

/// Sizes and turns of HEIF files, as different versions of libheif write and read them.
@Suite struct HEIFTurnTests {
  /// Upright or turned, the image fits into its padded form, which thus does not reveal the turn.
  private static let (width, height) = (91, 95)

  private func content(_ turn: PhotoMetadata.Orientation) -> ImageContent {
    var content = TestImages.content(
      RenderedImage(
        width: Self.width, height: Self.height,
        samples: .uint8(
          (0..<3 * Self.width * Self.height).map { index in
            UInt8(index / 3 % Self.width * 2 + index / 3 / Self.width / 2)
          }), colorSpace: .sRGB))
    content.metadata.orientation = turn
    return content
  }

  private func file(_ turn: PhotoMetadata.Orientation) throws -> [UInt8] {
    try ImageFileWriter(ImageFileSettings(format: .heic)).encode(content(turn)).bytes
  }

  /// The file with an orientation of 1 in its EXIF.
  private func withoutEXIFTurn(_ bytes: [UInt8], _ turn: UInt8) throws -> [UInt8] {
    let little: [UInt8] = [0x12, 0x01, 3, 0, 1, 0, 0, 0, turn, 0]
    let place = try #require(
      (0..<bytes.count - little.count).first { bytes[$0..<$0 + little.count].elementsEqual(little) }
    )
    var changed = bytes
    changed[place + 8] = 1
    return changed
  }

  @Test(arguments: PhotoMetadata.Orientation.allCases)
  func a_summary_has_the_stored_size_and_orientation(
    _ turn: PhotoMetadata.Orientation
  ) throws {
    let bytes = try withoutEXIFTurn(try file(turn), UInt8(turn.rawValue))
    let summary = try ImageFileSummary(bytes)
    #expect(summary.width == Self.width && summary.height == Self.height)
    #expect(summary.orientation == Int(turn.rawValue))
    let facts = try ImageFile(bytes).images[0]
    #expect(facts.width == Self.width && facts.height == Self.height)
    #expect(facts.orientation == Int(turn.rawValue))
  }

  @Test func a_heif_rotation_without_exif_is_not_applied() throws {
    let bytes = try withoutEXIFTurn(try file(.right), 6)
    do throws(ImageFileError) {
      let image = try RenderedImage(heif: bytes)
      #expect(image.width == Self.width && image.height == Self.height)
      let decoded = try ImageFile(bytes).decoded(at: 0).image
      #expect(decoded.width == Self.width && decoded.height == Self.height)
    } catch {
      guard error.message.contains("libde265") else { throw error }
      try Test.cancel("\(error.message)")
    }
  }

  /// As the standard requires, whichever version of libheif writes.
  @Test func the_written_size_precedes_rotation_and_is_unrotated() throws {
    let bytes = try file(.right)
    let (all, associations) = try #require(HEIFTransforms.itemProperties(bytes))
    var turned = 0
    for association in associations {
      let properties = association.places.map { all[association.index($0, in: bytes) - 1] }
      guard let turn = properties.firstIndex(where: { $0.type == "irot" }) else { continue }
      let size = try #require(properties.firstIndex { $0.type == "ispe" })
      #expect(size < turn)
      let place = properties[size].content.lowerBound + 4
      let sides = [place, place + 4].map { HEIFTransforms.number(bytes, $0, 4) }
      #expect(sides == [Self.width, Self.height] || properties.contains { $0.type == "clap" })
      turned += 1
    }
    #expect(turned == 1)
    var again = bytes
    HEIFPropertyOrder.correct(&again)
    #expect(again == bytes)
  }

  /// Files by libheif up to 1.15 have the size of the turned image, after its turn.
  @Test func sizes_written_by_older_libheif_are_understood() {
    func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
      PNGMaker.big(content.count + 8) + Array(type.utf8) + content
    }
    func file(_ properties: [UInt8], _ order: [UInt8]) -> [UInt8] {
      let association: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1, 0, 1, UInt8(order.count)] + order
      return box(
        "meta",
        [0, 0, 0, 0] + box("iprp", box("ipco", properties) + box("ipma", association)))
    }
    func size(_ width: Int, _ height: Int) -> [UInt8] {
      box("ispe", [0, 0, 0, 0] + PNGMaker.big(width) + PNGMaker.big(height))
    }
    let turn = box("irot", [3])
    let lies = HEIFTransforms.Storage(width: 90, height: 70, orientation: 6)
    let older = file(turn + size(70, 90), [1, 2])
    #expect(HEIFTransforms.storage(older, item: 1) == lies)
    #expect(HEIFTransforms.storage(file(size(90, 70) + turn, [1, 0x82]), item: 1) == lies)
    var corrected = older
    HEIFPropertyOrder.correct(&corrected)
    #expect(corrected == file(turn + size(90, 70), [2, 1]))
    #expect(HEIFTransforms.storage(corrected, item: 1) == lies)
    // A clean aperture of 40x20, ten pixels right of the center and five above it.
    let cut = box(
      "clap", [40, 1, 20, 1, 10, 1, -5, 1].flatMap { PNGMaker.big($0) })
    let seen = HEIFTransforms.storage(file(size(90, 70) + cut, [1, 2]), item: 1)
    #expect(seen?.width == 40 && seen?.height == 20 && seen?.orientation == nil)
    let start = seen?.start(inWidth: 96, height: 72)
    #expect(start?.column == 38 && start?.row == 21)
  }
}
