public import Foundation
public import MediaLibrary

/// How an edit was made, in the words of the program that made it.
public final class PHAdjustmentData: Sendable {
  /// The format of edits that `recordctl photo develop --keep` makes and continues: an XMP packet with Camera
  /// Raw's settings.
  public static let xmpFormatIdentifier = "com.adobe.xmp"

  /// Whose data they are, in reverse domain notation.
  public let formatIdentifier: String
  /// The version of their format.
  public let formatVersion: String
  /// The data.
  public let data: Data

  /// Data of an edit.
  public init(formatIdentifier: String, formatVersion: String, data: Data) {
    self.formatIdentifier = formatIdentifier
    self.formatVersion = formatVersion
    self.data = data
  }

  /// The keys of Apple's own files of the kind.
  private enum Key {
    static let identifier = "adjustmentFormatIdentifier"
    static let version = "adjustmentFormatVersion"
    static let data = "adjustmentData"
  }

  /// The data in a file of a library: an XMP packet, or a property list as Apple's libraries have it; nil for
  /// anything else.
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

  /// The file for a library: its name's ending, and its bytes.
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

/// The number of a request for what is to be edited.
public typealias PHContentEditingInputRequestID = Int

/// How what is to be edited is asked for.
public final class PHContentEditingInputRequestOptions {
  /// Asked whether the program can continue an earlier edit; with true it gets the original and that edit's data,
  /// else the picture after it. Without this it cannot.
  public var canHandleAdjustmentData: (@Sendable (PHAdjustmentData) -> Bool)?
  /// Apple's: may be fetched from elsewhere. Everything is here.
  public var isNetworkAccessAllowed = false

  /// No options.
  public init() {}
}

/// A photo that is to be edited.
public final class PHContentEditingInput: Sendable {
  /// The asset.
  let asset: PHAsset
  /// The edit that is to be continued; nil to begin with the picture.
  public let adjustmentData: PHAdjustmentData?
  /// The original where an edit is continued or there is none, else the picture after the edit. Read it, but
  /// leave it as it is.
  public let fullSizeImageURL: URL?
  /// The picture's uniform type identifier.
  public let uniformTypeIdentifier: String?

  /// What the asset is.
  public var mediaType: PHAssetMediaType { asset.mediaType }
  /// When it was made.
  public var creationDate: Date? { asset.creationDate }

  init(_ asset: PHAsset, _ picture: PHAssetResource?, _ adjustmentData: PHAdjustmentData?) {
    self.asset = asset
    self.adjustmentData = adjustmentData
    fullSizeImageURL = picture?.fileURL
    uniformTypeIdentifier = picture?.uniformTypeIdentifier
  }
}

/// What an edit comes to.
public final class PHContentEditingOutput {
  fileprivate let asset: PHAsset
  /// Where the picture after the edit is to be written, as JPEG, before the change block is run. It is moved into
  /// the library.
  public let renderedContentURL: URL
  /// How the edit was made; without it the change fails.
  public var adjustmentData: PHAdjustmentData?

  /// An edit of what was asked for.
  public init(contentEditingInput: PHContentEditingInput) {
    asset = contentEditingInput.asset
    renderedContentURL = FileManager.default.temporaryDirectory.appending(
      path: "FullSizeRender-\(UUID().uuidString).jpg")
  }

  /// The edit for a library.
  fileprivate func output() throws(MediaLibraryError) -> ContentEditingOutput {
    guard let adjustmentData else {
      throw MediaLibraryError(
        .invalidArgument, "an edit needs adjustmentData, by which it can be continued; set it")
    }
    let file: (ending: String, bytes: Data)
    do { file = try adjustmentData.file() } catch {
      throw MediaLibraryError(.invalidArgument, "adjustmentData cannot be kept: \(error)")
    }
    return ContentEditingOutput(
      adjustmentData: file.bytes, adjustmentName: "Adjustments." + file.ending,
      renderedContentURL: renderedContentURL)
  }
}

extension PHAsset {
  /// Asks for what is to be edited; the answer comes before this returns. The input is nil for an asset that is no
  /// photo, and the dictionary is empty.
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

  /// Apple's: there is nothing to cancel.
  public func cancelContentEditingInputRequest(_ requestID: PHContentEditingInputRequestID) {}
}

extension AssetChangeRequest {
  /// The edit that the asset gets, beside its original and in the place of an earlier edit. It is taken when
  /// it is set; outside of a change block nothing happens, and the next change block fails.
  public var contentEditingOutput: PHContentEditingOutput? {
    get { nil }
    set {
      guard let newValue else { return }
      MisplacedRequests.shared.note { () throws(MediaLibraryError) in
        guard newValue.asset.localIdentifier == asset.localIdentifier else {
          throw MediaLibraryError(
            .invalidArgument, "the edit is of another asset; ask for the input of this one")
        }
        try AssetChangeRequest.setContent(of: asset, to: try newValue.output())
      }
    }
  }

  /// Removes the asset's edit: what is left is its original, which was never touched.
  public func revertAssetContentToOriginal() {
    MisplacedRequests.shared.note { () throws(MediaLibraryError) in
      try AssetChangeRequest.revertToOriginals([asset])
    }
  }
}
