import AVFoundationCompat
import TestSupport
import Testing

/// A movie's metadata, written and read in Apple's names.
@Suite struct MovieMetadataTests {
  private let rig: ReadingRig

  init() throws { rig = try ReadingRig() }

  @Test func metadata_items_are_written_and_read() async throws {
    let title = ReadingRig.item(.commonIdentifierTitle, "Scene 1")
    title.dataType = "com.apple.metadata.datatype.UTF-8"
    let day = AVMutableMetadataItem()
    day.keySpace = .quickTimeMetadata
    day.key = AVMetadataKey.quickTimeMetadataKeyCreationDate
    day.value = Date(timeIntervalSince1970: 1_700_000_000)
    let asset = try await rig.makeMovie(metadata: [
      title, day, ReadingRig.item(.quickTimeMetadataMake, "Maker"),
      ReadingRig.item(AVMetadataIdentifier("mdta/org.example.take"), 7),
    ])
    let (metadata, common) = try await asset.load(.metadata, .commonMetadata)
    func text(_ identifier: AVMetadataIdentifier) -> String? {
      AVMetadataItem.metadataItems(from: metadata, filteredByIdentifier: identifier)
        .first?.stringValue
    }
    #expect(text(.quickTimeMetadataTitle) == "Scene 1" && text(.commonIdentifierTitle) == "Scene 1")
    #expect(text(.commonIdentifierMake) == "Maker")
    #expect(text(AVMetadataIdentifier("mdta/org.example.take")) == "7")
    let take = try #require(
      AVMetadataItem.metadataItems(
        from: metadata, withKey: "org.example.take", keySpace: .quickTimeMetadata
      ).first)
    #expect(take.numberValue == 7 && take.commonKey == nil && take.dataValue == nil)
    #expect(try await take.load(.numberValue) == 7)
    let date = try #require(try await asset.load(.creationDate))
    #expect(date.dateValue == Date(timeIntervalSince1970: 1_700_000_000))
    #expect(common.contains { $0.commonKey == .commonKeyTitle } && !common.contains(take))
    #expect(asset.availableMetadataFormats == [.quickTimeMetadata])
    #expect(asset.metadata(forFormat: .quickTimeMetadata).count == metadata.count)
    #expect(
      AVMetadataItem.identifier(forKey: "make", keySpace: .common) == .commonIdentifierMake)
  }

  @Test func an_unsupported_metadata_item_fails_the_writer() throws {
    for (bad, word) in [
      (ReadingRig.item(.init("id3/TIT2"), "x"), "id3/TIT2"),
      (ReadingRig.item(.quickTimeMetadataMake, [1]), "Array"),
      (AVMutableMetadataItem(), "no key"),
    ] {
      let writer = try AVAssetWriter(outputURL: rig.folder.url("bad.mov"), fileType: .mov)
      writer.metadata = [bad]
      #expect(writer.status == .failed)
      #expect((writer.error as? AVError)?.message.contains(word) == true)
    }
  }
}
