import ArgumentParser
import Foundation
import ObjectStorage

/// Whether movies are sent to object storage as they are completed, and how.
struct UploadingArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Upload each movie and its sidecar to object storage at s3://BUCKET/PREFIX as soon as it is \
      complete. A separate process uploads; it never delays the recording and continues after it.
      """, valueName: "address"))
  var upload: String?

  @Option(
    help: ArgumentHelp(
      "Upload bandwidth limit in bytes per second, such as 50MB (default: unlimited).",
      valueName: "rate"),
    transform: StorageArguments.rate)
  var uploadBandwidth: Int64?

  @Option(
    help: ArgumentHelp(
      """
      Lock the objects against deletion by anyone for this long, such as 90d or 10y. This cannot \
      be undone.
      """, valueName: "time"),
    transform: StorageArguments.time)
  var uploadObjectLock: Double?

  @Flag(help: "Remove the local movie and its sidecar once the uploaded copies are verified.")
  var uploadRemove = false

  func validate() throws {
    if let upload, try StorageArguments.address(upload) == nil {
      throw ValidationError("--upload: '\(upload)' is not an address; write s3://BUCKET/PREFIX")
    }
    guard upload != nil || uploadBandwidth == nil && uploadObjectLock == nil && !uploadRemove else {
      throw ValidationError("the --upload-… options need --upload with an address")
    }
  }

  /// What hands movies over; nil where nothing is sent.
  ///
  /// - Parameter isSaved: True where the movies are moved into a library.
  func uploads(isSaved: Bool) throws -> MovieUploads? {
    guard let address = try upload.flatMap({ try StorageArguments.address($0) }) else { return nil }
    guard !isSaved else {
      throw ValidationError(
        "--upload sends movies from where they are recorded, but a library moves them away; leave one "
          + "out, or send the library with `recordctl library offload \(address)`")
    }
    var words = ["recordctl", "upload", "--queued", "--keep-trying", "--json"]
    if let uploadBandwidth { words += ["--bandwidth", "\(uploadBandwidth)"] }
    return MovieUploads(
      to: address, removesVerified: uploadRemove, lockDuration: uploadObjectLock,
      words: words + [address.description])
  }
}
