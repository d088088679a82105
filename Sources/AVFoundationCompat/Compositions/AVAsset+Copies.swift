import Synchronization

extension AVAsset {
  /// The asset as it is now: a file's own object, or a composition that nobody changes.
  public func copy() -> Any { snapshot() }
}

extension AVComposition {
  /// An `AVMutableComposition` with the same tracks, of its own.
  public func mutableCopy() -> Any {
    let now = parts.withLock { $0 }
    let copy = AVMutableComposition()
    let tracks = now.tracks.map { $0.mutableSnapshot(of: copy) }
    copy.parts.withLock { $0 = Parts(tracks: tracks, naturalSize: now.naturalSize) }
    return copy
  }
}

extension AVVideoComposition {
  /// An `AVVideoComposition` that nobody changes; a program's own instructions are the same objects.
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
  /// An `AVAudioMix` that nobody changes.
  public func copy() -> Any { snapshot() }

  /// An `AVMutableAudioMix` with the same parameters.
  public func mutableCopy() -> Any {
    let copy = AVMutableAudioMix()
    copy.inputParameters = inputParameters
    return copy
  }
}
