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
    rig.writer.add(rig.video)
    rig.writer.add(input)
    return (rig, input)
  }

  @Test func metadata_waiting_for_video_is_bounded() throws {
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

  @Test func timed_metadata_must_be_appended_in_order() throws {
    let (rig, input) = try begun()
    let adaptor = AVAssetWriterInputMetadataAdaptor(assetWriterInput: input)
    try rig.begin()
    #expect(adaptor.append(group(rig.range(3, 4))))
    #expect(!adaptor.append(group(rig.range(2, 3))))
    #expect((rig.writer.error as? AVError)?.message.contains("in order") == true)
    #expect(adaptor.append(group(rig.range(3, 5))))
    rig.writer.cancelWriting()
  }

  @Test func a_request_made_before_writing_starts_is_called_afterwards() async throws {
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
    try await eventually("metadata is requested") { taken.withLock { $0 } != nil }
    #expect(taken.withLock { $0 } == true)
    rig.writer.cancelWriting()
  }

  @Test func a_waiting_input_is_called_after_a_misuse_of_the_writer() async throws {
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
    try await eventually("the failure is reported") { taken.withLock { $0 } != nil }
    #expect(taken.withLock { $0 } == false && !input.isReadyForMoreMediaData)
    rig.writer.cancelWriting()
  }

  @Test func an_unsupported_track_property_fails_the_next_append() throws {
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

  @Test func an_input_refused_by_one_writer_can_be_added_to_another() throws {
    let rig = try DataTrackRig()
    let refusing = try AVAssetWriter(outputURL: rig.folder.url("a.mp4"), fileType: .mp4)
    refusing.add(rig.video)
    #expect(refusing.status == .failed)
    rig.writer.add(rig.video)
    try rig.begin()
    // The misuse of the first writer does not affect the second.
    #expect(rig.video.state.withLock { $0.writer } === rig.writer)
    #expect(rig.writer.error == nil)
    rig.writer.cancelWriting()
    #expect(refusing.status == .failed)
  }
}
