public import Foundation
import MediaCore
import QuickTime
import Synchronization

extension AVAssetWriterInput {
  /// The track's metadata; set it before the input is used. A track stores only a title, as its name. Another item
  /// makes the writer fail when the input is added, and its `error` names the key.
  public var metadata: [AVMetadataItem] {
    get { AVMetadataItem.items(state.withLock { $0.metadata }) }
    set {
      let named = Result { () throws(AVError) in
        let facts = try MovieMetadata(newValue)
        return (facts: facts, name: try Self.trackName(facts))
      }
      state.withLock { state in
        guard !state.isMistaken else { return }
        switch named {
        case .failure(let error) where state.isInUse: state.mistake = (.title, error)
        case .failure(let error): state.metadataError = error
        case .success(let track):
          let isNew = track.facts != state.metadata
          if isNew, let obstacle = state.obstacle(to: .title) {
            return state.refuse(.title, obstacle)
          }
          state.settle(.title)
          state.metadataError = nil
          guard isNew else { return }
          state.metadata = track.facts
          state.remake { $0.named(track.name) }
        }
      }
    }
  }

  /// The track name in metadata; nil for none.
  private static func trackName(_ facts: MovieMetadata) throws(AVError) -> String? {
    let title = AVMetadataKey.quickTimeMetadataKeyTitle.rawValue
    for item in facts.items {
      guard item.key == title, case .text = item.value else {
        throw AVError(
          .unsupportedOutputSettings,
          "\(item.key) cannot be stored in a track, which has only a title; set it in the metadata of "
            + "the AVAssetWriter")
      }
    }
    guard case .text(let name)? = facts[title] else { return nil }
    return name
  }

  /// The track's language as a three-letter ISO 639-2/T code; nil, the default, for none. Set it before the input is
  /// used. If it is set later or is not such a code, the next append fails, and the writer's `error` says why.
  public var languageCode: String? {
    get {
      state.withLock { $0.outputSettings?.language }
    }
    set {
      let isCode = newValue.map { code in
        code.utf8.count == 3 && code.utf8.allSatisfy { (0x61...0x7A).contains($0) }
      }
      state.withLock { state in
        guard !state.isMistaken else { return }
        let isNew = newValue != state.outputSettings?.language
        if isCode == false {
          state.refuse(
            .language, "a language must have three lowercase letters of ISO 639-2, such as 'deu'")
        } else if isNew, let obstacle = state.obstacle(to: .language) {
          state.refuse(.language, obstacle)
        } else {
          state.settle(.language)
          if isNew { state.remake { $0.with(language: newValue) } }
        }
      }
    }
  }

  /// The display size of the track; 0x0, the default, for that of its frames. Other sizes are rejected: the size is
  /// unchanged, the next append fails, and the writer's `error` says why.
  public var naturalSize: CGSize {
    get { state.withLock { $0.naturalSize } }
    set {
      state.withLock { state in
        if newValue == CGSize(width: 0, height: 0) || newValue == state.shownSize {
          state.naturalSize = newValue
          state.settle(.size)
        } else {
          state.refuse(
            .size,
            "the display size is that of the frames; set AVVideoPixelAspectRatioKey for another width"
          )
        }
      }
    }
  }
}

extension AVAssetWriterInput.OutputSettings {
  fileprivate func named(_ name: String?) -> Self {
    switch self {
    case .video(var video):
      video.name = name
      return .video(video)
    case .audio(var audio):
      audio.name = name
      return .audio(audio)
    }
  }

  fileprivate var language: String? {
    switch self {
    case .video(let video): video.language
    case .audio(let audio): audio.language
    }
  }

  fileprivate func with(language: String?) -> Self {
    switch self {
    case .video(var video):
      video.language = language
      return .video(video)
    case .audio(var audio):
      audio.language = language
      return .audio(audio)
    }
  }
}

extension AVAssetWriterInput.State {
  /// True if the settings are invalid, which the writer will report.
  fileprivate var isMistaken: Bool {
    if case .failure = base, data == nil { true } else { false }
  }

  /// The display size of the track's frames; nil for audio, and for settings without a size.
  fileprivate var shownSize: CGSize? {
    guard case .video(let video)? = outputSettings else { return nil }
    let aspect = video.pixelAspectRatio ?? .square
    let ratio = Double(aspect.horizontal) / Double(max(aspect.vertical, 1))
    return CGSize(
      width: (Double(video.width) * ratio).rounded(), height: Double(video.height))
  }
}
