import AVFoundationCompat
import TestSupport
import Testing

/// Timed metadata in a track of its own.
@Suite(.tags(.judges)) struct TimedMetadataTests {
  private static let stillTime = "com.apple.quicktime.still-image-time"

  private func item(_ key: String, _ value: Any) -> AVMutableMetadataItem {
    let item = AVMutableMetadataItem()
    item.keySpace = .quickTimeMetadata
    item.key = key
    item.value = value
    return item
  }

  @Test func still_image_time_is_written_as_a_metadata_track() async throws {
    let rig = try DataTrackRig()
    let hint = try DataTrackRig.hint(Self.stillTime, kCMMetadataBaseDataType_SInt8)
    #expect(CMFormatDescriptionGetMediaType(hint) == kCMMediaType_Metadata)
    #expect(CMFormatDescriptionGetMediaSubType(hint) == kCMMetadataFormatType_Boxed)
    #expect(hint.mediaType == .metadata && hint.mediaSubType == .boxedMetadata)
    let named = CMMetadataFormatDescriptionGetIdentifiers(hint) as? [String]
    #expect(named == ["mdta/\(Self.stillTime)"])
    let input = AVAssetWriterInput(
      mediaType: .metadata, outputSettings: nil, sourceFormatHint: hint)
    let adaptor = AVAssetWriterInputMetadataAdaptor(assetWriterInput: input)
    rig.writer.add(rig.video)
    #expect(adaptor.assetWriterInput === input && rig.writer.canAdd(input))
    #expect(!input.isReadyForMoreMediaData)
    rig.writer.add(input)
    #expect(!rig.writer.canAdd(input) && rig.writer.inputs == [rig.video, input])
    let referent = AVAssetTrack.AssociationType.metadataReferent.rawValue
    #expect(input.canAddTrackAssociation(withTrackOf: rig.video, type: referent))
    input.addTrackAssociation(withTrackOf: rig.video, type: referent)
    try rig.begin()
    #expect(input.isReadyForMoreMediaData)
    let moment = AVTimedMetadataGroup(
      items: [item(Self.stillTime, -1)], timeRange: rig.range(7, 8))
    #expect(moment.items.count == 1 && moment.timeRange == rig.range(7, 8))
    #expect(adaptor.append(moment), "\(String(describing: rig.writer.error))")
    input.markAsFinished()
    #expect(!input.isReadyForMoreMediaData && !adaptor.append(moment))
    try await rig.finish()
    let path = rig.folder.path("a.mov")
    let stream = try Judges.probe(path).stream("data")
    #expect(stream.codec_tag_string == "mebx" && stream.nb_frames == "1")
    #expect(stream.tags?["handler_name"] == "Core Media Metadata")
    let packet = try #require(try Judges.packets(path, stream: "d:0").first)
    let base = try #require(stream.time_base?.split(separator: "/").last.flatMap { Int64($0) })
    // Not every FFmpeg version reports a duration for a data packet.
    #expect(packet.pts == base * 7 / 25 && packet.duration ?? base / 25 == base / 25)
    #expect(try Judges.packetBytes(path, stream: "d:0") == [[0, 0, 0, 9, 0, 0, 0, 1, 0xFF]])
  }

  @Test func metadata_groups_of_any_keys_need_no_hint() async throws {
    let rig = try DataTrackRig()
    let first = AVMutableTimedMetadataGroup(
      items: [], timeRange: CMTimeRange(start: rig.time(0), duration: .invalid))
    #expect(first.copyFormatDescription() == nil)
    first.items = [item("org.example.note", "go"), item("org.example.speed", 1.5)]
    first.timeRange = CMTimeRange(start: rig.time(2), duration: .invalid)
    guard case .metadata(let description)? = first.copyFormatDescription() else {
      Issue.record("no description")
      return
    }
    #expect(
      description.keys.map(\.dataType) == [
        kCMMetadataBaseDataType_UTF8, kCMMetadataBaseDataType_Float64,
      ])
    let input = AVAssetWriterInput(mediaType: .metadata, outputSettings: nil)
    rig.writer.add(rig.video)
    rig.writer.add(input)
    let adaptor = AVAssetWriterInputMetadataAdaptor(assetWriterInput: input)
    try rig.begin()
    #expect(adaptor.append(first))
    #expect(adaptor.append(AVTimedMetadataGroup(items: [], timeRange: rig.range(10, 12))))
    try await rig.finish()
    let bytes = try Judges.packetBytes(rig.folder.path("a.mov"), stream: "d:0")
    let note: [UInt8] = [0, 0, 0, 10, 0, 0, 0, 1] + Array("go".utf8)
    let speed: [UInt8] = [0, 0, 0, 16, 0, 0, 0, 2, 0x3F, 0xF8, 0, 0, 0, 0, 0, 0]
    // Nothing follows it; the track's end shows that.
    #expect(bytes == [note + speed])
  }

  /// A value, and its bytes in a data type; nil if the type cannot hold it.
  struct Written: Sendable {
    var type: String
    var value: any Sendable
    var bytes: [UInt8]?

    init(_ type: String, _ value: any Sendable, _ bytes: [UInt8]?) {
      (self.type, self.value, self.bytes) = (type, value, bytes)
    }
  }

  static let written: [Written] = [
    Written(kCMMetadataBaseDataType_RawData, Data([1, 2]), [1, 2]),
    Written(kCMMetadataBaseDataType_UTF8, "é", [0xC3, 0xA9]),
    Written(
      kCMMetadataDataType_QuickTimeMetadataLocation_ISO6709, "+1+2/", [UInt8]("+1+2/".utf8)),
    Written(kCMMetadataBaseDataType_Float32, 1, [0x3F, 0x80, 0, 0]),
    Written(kCMMetadataBaseDataType_SInt16, -2, [0xFF, 0xFE]),
    Written(kCMMetadataBaseDataType_SInt32, 7, [0, 0, 0, 7]),
    Written(kCMMetadataBaseDataType_SInt64, -1, [UInt8](repeating: 0xFF, count: 8)),
    Written(kCMMetadataBaseDataType_UInt8, 200, [200]),
    Written(kCMMetadataBaseDataType_UInt16, 258, [1, 2]),
    Written(kCMMetadataBaseDataType_UInt32, 258, [0, 0, 1, 2]),
    Written(kCMMetadataBaseDataType_UInt64, 258, [0, 0, 0, 0, 0, 0, 1, 2]),
    Written(kCMMetadataBaseDataType_SInt8, 200, nil),
    Written(kCMMetadataBaseDataType_UInt8, -1, nil),
    Written(kCMMetadataBaseDataType_SInt8, "text", nil),
    Written("com.example.unknown", 1, nil),
  ]

  @Test(arguments: written) func a_value_is_written_as_its_type(_ written: Written) async throws {
    let (type, value, bytes) = (written.type, written.value, written.bytes)
    let rig = try DataTrackRig()
    let input = AVAssetWriterInput(
      mediaType: .metadata, outputSettings: nil,
      sourceFormatHint: try DataTrackRig.hint("org.example.value", type))
    rig.writer.add(rig.video)
    rig.writer.add(input)
    try rig.begin()
    let group = AVTimedMetadataGroup(
      items: [item("org.example.value", value)], timeRange: rig.range(0, 20))
    let adaptor = AVAssetWriterInputMetadataAdaptor(assetWriterInput: input)
    #expect(adaptor.append(group) == (bytes != nil))
    guard let bytes else {
      let error = try #require(rig.writer.error as? AVError)
      #expect(error.message.contains(type) && rig.writer.status == .writing)
      return rig.writer.cancelWriting()
    }
    try await rig.finish()
    let packets = try Judges.packetBytes(rig.folder.path("a.mov"), stream: "d:0")
    #expect(packets == [[0, 0, 0, UInt8(8 + bytes.count), 0, 0, 0, 1] + bytes])
  }

  @Test func unsupported_metadata_is_refused_without_failing_the_movie() async throws {
    let rig = try DataTrackRig()
    let hint = try DataTrackRig.hint(Self.stillTime, kCMMetadataBaseDataType_SInt8)
    let input = AVAssetWriterInput(
      mediaType: .metadata, outputSettings: nil, sourceFormatHint: hint)
    let adaptor = AVAssetWriterInputMetadataAdaptor(assetWriterInput: input)
    func group(_ item: AVMetadataItem) -> AVTimedMetadataGroup {
      AVTimedMetadataGroup(items: [item], timeRange: rig.range(0, 1))
    }
    // Before there is a writer.
    #expect(!adaptor.append(group(item(Self.stillTime, 0))))
    rig.writer.add(rig.video)
    rig.writer.add(input)
    try rig.begin()
    for bad in [
      item("org.example.other", 0), ReadingRig.item(.commonIdentifierTitle, "A"),
      AVMutableMetadataItem(),
    ] {
      #expect(!adaptor.append(group(bad)))
      #expect((rig.writer.error as? AVError)?.code == .unsupportedOutputSettings)
    }
    let timeless = AVTimedMetadataGroup(
      items: [item(Self.stillTime, 0)], timeRange: CMTimeRange(start: .invalid, duration: .zero))
    #expect(!adaptor.append(timeless))
    // A video input accepts no metadata.
    let wrong = AVAssetWriterInputMetadataAdaptor(assetWriterInput: rig.video)
    #expect(!wrong.append(group(item(Self.stillTime, 0))))
    try await rig.finish()
    let streams = try Judges.probe(rig.folder.path("a.mov")).streams
    #expect(streams.count == 1 && streams[0].codec_type == "video")
  }

  @Test func a_metadata_hint_needs_identifier_and_type() throws {
    for (type, specifications) in [
      (kCMMetadataFormatType_Boxed, [] as [Any]),
      (kCMMetadataFormatType_Boxed, [["MetadataIdentifier": "mdta/a"]]), (0x6963_7920, [[:]]),
      (kCMMetadataFormatType_Boxed, [7]),
    ] as [(CMMetadataFormatType, [Any])] {
      var description: CMMetadataFormatDescription?
      #expect(
        CMMetadataFormatDescriptionCreateWithMetadataSpecifications(
          allocator: nil, metadataType: type, metadataSpecifications: specifications,
          formatDescriptionOut: &description) == kCMFormatDescriptionError_InvalidParameter)
      #expect(description == nil)
    }
    var description: CMMetadataFormatDescription?
    let native = NSMutableDictionary()
    native[NSString(string: kCMMetadataFormatDescriptionMetadataSpecificationKey_Identifier)] =
      AVMetadataIdentifier.quickTimeMetadataLocationISO6709
    native[NSString(string: kCMMetadataFormatDescriptionMetadataSpecificationKey_DataType)] =
      NSString(string: kCMMetadataDataType_QuickTimeMetadataLocation_ISO6709)
    native[
      NSString(string: kCMMetadataFormatDescriptionMetadataSpecificationKey_ExtendedLanguageTag)] =
      NSString(string: "en")
    CMMetadataFormatDescriptionCreateWithMetadataSpecifications(
      allocator: nil, metadataType: kCMMetadataFormatType_Boxed, metadataSpecifications: [native],
      formatDescriptionOut: &description)
    guard case .metadata(let metadata)? = description else {
      Issue.record("no description")
      return
    }
    #expect(metadata.keys.first?.identifier == "mdta/com.apple.quicktime.location.ISO6709")
    // A format hint of another media type does not make a metadata input.
    let rig = try DataTrackRig()
    let hint = try CMFormatDescription(videoCodecType: .h264, width: 64, height: 48)
    let input = AVAssetWriterInput(
      mediaType: .metadata, outputSettings: nil, sourceFormatHint: hint)
    #expect(!rig.writer.canAdd(input))
  }

  @Test func compressed_movies_have_no_metadata_track() throws {
    let rig = try DataTrackRig(codec: .h264)
    let input = AVAssetWriterInput(mediaType: .metadata, outputSettings: nil)
    #expect(rig.writer.availableMediaTypes.contains(.metadata) && rig.writer.canAdd(input))
    rig.writer.add(input)
    rig.writer.add(rig.video)
    #expect(!rig.writer.startWriting())
    let error = try #require(rig.writer.error as? AVError)
    #expect(error.code == .unsupportedOutputSettings || error.code == .encoderNotFound)
    let mp4 = try AVAssetWriter(outputURL: rig.folder.url("a.mp4"), fileType: .mp4)
    #expect(!mp4.canAdd(AVAssetWriterInput(mediaType: .metadata, outputSettings: nil)))
    #expect(!mp4.availableMediaTypes.contains(.metadata))
  }
}
