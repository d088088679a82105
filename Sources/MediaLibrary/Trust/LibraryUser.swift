import FoundationEssentials
import Glibc

/// The user for whom a library is opened: the owner to compare files with, and the folders for this
/// user's private files.
package struct LibraryUser: Sendable, Hashable {
  /// The effective user ID.
  package var identifier: UInt32
  /// The folder for the list of trusted libraries: `recordctl` in the XDG configuration folder.
  package var configuration: String
  /// The folder for notes of pending changes: `recordctl` in the XDG state folder.
  package var state: String

  package init(identifier: UInt32 = geteuid(), configuration: String, state: String) {
    self.identifier = identifier
    self.configuration = configuration
    self.state = state
  }

  package static var current: LibraryUser {
    let environment = ProcessInfo.processInfo.environment
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/"
    // The XDG specification requires that relative paths be ignored.
    func folder(_ variable: String, else path: String) -> String {
      let named = environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
      return (named ?? home + path) + "/recordctl"
    }
    return LibraryUser(
      configuration: folder("XDG_CONFIG_HOME", else: "/.config"),
      state: folder("XDG_STATE_HOME", else: "/.local/state"))
  }

  /// Why somebody else could have written a file; nil if its owner and permissions allow only this
  /// user to. Access control lists show up in the group bits, which count as writable by others.
  func stranger(_ status: FileOwnership) -> String? {
    if status.owner != identifier { return "is owned by another user (uid \(status.owner))" }
    if status.mode & 0o002 != 0 { return "is writable by every user" }
    if status.mode & 0o020 != 0, !isPrivate(group: status.group) {
      return "is writable by a group (gid \(status.group))"
    }
    return nil
  }

  /// True for a group with this user's name and no other members. Many systems give each user such
  /// a group, with write permission by default.
  private func isPrivate(group: UInt32) -> Bool {
    guard let name = Self.name(ofUser: identifier) else { return false }
    var entry = Glibc.group()
    var found: UnsafeMutablePointer<Glibc.group>?
    var buffer = [CChar](repeating: 0, count: 1 << 16)
    guard getgrgid_r(group, &entry, &buffer, buffer.count, &found) == 0, found != nil,
      String(cString: entry.gr_name) == name
    else { return false }
    var member = entry.gr_mem
    while let text = member?.pointee {
      if String(cString: text) != name { return false }
      member = member?.advanced(by: 1)
    }
    return true
  }

  private static func name(ofUser identifier: UInt32) -> String? {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: 1 << 14)
    guard getpwuid_r(identifier, &entry, &buffer, buffer.count, &found) == 0, found != nil else {
      return nil
    }
    return String(cString: entry.pw_name)
  }
}
