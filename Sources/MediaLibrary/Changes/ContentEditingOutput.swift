public import FoundationEssentials

/// What an edit of a photo comes to, as `PHContentEditingOutput`: how it was made, and the picture as it is
/// then. Both are kept beside the original, which stays as it is.
public struct ContentEditingOutput: Sendable, Hashable {
  /// What was changed, in the words of the program that did it.
  public var adjustmentData: Data
  /// The name of the file that ``adjustmentData`` is kept in, such as `photo.xmp`.
  public var adjustmentName: String
  /// The picture after the edit; its file is moved into the library.
  public var renderedContentURL: URL

  /// An edit from its parts.
  public init(adjustmentData: Data, adjustmentName: String, renderedContentURL: URL) {
    self.adjustmentData = adjustmentData
    self.adjustmentName = adjustmentName
    self.renderedContentURL = renderedContentURL
  }
}

extension AssetChangeRequest {
  /// Keeps an edit of a photo beside its original, in the place of an earlier edit: the picture as
  /// ``AssetResourceType/fullSizePhoto``, how it was made as ``AssetResourceType/adjustmentData``.
  ///
  /// - Throws: ``MediaLibraryError/Code/invalidState`` outside of a change block. The block fails with
  ///   ``MediaLibraryError/Code/invalidArgument`` for an asset that is no photo, or is edited twice in it.
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

  /// Removes edits: what is left are the originals, which were never touched. An asset without an edit
  /// stays as it is.
  ///
  /// - Throws: ``MediaLibraryError/Code/invalidState`` outside of a change block.
  public static func revertToOriginals(_ assets: some Sequence<Asset>) throws(MediaLibraryError) {
    for asset in assets { try ChangeBlock.add(.revert(asset.localIdentifier)) }
  }
}
