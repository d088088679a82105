import ArgumentParser
import Foundation
import MediaCore
import MediaLibrary

/// The trusted libraries as they are printed.
private struct TrustListing: Encodable {
  let libraries: [String]
}

/// `recordctl library trust`
struct LibraryTrustCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trust", abstract: "Trusts a library that another user owns or can write.",
    discussion: """
      A library that another user owns or can write is opened read-only until its path is trusted. \
      A trusted library may be changed, and the hooks named in its settings are run. The list is \
      ~/.config/recordctl/trusted-libraries.
      """)

  @Argument(
    help: "Folder of the library.", completion: .directory, transform: GivenPath.argument)
  var folder: String?

  @Flag(help: "List the trusted libraries.")
  var list = false

  @Flag(help: "Stop trusting the library.")
  var remove = false

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    if list, folder != nil { throw ValidationError("--list does not take a folder") }
    if list, remove {
      throw ValidationError("--list and --remove exclude each other; give only one")
    }
    if !list, folder == nil {
      throw ValidationError("name the folder of a library, or give --list")
    }
  }

  func run() throws {
    let trust = LibraryTrust()
    trust.onWait { Console.note($0) }
    guard let folder else {
      let libraries = try trust.libraries()
      if json { return try Console.print(.trustedLibraries, TrustListing(libraries: libraries)) }
      if !libraries.isEmpty { Console.print(libraries) }
      return
    }
    let url = URL(filePath: folder)
    if remove {
      guard try trust.remove(url) else {
        throw MediaLibraryError(
          .fileNotFound,
          "\(folder): is not trusted; 'recordctl library trust --list' lists the trusted ones"
        )
      }
    } else {
      guard try PhotoLibrary(at: url).holdsLibrary() else {
        throw MediaLibraryError(
          .fileNotFound, "\(folder): is not a library; name the folder of one")
      }
      try trust.add(url)
    }
    if json { try Console.print(.trustedLibraries, TrustListing(libraries: trust.libraries())) }
  }
}
