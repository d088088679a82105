public import Foundation
public import MediaLibrary

/// How an edit was made, in the format of the program that made it.
public final class PHAdjustmentData: Sendable {
  /// The format of edits that `recordctl photo develop --keep` writes and continues: an XMP packet with Camera Raw
  /// settings.
  public static let xmpFormatIdentifier = "com.adobe.xmp"

  /// The format's identifier, in reverse domain notation.
  public let formatIdentifier: String
  public let formatVersion: String
  public let data: Data

  public init(formatIdentifier: String, formatVersion: String, data: Data) {
    self.formatIdentifier = formatIdentifier
    self.formatVersion = formatVersion
    self.data = data
  }

  /// The keys of Apple's adjustment files.
  private enum Key {
    static let identifier = "adjustmentFormatIdentifier"
    static let version = "adjustmentFormatVersion"
    static let data = "adjustmentData"
  }

  /// The data in a library file: an XMP packet, or a property list as in Apple's libraries; nil for anything else.
  convenience init?(_ resource: PHAssetResource) {
    guard resource.fileSize < 64 << 20, let data = try? Data(contentsOf: resource.fileURL) else {
      return nil
    }
    if resource.fileURL.pathExtension.lowercased() == "xmp" {
      self.init(formatIdentifier: Self.xmpFormatIdentifier, formatVersion: "1.0", data: data)
      return
    }
    guard
      let list = try? PropertyListSerialization.propertyList(from: data, format: nil)
        as? [String: Any],
      let identifier = list[Key.identifier] as? String,
      let version = list[Key.version] as? String, let inner = list[Key.data] as? Data
    else { return nil }
    self.init(formatIdentifier: identifier, formatVersion: version, data: inner)
  }

  /// The file for a library: its extension and its bytes.
  func file() throws -> (ending: String, bytes: Data) {
    guard formatIdentifier != Self.xmpFormatIdentifier else { return ("xmp", data) }
    let list: [String: Any] = [
      Key.identifier: formatIdentifier, Key.version: formatVersion, Key.data: data,
    ]
    return (
      "plist", try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
    )
  }
}

/// The number of a content editing request.
public typealias PHContentEditingInputRequestID = Int

/// How content to edit is requested.
public final class PHContentEditingInputRequestOptions {
  /// Called to ask whether the program can continue an earlier edit. If it returns true, the input has the original
  /// and that edit's data; otherwise, or without a handler, it has the edited photo.
  public var canHandleAdjustmentData: (@Sendable (PHAdjustmentData) -> Bool)?
  /// No effect: all files are local.
  public var isNetworkAccessAllowed = false

  public init() {}
}

/// A photo to edit.
public final class PHContentEditingInput: Sendable {
  let asset: PHAsset
  /// The edit to continue; nil to start from ``fullSizeImageURL``.
  public let adjustmentData: PHAdjustmentData?
  /// The original if an edit is continued or the photo was not edited; otherwise the edited photo. Do not change
  /// the file.
  public let fullSizeImageURL: URL?
  public let uniformTypeIdentifier: String?

  public var mediaType: PHAssetMediaType { asset.mediaType }
  public var creationDate: Date? { asset.creationDate }

  init(_ asset: PHAsset, _ image: PHAssetResource?, _ adjustmentData: PHAdjustmentData?) {
    self.asset = asset
    self.adjustmentData = adjustmentData
    fullSizeImageURL = image?.fileURL
    uniformTypeIdentifier = image?.uniformTypeIdentifier
  }
}

/// The result of an edit.
public final class PHContentEditingOutput {
  fileprivate let asset: PHAsset
  /// Where to write the edited photo, as JPEG, before the change block runs. The file is moved into the library.
  public let renderedContentURL: URL
  /// How the edit was made; required, or the change fails.
  public var adjustmentData: PHAdjustmentData?

  public init(contentEditingInput: PHContentEditingInput) {
    asset = contentEditingInput.asset
    renderedContentURL = FileManager.default.temporaryDirectory.appending(
      path: "FullSizeRender-\(UUID().uuidString).jpg")
  }

  fileprivate func output() throws(MediaLibraryError) -> ContentEditingOutput {
    guard let adjustmentData else {
      throw MediaLibraryError(
        .invalidArgument, "an edit needs adjustmentData, so that it can be continued; set it")
    }
    let file: (ending: String, bytes: Data)
    do { file = try adjustmentData.file() } catch {
      throw MediaLibraryError(.invalidArgument, "adjustmentData cannot be stored: \(error)")
    }
    return ContentEditingOutput(
      adjustmentData: file.bytes, adjustmentName: "Adjustments." + file.ending,
      renderedContentURL: renderedContentURL)
  }
}

extension PHAsset {
  /// Requests content to edit. The handler is called before this returns. The input is nil for an asset that is not a
  /// photo, and the dictionary is always empty.
  @discardableResult
  public func requestContentEditingInput(
    with options: PHContentEditingInputRequestOptions?,
    completionHandler: (PHContentEditingInput?, [AnyHashable: Any]) -> Void
  ) -> PHContentEditingInputRequestID {
    guard mediaType == .image else {
      completionHandler(nil, [:])
      return 0
    }
    let files = base.resources
    let original = files.first { $0.type == .photo } ?? files.first
    let edited = files.first { $0.type == .fullSizePhoto }
    let data = files.first { $0.type == .adjustmentData }.flatMap { PHAdjustmentData($0) }
    if let data, options?.canHandleAdjustmentData?(data) == true {
      completionHandler(PHContentEditingInput(self, original, data), [:])
    } else {
      completionHandler(PHContentEditingInput(self, edited ?? original, nil), [:])
    }
    return 0
  }

  /// No effect: there is never a pending request.
  public func cancelContentEditingInputRequest(_ requestID: PHContentEditingInputRequestID) {}
}

extension AssetChangeRequest {
  /// The edit to add to the asset, beside its original; it replaces an earlier edit. It is applied when set. Outside
  /// of a change block it has no effect, and the next change block fails.
  public var contentEditingOutput: PHContentEditingOutput? {
    get { nil }
    set {
      guard let newValue else { return }
      MisplacedRequests.shared.note { () throws(MediaLibraryError) in
        guard newValue.asset.localIdentifier == asset.localIdentifier else {
          throw MediaLibraryError(
            .invalidArgument, "the edit belongs to another asset; request the input of this one")
        }
        try AssetChangeRequest.setContent(of: asset, to: try newValue.output())
      }
    }
  }

  /// Removes the asset's edit. The original was never changed.
  public func revertAssetContentToOriginal() {
    MisplacedRequests.shared.note { () throws(MediaLibraryError) in
      try AssetChangeRequest.revertToOriginals([asset])
    }
  }
}
