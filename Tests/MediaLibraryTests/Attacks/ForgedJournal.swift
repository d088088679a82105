import Foundation
import Glibc
import MediaLibrary
import TestSupport

/// Journal lines as a stranger could write them.
enum ForgedJournal {
  /// Appends a line with a valid hash to a library's journal.
  static func append(_ json: String, to root: String) throws {
    let journal = URL(filePath: root + "/.medialibrary/journal")
    var text = try Data(contentsOf: journal)
    text += Data("\(ContentHash(of: [UInt8](json.utf8))) \(json)\n".utf8)
    try text.write(to: journal)
  }

  /// An entry with these moves, removals and additions.
  static func entry(
    sequence: Int64 = 1, moves: [String] = [], unlinks: [String] = [], created: [String] = []
  ) -> String {
    """
    {"version":1,"sequence":\(sequence),"date":1,"moves":[\(moves.joined(separator: ","))],\
    "created":[\(created.joined(separator: ","))],"updates":[],"removed":[],\
    "unlinks":[\(unlinks.joined(separator: ","))]}
    """
  }

  /// A move of a file into the library.
  static func move(_ path: String, to place: String) throws -> String {
    #"{"from":"\#(path)","to":"\#(place)","status":\#(try status(path))}"#
  }

  static func unlink(_ path: String) throws -> String {
    #"{"path":"\#(path)","status":\#(try status(path))}"#
  }

  /// A file's status as the library records it; anyone who can stat the file knows it.
  static func status(_ path: String) throws -> String {
    var facts = stat()
    guard lstat(path, &facts) == 0 else { throw CocoaError(.fileNoSuchFile) }
    func nanoseconds(_ time: timespec) -> Int {
      Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
    }
    return """
      {"device":\(facts.st_dev),"inode":\(facts.st_ino),"size":\(facts.st_size),\
      "modified":\(nanoseconds(facts.st_mtim)),"changed":\(nanoseconds(facts.st_ctim)),\
      "mode":\(facts.st_mode),"linkCount":\(facts.st_nlink)}
      """
  }

  /// An asset with files of the same size.
  static func asset(id: String, paths: [String], size: Int64) -> String {
    let resources = paths.map { path in
      #"{"type":"photo","path":"\#(path)","name":"a.png","uti":"public.png","size":\#(size),"#
        + #""hash":"0000000000000000","modified":1}"#
    }
    let one = asset(id: id, path: paths[0])
    guard let begin = one.range(of: "\"resources\":[") else { return one }
    return one[..<begin.upperBound] + resources.joined(separator: ",") + "]}"
  }

  static func asset(id: String, path: String, size: Int64 = 1) -> String {
    """
    {"id":"\(id)","mediaType":1,"created":1,"added":1,"modified":1,"favorite":false,\
    "facts":{"width":1,"height":1,"frameCount":0,"duration":0,"isProRes":false,"isRAW":false},\
    "resources":[{"type":"photo","path":"\(path)","name":"a.png","uti":"public.png","size":\(size),\
    "hash":"0000000000000000","modified":1}]}
    """
  }
}
