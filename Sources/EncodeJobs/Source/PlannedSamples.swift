import AssetReader
import MediaCore
import MovieExport

/// Samples of a source according to its index, in time order: for each frame, the first frame's
/// image at the frame's time, and the actual audio. What happened to the frames is already
/// recorded.
final class PlannedSamples: SampleSupply {
  let account: FrameAccount?
  private let index: SourceIndex
  private let opening: JobOpening
  private let captions: [Int: FrameSideData.LineCaptions]
  private var earlyAudio: ArraySlice<Result<AssetSample, AssetReaderError>>
  private var next = 0
  private var piece: AssetSample?
  private var isAudioOver: Bool
  /// Why the audio ends early; thrown after the last frame.
  private var audioError: AssetReaderError?

  /// - Parameters:
  ///   - account: What happened to the frames.
  ///   - captions: The frames' captions, by index.
  ///   - readsAudio: True to include the audio; the opening must read it.
  init(
    _ index: SourceIndex, _ opening: JobOpening, account: FrameAccount = FrameAccount(),
    captions: [Int: FrameSideData.LineCaptions] = [:], readsAudio: Bool = false
  ) {
    self.account = account
    self.index = index
    self.opening = opening
    self.captions = captions
    earlyAudio = opening.earlyAudio[...]
    isAudioOver = !readsAudio || opening.audioTracks.isEmpty
  }

  var packets: PacketWatch? { opening.audioPackets }

  func nextSample() throws(AssetReaderError) -> AssetSample? {
    if piece == nil, !isAudioOver { try readAudio() }
    let isVideo = next < index.count
    if let sample = piece,
      !isVideo || sample.sampleBuffer.presentationTimeStamp <= index.time(next)
    {
      piece = nil
      return sample
    }
    guard isVideo else {
      guard let error = audioError else { return nil }
      audioError = nil
      throw error
    }
    defer { next += 1 }
    return picture(next)
  }

  private func readAudio() throws(AssetReaderError) {
    do throws(AssetReaderError) {
      if let early = earlyAudio.popFirst() {
        piece = try early.get()
      } else {
        piece = try opening.reader.nextSample()
      }
      isAudioOver = piece == nil
    } catch {
      guard error.code != .decodeFailed else { throw error }
      audioError = error
      isAudioOver = true
    }
  }

  private func picture(_ place: Int) -> AssetSample {
    var sample = opening.first
    if place > 0 {
      sample.sideData = FrameSideData()
      sample.isKeyFrame = false
    }
    sample.sideData.captions = captions[place]
    sample.index = opening.first.index + Int64(place)
    sample.sampleBuffer = SampleBuffer(
      .video(opening.shape), presentationTimeStamp: index.time(place),
      duration: index.duration(place),
      attachments: place == 0
        ? opening.first.sampleBuffer.attachments : SampleBuffer.Attachments())
    return sample
  }
}
