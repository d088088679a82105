import Synchronization

extension AVAsset {
  /// The asset in its current state: the same object for a file, an immutable copy for a composition.
  public func copy() -> Any { snapshot() }
}

extension AVComposition {
  /// An `AVMutableComposition` with copies of the tracks.
  public func mutableCopy() -> Any {
    let now = parts.withLock { $0 }
    let copy = AVMutableComposition()
    let tracks = now.tracks.map { $0.mutableSnapshot(of: copy) }
    copy.parts.withLock { $0 = Parts(tracks: tracks, naturalSize: now.naturalSize) }
    return copy
  }
}

extension AVVideoComposition {
  /// An immutable `AVVideoComposition`; a program's own instructions are the same objects.
  public func copy() -> Any { snapshot() }

  /// An `AVMutableVideoComposition` with the same values; its instructions are the same objects.
  public func mutableCopy() -> Any {
    let now = state.withLock { $0 }
    let copy = AVMutableVideoComposition()
    copy.state.withLock { $0 = now }
    return copy
  }
}

extension AVAudioMix {
  /// An immutable `AVAudioMix`.
  public func copy() -> Any { snapshot() }

  /// An `AVMutableAudioMix` with the same parameters.
  public func mutableCopy() -> Any {
    let copy = AVMutableAudioMix()
    copy.inputParameters = inputParameters
    return copy
  }
}
