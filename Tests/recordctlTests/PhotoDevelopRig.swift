import Foundation
import TestSupport
import Testing

/// A folder with photos of the pattern's sensor to develop.
struct PhotoDevelopRig {
  private struct Failure: Error { let errors: String }

  private struct Document: Decodable { let photos: [Photo] }

  /// The report's entry for a photo.
  struct Photo: Decodable {
    struct Note: Decodable { let kind: String, message: String }
    struct Histogram: Decodable { let counts: [[Int]] }
    let status: String
    let source: String
    let path: String?
    let width: Int?
    let height: Int?
    let notes: [Note]
    let settings: [String: Double]?
    let origins: [String: String]?
    let histogram: Histogram?
    let rawHistogram: Histogram?
  }

  /// A Bayer photo and a merged photo of the pattern's sensor, taken once.
  static let photos: Result<(bayer: Data, proRAW: Data), any Error> = Result {
    let folder = try TemporaryFolder()
    func take(_ name: String, _ arguments: [String]) throws -> Data {
      let run = try Recordctl(Recordctl.photo + arguments + ["-o", name], in: folder.url)
      guard run.status == 0 else { throw Failure(errors: run.errors) }
      return try Data(contentsOf: folder.url(name))
    }
    return (
      try take("a.dng", ["--raw", "bayer", "--thumbnail", "none"]),
      try take("b.dng", ["--raw", "proraw", "--bracket", "-1,0"])
    )
  }

  /// Contains both photos, as a.dng and b.dng.
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let photos = try Self.photos.get()
    try photos.bayer.write(to: folder.url("a.dng"))
    try photos.proRAW.write(to: folder.url("b.dng"))
  }

  func develop(
    _ arguments: String..., status: Int32 = 0, environment: [String: String] = [:],
    at location: SourceLocation = #_sourceLocation
  ) throws -> Recordctl {
    let run = try Recordctl(
      ["photo", "develop"] + arguments, environment: environment, in: folder.url)
    #expect(run.status == status, "\(arguments): \(run.errors)", sourceLocation: location)
    return run
  }

  /// The photos in the report of a run with `--json`.
  func photos(_ run: Recordctl) throws -> [Photo] {
    try JSONDecoder().decode(Document.self, from: Data(run.output.utf8)).photos
  }

  /// An XMP document with these attributes and a rating of 4.
  func sidecar(_ attributes: String) -> Data {
    Data(
      """
      <?xml version="1.0"?>
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
       xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
       xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/"
       xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="4" \(attributes)/></rdf:RDF></x:xmpmeta>
      """.utf8)
  }
}
