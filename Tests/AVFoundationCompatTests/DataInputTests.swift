import Dispatch
import QuickTime
import Synchronization
import TestSupport
import Testing

@testable import AVFoundationCompat

/// Inputs of metadata and timecode beside those of pictures: when they ask, refuse and hand over.
@Suite(.timeLimit(.minutes(5))) struct DataInputTests {
  private func group(_ range: CMTimeRange) -> AVTimedMetadataGroup {
    let item = AVMutableMetadataItem()
    item.keySpace = .quickTimeMetadata
    item.key = "org.example.number"
    item.value = 1
    return AVTimedMetadataGroup(items: [item], timeRange: range)
  }

  private func begun() throws -> (DataTrackRig, AVAssetWriterInput) {
    let rig = try DataTrackRig()
    let input = AVAssetWriterInput(mediaType: .metadata, outputSettings: nil)
    rig.writer.add(rig.pictures)
    rig.writer.add(input)
    return (rig, input)
  }

  /// Where the samples that were appended lie in memory.
  private func address(_ input: AVAssetWriterInput) -> Int? {
    input.state.withLock { state in
      guard case .metadata(let track, _)? = state.data?.content else { return nil }
      return track.samples.withUnsafeBytes { $0.baseAddress.map { Int(bitPattern: $0) } }
    }
  }

  @Test func what_was_appended_before_is_not_copied_by_each_append() throws {
    let (rig, input) = try begun()
    let adaptor = AVAssetWriterInputMetadataAdaptor(assetWriterInput: input)
    try rig.begin()
    var (moves, last) = (0, Int?.none)
    for frame in 0..<200 {
      try #require(adaptor.append(group(rig.range(Int64(frame), Int64(frame) + 1))))
      let now = try #require(address(input))
      if now != last { moves += 1 }
      last = now
    }
    #expect(moves < 20)
    rig.writer.cancelWriting()
  }

  @Test func who_asks_before_writing_starts_is_called_once_it_has() async throws {
    let (rig, input) = try begun()
    let adaptor = AVAssetWriterInputMetadataAdaptor(assetWriterInput: input)
    let moment = group(rig.range(3, 4))
    let queue = DispatchQueue(label: "metadata")
    let taken = Mutex<Bool?>(nil)
    input.requestMediaDataWhenReady(on: queue) {
      guard input.isReadyForMoreMediaData else { return }
      taken.withLock { $0 = adaptor.append(moment) }
      input.markAsFinished()
    }
    // The first look is over before writing starts.
    queue.sync {}
    try rig.begin()
    try await eventually("facts are asked for") { taken.withLock { $0 } != nil }
    #expect(taken.withLock { $0 } == true)
    rig.writer.cancelWriting()
  }

  @Test func who_waits_learns_of_a_mistake_in_the_program() async throws {
    let (rig, input) = try begun()
    let adaptor = AVAssetWriterInputMetadataAdaptor(assetWriterInput: input)
    try rig.begin()
    rig.writer.startSession(atSourceTime: rig.start)
    #expect(rig.writer.status == .failed && input.isReadyForMoreMediaData)
    let moment = group(rig.range(3, 4))
    let taken = Mutex<Bool?>(nil)
    input.requestMediaDataWhenReady(on: DispatchQueue(label: "metadata")) {
      taken.withLock { $0 = adaptor.append(moment) }
      input.markAsFinished()
    }
    try await eventually("the failure is told") { taken.withLock { $0 } != nil }
    #expect(taken.withLock { $0 } == false && !input.isReadyForMoreMediaData)
    rig.writer.cancelWriting()
  }

  @Test func a_property_that_such_a_track_has_not_is_refused_by_the_next_append() throws {
    let (rig, input) = try begun()
    let adaptor = AVAssetWriterInputMetadataAdaptor(assetWriterInput: input)
    try rig.begin()
    input.languageCode = "deu"
    let moment = group(rig.range(3, 4))
    #expect(!adaptor.append(moment))
    #expect((rig.writer.error as? AVError)?.message.contains("language") == true)
    #expect(adaptor.append(moment) && rig.writer.error == nil)
    rig.writer.cancelWriting()
  }

  @Test func what_was_given_is_handed_over_once() async throws {
    let (rig, input) = try begun()
    let adaptor = AVAssetWriterInputMetadataAdaptor(assetWriterInput: input)
    try rig.begin()
    #expect(adaptor.append(group(rig.range(3, 4))))
    rig.writer.settleData()
    rig.writer.settleData()
    #expect(rig.writer.base.timedMetadata.count == 1)
    rig.writer.cancelWriting()
  }

  @Test func an_input_that_one_writer_refused_is_anothers() throws {
    let rig = try DataTrackRig()
    let refusing = try AVAssetWriter(outputURL: rig.folder.url("a.mp4"), fileType: .mp4)
    refusing.add(rig.pictures)
    #expect(refusing.status == .failed)
    rig.writer.add(rig.pictures)
    try rig.begin()
    // The mistake in the use of the first writer is none of the second one's.
    #expect(rig.pictures.state.withLock { $0.writer } === rig.writer)
    #expect(rig.writer.error == nil)
    rig.writer.cancelWriting()
    #expect(refusing.status == .failed)
  }
}
