import AVFoundationCompat
import TestSupport
import Testing

/// A movie output's metadata, as items.
@Suite(.timeLimit(.minutes(5)))
struct MovieOutputMetadataTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func title(_ text: String) -> AVMutableMetadataItem {
    let item = AVMutableMetadataItem()
    item.identifier = .commonIdentifierTitle
    item.value = text
    return item
  }

  @Test func a_movie_output_writes_metadata_items() async throws {
    let rig = try PatternRig()
    #expect(rig.output.metadata == nil as [AVMetadataItem]?)
    rig.output.metadata = [title("Take 7")]
    #expect(rig.output.metadata?.first?.stringValue == "Take 7")
    rig.output.maxRecordedFrameCount = 3
    rig.session.startRunning()
    let url = folder.url("titled.mov")
    let error = await RecordingListener().record(rig.output, to: url)
    rig.session.stopRunning()
    #expect((error as? AVError)?.recordingSuccessfullyFinished ?? true)
    let titles = AVURLAsset(url: url).metadata.filter { $0.commonKey == .commonKeyTitle }
    #expect(titles.compactMap(\.stringValue) == ["Take 7"])
  }

  @Test func unsupported_metadata_prevents_a_recording() async throws {
    let rig = try PatternRig()
    rig.output.maxRecordedFrameCount = 1
    rig.session.startRunning()
    let url = folder.url("refused.mov")
    rig.output.metadata = [AVMutableMetadataItem()]
    let refused = await RecordingListener().record(rig.output, to: url)
    #expect((refused as? AVError)?.code == .unsupportedOutputSettings)
    #expect(!FileManager.default.fileExists(atPath: url.path))
    rig.output.metadata = nil
    let taken = await RecordingListener().record(rig.output, to: url)
    rig.session.stopRunning()
    #expect((taken as? AVError)?.recordingSuccessfullyFinished ?? true)
    #expect(FileManager.default.fileExists(atPath: url.path))
  }
}
