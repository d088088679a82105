import Foundation
import MediaLibrary
import Testing

@Suite struct AssetResourceTypeTests {
  @Test func resource_types_have_apples_raw_values() {
    let numbers: [AssetResourceType: Int] = [
      .photo: 1, .video: 2, .audio: 3, .alternatePhoto: 4, .fullSizePhoto: 5, .fullSizeVideo: 6,
      .adjustmentData: 7, .adjustmentBasePhoto: 8, .pairedVideo: 9, .fullSizePairedVideo: 10,
      .adjustmentBasePairedVideo: 11, .adjustmentBaseVideo: 12, .photoProxy: 19,
    ]
    for (type, number) in numbers { #expect(type.rawValue == number) }
    let others = AssetResourceType.allCases.filter { numbers[$0] == nil }
    #expect(others == [.segment, .companion] && others.allSatisfy { $0.rawValue > 1000 })
  }

  @Test func resource_types_are_encoded_as_words() throws {
    for type in AssetResourceType.allCases {
      #expect(AssetResourceType(name: type.name) == type)
      let text = try JSONEncoder().encode([type])
      #expect(text == Data("[\"\(type.name)\"]".utf8))
      #expect(try JSONDecoder().decode([AssetResourceType].self, from: text) == [type])
    }
    #expect(AssetResourceType.adjustmentBasePairedVideo.name == "adjustmentBasePairedVideo")
    #expect(AssetResourceType(name: "reel") == nil)
    for text in ["[\"reel\"]", "[1]"] {
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode([AssetResourceType].self, from: Data(text.utf8))
      }
    }
  }
}
