import AssetReader
import Foundation
public import MediaCore
import MovieExport
import Synchronization

/// How loud a track is in a mix.
///
/// Unchecked: the compiler verifies only final classes. Its one property is a `Mutex`.
public class AVAudioMixInputParameters: @unchecked Sendable {
  struct State: Sendable {
    var trackID: CMPersistentTrackID = kCMPersistentTrackID_Invalid
    var volume = Ramp(1.0)
    var pitch: AVAudioTimePitchAlgorithm?
  }

  let state: Mutex<State>

  init() { state = Mutex(State()) }

  private init(_ state: State) { self.state = Mutex(state) }

  /// A copy that nobody changes.
  func snapshot() -> AVAudioMixInputParameters {
    AVAudioMixInputParameters(state.withLock { $0 })
  }

  /// The number of the track.
  public var trackID: CMPersistentTrackID { state.withLock { $0.trackID } }

  /// How audio keeps its pitch; nil for as the reader or the export says. Nothing follows from it:
  /// see ``AVAudioTimePitchAlgorithm``.
  public var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm? {
    state.withLock { $0.pitch }
  }

  /// Nil: no tap can be made here.
  public var audioTapProcessor: MTAudioProcessingTap? { nil }
}

/// As ``AVAudioMixInputParameters``, to be made.
///
/// Unchecked: the compiler does not verify subclasses. This one adds no stored property.
public final class AVMutableAudioMixInputParameters: AVAudioMixInputParameters,
  @unchecked Sendable
{
  /// Parameters for a track that is yet to be named.
  public override init() {}

  /// Parameters for a track of the asset or composition that is read or exported; nil for none yet.
  public init(track: AVAssetTrack?) {
    super.init()
    if let track { state.withLock { $0.trackID = track.trackID } }
  }

  /// The number of the track.
  public override var trackID: CMPersistentTrackID {
    get { super.trackID }
    set { state.withLock { $0.trackID = newValue } }
  }

  /// Same as ``AVAudioMixInputParameters/audioTimePitchAlgorithm``.
  public override var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm? {
    get { super.audioTimePitchAlgorithm }
    set { state.withLock { $0.pitch = newValue } }
  }

  /// Nil: no tap can be made, so that there is none to set.
  public override var audioTapProcessor: MTAudioProcessingTap? {
    get { nil }
    set {}
  }

  /// Sets the volume, 0 for silence to 1 for as it is, from a time on; 1 before the first one. What is no
  /// number is silence.
  public func setVolume(_ volume: Float, at time: CMTime) {
    state.withLock { $0.volume.set(Self.factor(volume), at: time) }
  }

  private static func factor(_ volume: Float) -> Double {
    volume.isFinite ? max(Double(volume), 0) : 0
  }

  /// Leads from one volume to another over a range; the second one stays behind it.
  public func setVolumeRamp(
    fromStartVolume startVolume: Float, toEndVolume endVolume: Float, timeRange: CMTimeRange
  ) {
    let (first, last) = (Self.factor(startVolume), Self.factor(endVolume))
    state.withLock { $0.volume.lead(from: first, to: last, over: timeRange) }
  }
}

/// How audio tracks are mixed: those that no parameters name are as loud as they are.
///
/// Unchecked: the compiler verifies only final classes. Its one property is a `Mutex`.
public class AVAudioMix: @unchecked Sendable {
  let parameters: Mutex<[AVAudioMixInputParameters]>

  init() { parameters = Mutex([]) }

  private init(_ parameters: [AVAudioMixInputParameters]) { self.parameters = Mutex(parameters) }

  /// A copy that nobody changes.
  func snapshot() -> AVAudioMix { AVAudioMix(inputParameters.map { $0.snapshot() }) }

  /// How loud tracks are.
  public var inputParameters: [AVAudioMixInputParameters] { parameters.withLock { $0 } }

  /// Sets the volumes of a mix of an asset's tracks.
  ///
  /// - Parameter start: Where the timeline begins that is mixed.
  func set(_ mix: inout SoundMix, for asset: AVAsset, from start: CMTime) throws(AVError) {
    let tracks = try asset.contents().tracks
    for own in inputParameters {
      let (trackID, volume) = own.state.withLock { ($0.trackID, $0.volume) }
      guard let place = tracks.firstIndex(where: { $0.trackID == trackID }) else {
        throw AVError(
          .unsupportedOutputSettings, "audio mix: no track \(trackID) in \(asset.displayName)")
      }
      if mix.volumes[place] != nil {
        mix.volumes[place] = volume.from(start)
      }
    }
  }
}

/// As ``AVAudioMix``, to be made.
///
/// Unchecked: the compiler does not verify subclasses. This one adds no stored property.
public final class AVMutableAudioMix: AVAudioMix, @unchecked Sendable {
  /// A mix in which all tracks are as loud as they are.
  public override init() {}

  /// How loud tracks are.
  public override var inputParameters: [AVAudioMixInputParameters] {
    get { super.inputParameters }
    set { parameters.withLock { $0 = newValue } }
  }
}
