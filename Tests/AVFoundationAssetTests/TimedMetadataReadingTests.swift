import AVFoundationCompat
import TestSupport
import Testing

/// Timed metadata, read back from the track it was written to.
@Suite struct TimedMetadataReadingTests {
  private func item(_ key: String, _ value: Any) -> AVMutableMetadataItem {
    let item = AVMutableMetadataItem()
    item.keySpace = .quickTimeMetadata
    item.key = key
    item.value = value
    return item
  }

  /// A movie with groups at the rig's times.
  private func movie(
    _ groups: [AVTimedMetadataGroup], hint: CMFormatDescription? = nil, _ rig: DataTrackRig
  ) async throws -> AVURLAsset {
    let input = AVAssetWriterInput(
      mediaType: .metadata, outputSettings: nil, sourceFormatHint: hint)
    rig.writer.add(rig.video)
    rig.writer.add(input)
    let adaptor = AVAssetWriterInputMetadataAdaptor(assetWriterInput: input)
    try rig.begin()
    for group in groups {
      try #require(adaptor.append(group), "\(String(describing: rig.writer.error))")
    }
    try await rig.finish()
    return AVURLAsset(url: rig.folder.url("a.mov"))
  }

  private func read(
    _ asset: AVAsset, in range: CMTimeRange? = nil
  ) throws -> (groups: [AVTimedMetadataGroup], reader: AVAssetReader) {
    let track = try #require(asset.tracks(withMediaType: .metadata).first)
    let reader = try AVAssetReader(asset: asset)
    if let range { reader.timeRange = range }
    let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
    let adaptor = AVAssetReaderOutputMetadataAdaptor(assetReaderTrackOutput: output)
    #expect(adaptor.assetReaderTrackOutput === output)
    #expect(adaptor.nextTimedMetadataGroup() == nil)
    reader.add(output)
    try #require(reader.startReading(), "\(String(describing: reader.error))")
    var groups: [AVTimedMetadataGroup] = []
    while let group = adaptor.nextTimedMetadataGroup() { groups.append(group) }
    return (groups, reader)
  }

  /// A range of frames in the movie's time.
  private func frames(_ first: Int64, _ end: Int64) -> CMTimeRange {
    CMTimeRange(
      start: CMTime(value: first, timescale: 25), end: CMTime(value: end, timescale: 25))
  }

  @Test func metadata_groups_are_read_as_written() async throws {
    let rig = try DataTrackRig()
    let all = AVTimedMetadataGroup(
      items: [
        item("org.example.note", "go"), item("org.example.count", 7),
        item("org.example.speed", 1.5), item("org.example.bytes", Data([1, 2, 3])),
      ], timeRange: rig.range(2, 5))
    let asset = try await movie(
      [
        all,
        AVTimedMetadataGroup(items: [item("org.example.note", "é")], timeRange: rig.range(8, 10)),
        AVTimedMetadataGroup(items: [], timeRange: rig.range(10, 12)),
        AVTimedMetadataGroup(
          items: [item("org.example.count", -3)],
          timeRange: CMTimeRange(start: rig.time(12), duration: .invalid)),
      ], rig)
    let (groups, reader) = try read(asset)
    #expect(reader.status == .completed, "\(String(describing: reader.error))")
    // Gaps give groups without items, except before the first group.
    #expect(
      groups.map(\.timeRange) == [
        frames(2, 5), frames(5, 8), frames(8, 10), frames(10, 12), frames(12, 20),
      ])
    #expect(groups.map(\.items.count) == [4, 0, 1, 0, 1])
    let items = try #require(groups.first).items
    #expect(items.map(\.identifier) == all.items.map(\.identifier))
    #expect(
      items.map(\.dataType) == [
        kCMMetadataBaseDataType_UTF8, kCMMetadataBaseDataType_SInt64,
        kCMMetadataBaseDataType_Float64, kCMMetadataBaseDataType_RawData,
      ])
    #expect(items[0].stringValue == "go" && items[1].numberValue?.int64Value == 7)
    #expect(items[2].numberValue?.doubleValue == 1.5 && items[3].dataValue == Data([1, 2, 3]))
    #expect(
      items.allSatisfy { $0.time == frames(2, 5).start && $0.duration == frames(2, 5).duration })
    #expect(groups[2].items.first?.stringValue == "é")
    #expect(groups[4].items.first?.numberValue?.int64Value == -3)
  }

  @Test func the_metadata_track_is_listed_beside_the_video() async throws {
    let rig = try DataTrackRig()
    let asset = try await movie(
      [AVTimedMetadataGroup(items: [item("org.example.note", "go")], timeRange: rig.range(3, 9))],
      rig)
    let tracks = try await asset.load(.tracks)
    #expect(tracks.map(\.mediaType) == [.video, .metadata] && asset.tracks == tracks)
    let track = try #require(try await asset.loadTracks(withMediaType: .metadata).first)
    #expect(track == tracks[1] && asset.track(withTrackID: track.trackID) === track)
    #expect(track.timeRange == frames(3, 9) && track.naturalSize == CGSize(width: 0, height: 0))
    #expect(track.totalSampleDataLength == 10 && !track.hasMediaCharacteristic(.visual))
    let description = try #require(track.formatDescriptions.first as? CMFormatDescription)
    #expect(description.mediaType == .metadata && description.mediaSubType == .boxedMetadata)
    let named = CMMetadataFormatDescriptionGetIdentifiers(description) as? [String]
    #expect(named == ["mdta/org.example.note"])
    // A composition has only video and audio.
    let composition = AVMutableComposition()
    try composition.insertTimeRange(frames(0, 20), of: asset, at: .zero)
    #expect(composition.tracks.map(\.mediaType) == [.video])
  }

  static let held = TimedMetadataTests.written.filter { $0.bytes != nil }

  @Test(arguments: held)
  func a_value_is_read_as_its_type(_ written: TimedMetadataTests.Written) async throws {
    let rig = try DataTrackRig()
    let asset = try await movie(
      [
        AVTimedMetadataGroup(
          items: [item("org.example.value", written.value)], timeRange: rig.range(0, 20))
      ], hint: try DataTrackRig.hint("org.example.value", written.type), rig)
    let group = try #require(try read(asset).groups.first)
    let read = try #require(group.items.first)
    #expect(read.identifier?.rawValue == "mdta/org.example.value" && group.items.count == 1)
    // The file stores a location as text.
    let isPlace = written.type == kCMMetadataDataType_QuickTimeMetadataLocation_ISO6709
    #expect(read.dataType == (isPlace ? kCMMetadataBaseDataType_UTF8 : written.type))
    switch written.value {
    case let text as String: #expect(read.stringValue == text)
    case let data as Data: #expect(read.dataValue == data)
    case let number as Int: #expect(read.numberValue?.int64Value == Int64(number))
    default: Issue.record("unexpected type of value")
    }
  }

  @Test func a_reader_delivers_the_metadata_groups_of_its_range() async throws {
    let rig = try DataTrackRig()
    let asset = try await movie(
      (0..<10).map { number in
        AVTimedMetadataGroup(
          items: [item("org.example.count", number)],
          timeRange: rig.range(Int64(number) * 2, Int64(number) * 2 + 2))
      }, rig)
    let (groups, reader) = try read(asset, in: frames(5, 9))
    #expect(reader.status == .completed)
    #expect(groups.map(\.timeRange) == [frames(4, 6), frames(6, 8), frames(8, 10)])
    #expect(groups.compactMap { $0.items.first?.numberValue?.intValue } == [2, 3, 4])
  }

  @Test func a_metadata_sample_in_several_ranges_is_delivered_once() async throws {
    let rig = try DataTrackRig()
    let asset = try await movie(
      (0..<2).map { number in
        AVTimedMetadataGroup(
          items: [item("org.example.count", number)],
          timeRange: rig.range(Int64(number) * 10, Int64(number) * 10 + 10))
      }, rig)
    let reader = try AVAssetReader(asset: asset)
    let output = AVAssetReaderTrackOutput(
      track: try #require(asset.tracks(withMediaType: .metadata).first), outputSettings: nil)
    output.supportsRandomAccess = true
    reader.add(output)
    try #require(reader.startReading(), "\(String(describing: reader.error))")
    func starts() -> [CMTime] {
      var starts: [CMTime] = []
      while let sample = output.copyNextSampleBuffer() {
        starts.append(sample.presentationTimeStamp)
      }
      return starts
    }
    let both = [frames(0, 10).start, frames(10, 20).start]
    #expect(starts() == both)
    output.reset(forReadingTimeRanges: [frames(1, 3), frames(5, 12), frames(14, 16)])
    #expect(starts() == both)
    // Later calls start over.
    output.reset(forReadingTimeRanges: [frames(12, 13)])
    #expect(starts() == [both[1]])
    output.markConfigurationAsFinal()
    #expect(reader.status == .completed, "\(String(describing: reader.error))")
  }

  @Test func metadata_samples_are_delivered_as_stored() async throws {
    let rig = try DataTrackRig()
    let asset = try await movie(
      [AVTimedMetadataGroup(items: [item("org.example.note", "go")], timeRange: rig.range(3, 9))],
      rig)
    let track = try #require(asset.tracks(withMediaType: .metadata).first)
    let reader = try AVAssetReader(asset: asset)
    let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
    #expect(output.mediaType == .metadata)
    reader.add(output)
    try #require(reader.startReading(), "\(String(describing: reader.error))")
    let sample = try #require(output.copyNextSampleBuffer())
    #expect(output.copyNextSampleBuffer() == nil && reader.status == .completed)
    let note: [UInt8] = [0, 0, 0, 10, 0, 0, 0, 1] + Array("go".utf8)
    let block = try #require(CMSampleBufferGetDataBuffer(sample))
    #expect([UInt8](try block.dataBytes()) == note && sample.totalSampleSize == note.count)
    #expect(sample.formatDescription == track.formatDescriptions.first as? CMFormatDescription)
    #expect(sample.presentationTimeStamp == frames(3, 9).start && sample.imageBuffer == nil)
    // A copy at another time has the same items.
    let timing = CMSampleTimingInfo(
      duration: frames(0, 1).duration, presentationTimeStamp: frames(7, 8).start,
      decodeTimeStamp: .invalid)
    let copy = try CMSampleBuffer(copying: sample, withNewTiming: [timing])
    let group = try #require(AVTimedMetadataGroup(sampleBuffer: copy))
    #expect(group.timeRange == frames(7, 8) && group.items.first?.stringValue == "go")
    // No input accepts it.
    let other = try DataTrackRig()
    other.writer.add(other.video)
    try other.begin()
    #expect(!other.video.append(sample))
    other.writer.cancelWriting()
  }

  @Test func metadata_reading_misuse_fails_the_reader() async throws {
    let rig = try DataTrackRig()
    let asset = try await movie(
      [AVTimedMetadataGroup(items: [item("org.example.note", "go")], timeRange: rig.range(3, 9))],
      rig)
    let reader = try AVAssetReader(asset: asset)
    let facts = try #require(asset.tracks(withMediaType: .metadata).first)
    reader.add(AVAssetReaderTrackOutput(track: facts, outputSettings: [:]))
    #expect(!reader.startReading())
    #expect((reader.error as? AVError)?.code == .unsupportedOutputSettings)
    let wrong = try AVAssetReader(asset: asset)
    let frames = AVAssetReaderTrackOutput(
      track: try #require(asset.tracks(withMediaType: .video).first), outputSettings: [:])
    let adaptor = AVAssetReaderOutputMetadataAdaptor(assetReaderTrackOutput: frames)
    wrong.add(frames)
    #expect(!wrong.startReading() && adaptor.nextTimedMetadataGroup() == nil)
    #expect((wrong.error as? AVError)?.code == .operationNotAllowed)
  }

  static let damages: [[UInt8]] = [
    [0, 0, 0, 99, 0, 0, 0, 1, 0xFF],  // more bytes than available
    [0, 0, 0, 8, 0, 0, 0, 1, 0xFF],  // an extra byte after the last value
    [0, 0, 0, 4, 0, 0, 0, 1, 0xFF],  // less than a header
    [0, 0, 0, 1, 0, 0, 0, 1, 0xFF],  // a truncated 64-bit size
    [0, 0, 0, 9, 0, 0, 0, 7, 0xFF],  // an unknown key
  ]

  @Test(arguments: damages) func a_damaged_sample_fails_the_reader(bytes: [UInt8]) async throws {
    let rig = try DataTrackRig()
    let key = "com.apple.quicktime.still-image-time"
    let asset = try await movie(
      [AVTimedMetadataGroup(items: [item(key, -1)], timeRange: rig.range(3, 9))],
      hint: try DataTrackRig.hint(key, kCMMetadataBaseDataType_SInt8), rig)
    var file = try Data(contentsOf: asset.url)
    let good = Data([0, 0, 0, 9, 0, 0, 0, 1, 0xFF])
    let place = try #require(file.range(of: good, options: .backwards))
    file.replaceSubrange(place, with: bytes)
    let damaged = rig.folder.url("damaged.mov")
    try file.write(to: damaged)
    let (groups, reader) = try read(AVURLAsset(url: damaged))
    #expect(groups.isEmpty && reader.status == .failed)
    #expect((reader.error as? AVError)?.message.contains("damaged") == true)
  }
}
