public import FoundationEssentials

/// The result of editing a photo, like `PHContentEditingOutput`: the edited photo and a description
/// of the edit. Both are stored beside the unchanged original.
public struct ContentEditingOutput: Sendable, Hashable {
  /// A description of the edit, in a format of the editing program.
  public var adjustmentData: Data
  /// The name of the file that stores ``adjustmentData``, such as `photo.xmp`.
  public var adjustmentName: String
  /// The edited photo; its file is moved into the library.
  public var renderedContentURL: URL

  public init(adjustmentData: Data, adjustmentName: String, renderedContentURL: URL) {
    self.adjustmentData = adjustmentData
    self.adjustmentName = adjustmentName
    self.renderedContentURL = renderedContentURL
  }
}

extension AssetChangeRequest {
  /// Stores an edit of a photo beside its original, replacing an earlier edit: the edited photo as
  /// ``AssetResourceType/fullSizePhoto``, its description as ``AssetResourceType/adjustmentData``.
  ///
  /// - Throws: ``MediaLibraryError/Code/invalidState`` outside of a change block. The block fails
  ///   with ``MediaLibraryError/Code/invalidArgument`` if the asset is not a photo, or is edited
  ///   twice in it.
  public static func setContent(
    of asset: Asset, to output: ContentEditingOutput
  ) throws(MediaLibraryError) {
    var draft = AssetCreationRequest.Draft(id: asset.localIdentifier)
    draft.isEdit = true
    draft.resources = [
      .init(
        type: .fullSizePhoto,
        source: .file(path: output.renderedContentURL.absoluteURL.path, moves: true)),
      .init(
        type: .adjustmentData, source: .data(output.adjustmentData), name: output.adjustmentName),
    ]
    try ChangeBlock.add(.edit(draft))
  }

  /// Removes edits, leaving the unchanged originals. Assets without an edit stay as they are.
  ///
  /// - Throws: ``MediaLibraryError/Code/invalidState`` outside of a change block.
  public static func revertToOriginals(_ assets: some Sequence<Asset>) throws(MediaLibraryError) {
    for asset in assets { try ChangeBlock.add(.revert(asset.localIdentifier)) }
  }
}
