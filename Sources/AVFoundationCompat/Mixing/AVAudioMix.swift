import AssetReader
import Foundation
public import MediaCore
import MovieExport
import Synchronization

/// The volume of a track in a mix.
///
/// Unchecked: the compiler verifies only final classes. Its only stored property is a `Mutex`.
public class AVAudioMixInputParameters: @unchecked Sendable {
  struct State: Sendable {
    var trackID: CMPersistentTrackID = kCMPersistentTrackID_Invalid
    var volume = Ramp(1.0)
    var pitch: AVAudioTimePitchAlgorithm?
  }

  let state: Mutex<State>

  init() { state = Mutex(State()) }

  private init(_ state: State) { self.state = Mutex(state) }

  /// An immutable copy.
  func snapshot() -> AVAudioMixInputParameters {
    AVAudioMixInputParameters(state.withLock { $0 })
  }

  public var trackID: CMPersistentTrackID { state.withLock { $0.trackID } }

  /// How audio keeps its pitch; nil for the setting of the reader or export. It has no effect: see
  /// ``AVAudioTimePitchAlgorithm``.
  public var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm? {
    state.withLock { $0.pitch }
  }

  /// Nil: taps cannot be created here.
  public var audioTapProcessor: MTAudioProcessingTap? { nil }
}

/// The mutable form of ``AVAudioMixInputParameters``.
///
/// Unchecked: the compiler does not verify subclasses. This one adds no stored property.
public final class AVMutableAudioMixInputParameters: AVAudioMixInputParameters,
  @unchecked Sendable
{
  /// Parameters without a track yet.
  public override init() {}

  /// Parameters for a track of the asset or composition to read or export; nil for none yet.
  public init(track: AVAssetTrack?) {
    super.init()
    if let track { state.withLock { $0.trackID = track.trackID } }
  }

  public override var trackID: CMPersistentTrackID {
    get { super.trackID }
    set { state.withLock { $0.trackID = newValue } }
  }

  /// Same as ``AVAudioMixInputParameters/audioTimePitchAlgorithm``.
  public override var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm? {
    get { super.audioTimePitchAlgorithm }
    set { state.withLock { $0.pitch = newValue } }
  }

  /// Nil: taps cannot be created here, so there is none to set.
  public override var audioTapProcessor: MTAudioProcessingTap? {
    get { nil }
    set {}
  }

  /// Sets the volume from a time on: 0 is silence, 1 is unchanged. It is 1 before the first such time. NaN and
  /// infinity are silence.
  public func setVolume(_ volume: Float, at time: CMTime) {
    state.withLock { $0.volume.set(Self.factor(volume), at: time) }
  }

  private static func factor(_ volume: Float) -> Double {
    volume.isFinite ? max(Double(volume), 0) : 0
  }

  /// Ramps the volume over a range. The end volume applies after it.
  public func setVolumeRamp(
    fromStartVolume startVolume: Float, toEndVolume endVolume: Float, timeRange: CMTimeRange
  ) {
    let (first, last) = (Self.factor(startVolume), Self.factor(endVolume))
    state.withLock { $0.volume.lead(from: first, to: last, over: timeRange) }
  }
}

/// How audio tracks are mixed. Tracks without parameters keep their volume.
///
/// Unchecked: the compiler verifies only final classes. Its only stored property is a `Mutex`.
public class AVAudioMix: @unchecked Sendable {
  let parameters: Mutex<[AVAudioMixInputParameters]>

  init() { parameters = Mutex([]) }

  private init(_ parameters: [AVAudioMixInputParameters]) { self.parameters = Mutex(parameters) }

  /// An immutable copy.
  func snapshot() -> AVAudioMix { AVAudioMix(inputParameters.map { $0.snapshot() }) }

  /// The volumes of tracks.
  public var inputParameters: [AVAudioMixInputParameters] { parameters.withLock { $0 } }

  /// Sets the volumes of a mix of an asset's tracks.
  ///
  /// - Parameter start: Where the mixed timeline begins.
  func set(_ mix: inout AudioMix, for asset: AVAsset, from start: CMTime) throws(AVError) {
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

/// The mutable form of ``AVAudioMix``.
///
/// Unchecked: the compiler does not verify subclasses. This one adds no stored property.
public final class AVMutableAudioMix: AVAudioMix, @unchecked Sendable {
  /// A mix in which all tracks keep their volume.
  public override init() {}

  /// The volumes of tracks.
  public override var inputParameters: [AVAudioMixInputParameters] {
    get { super.inputParameters }
    set { parameters.withLock { $0 = newValue } }
  }
}
