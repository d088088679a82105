import Dispatch
import QuickTime
import Synchronization
import TestSupport
import Testing

@testable import AVFoundationCompat

/// Inputs of metadata and timecode beside video inputs: when they ask for data, refuse it and
/// deliver it.
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

  @Test func facts_that_wait_for_pictures_are_bounded() throws {
    let (rig, input) = try begun()
    let adaptor = AVAssetWriterInputMetadataAdaptor(assetWriterInput: input)
    try rig.begin()
    let item = AVMutableMetadataItem()
    item.keySpace = .quickTimeMetadata
    item.key = "org.example.text"
    item.value = String(repeating: "a", count: 1 << 20)
    var taken = 0
    while taken < 100,
      adaptor.append(AVTimedMetadataGroup(items: [item], timeRange: rig.range(3, 4)))
    {
      taken += 1
      if taken == 9 { #expect(!input.isReadyForMoreMediaData) }
    }
    #expect(taken == 15)
    #expect((rig.writer.error as? AVError)?.message.contains("wait") == true)
    rig.writer.cancelWriting()
  }

  @Test func facts_come_in_order_of_their_times() throws {
    let (rig, input) = try begun()
    let adaptor = AVAssetWriterInputMetadataAdaptor(assetWriterInput: input)
    try rig.begin()
    #expect(adaptor.append(group(rig.range(3, 4))))
    #expect(!adaptor.append(group(rig.range(2, 3))))
    #expect((rig.writer.error as? AVError)?.message.contains("in order") == true)
    #expect(adaptor.append(group(rig.range(3, 5))))
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
    // The first check is over before writing starts.
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

  @Test func an_input_that_one_writer_refused_is_anothers() throws {
    let rig = try DataTrackRig()
    let refusing = try AVAssetWriter(outputURL: rig.folder.url("a.mp4"), fileType: .mp4)
    refusing.add(rig.pictures)
    #expect(refusing.status == .failed)
    rig.writer.add(rig.pictures)
    try rig.begin()
    // The misuse of the first writer does not affect the second.
    #expect(rig.pictures.state.withLock { $0.writer } === rig.writer)
    #expect(rig.writer.error == nil)
    rig.writer.cancelWriting()
    #expect(refusing.status == .failed)
  }
}
