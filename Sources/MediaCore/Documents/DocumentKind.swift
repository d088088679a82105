/// The JSON documents that the product writes.
///
/// `docs/schema/` holds a JSON Schema for each, in a file of the kind's name.
public enum DocumentKind: String, Sendable, CaseIterable {
  /// A recording, or one take of a session: what became of each frame.
  case recording
  /// The file beside a movie.
  case sidecar
  /// A movie that was encoded from a file.
  case encoding
  /// Movies that were encoded from several files.
  case encodings
  /// What a conversion in parts is to do.
  case encodePlan = "encode-plan"
  /// The frames of a source of such a conversion.
  case encodeIndex = "encode-index"
  /// A part of it.
  case encodePart = "encode-part"
  /// Where it stands.
  case encodeStatus = "encode-status"
  /// The movies that its parts were joined to.
  case encodeJoin = "encode-join"
  /// A movie that was judged.
  case verification
  /// A movie that was finished after a sudden end.
  case recovery
  /// Whether a recording would work.
  case check
  /// Encoders compared.
  case benchmark
  /// The capture devices.
  case devices
  /// The formats of a device.
  case formats
  case presets
  /// Photos that were taken.
  case photos
  /// What a DNG file holds.
  case photoFile = "photo-file"
  /// What a JPEG, HEIC or AVIF file holds.
  case imageFile = "picture-file"
  /// Photos that were developed.
  case development
  /// A contact sheet.
  case contactSheet = "contact-sheet"
  /// An asset, as hooks are given it.
  case asset
  /// Assets of a library.
  case assets
  /// Albums of a library.
  case albums
  /// What an import took into a library.
  case libraryImport = "library-import"
  /// What an export copied.
  case libraryExport = "library-export"
  /// What an offload of a library copied.
  case libraryOffload = "library-offload"
  /// What an offload of a card copied.
  case cardOffload = "card-offload"
  /// A library compared with what it was.
  case libraryVerification = "library-verification"
  /// Copies compared with their manifests.
  case copyVerification = "copy-verification"
  /// Files that were sent to object storage.
  case upload
  /// Objects that were fetched from it.
  case fetch
  /// A catalogue that was made again.
  case libraryRebuild = "library-rebuild"
  /// Assets that were changed, deleted or restored.
  case libraryChange = "library-change"
  /// Libraries that are trusted.
  case trustedLibraries = "trusted-libraries"
  /// A line that a recorder is sent: what it is to do.
  case recorderCommand = "recorder-command"
  /// The result of a command.
  case recorderReply = "recorder-reply"
  /// What a recorder tells those who listen.
  case recorderEvent = "recorder-event"
  /// What went wrong, in place of a result.
  case error

  /// The version of the vocabulary that all documents share. It rises when a key or a value changes
  /// its name or meaning; new keys leave it as it is.
  public static let version = 2

  /// What a document says under `schema`: `prores-recorder/recording`.
  public var schema: String { "prores-recorder/\(rawValue)" }
}
