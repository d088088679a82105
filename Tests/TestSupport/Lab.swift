import Foundation

/// The virtual machine with real kernel devices: where it is, and whether it can be booted here.
package enum Lab {
  /// True inside the machine.
  package static let isGuest = ProcessInfo.processInfo.environment["V4L2LAB_GUEST"] != nil

  /// The folder with `lab-run`.
  package static let folder: String = {
    var url = URL(filePath: #filePath)
    while url.path != "/" {
      url.deleteLastPathComponent()
      let lab = url.appending(path: "Lab").path
      if FileManager.default.isExecutableFile(atPath: lab + "/lab-run") { return lab }
    }
    return "Lab"
  }()

  /// Where `lab-setup` put the kernel, modules and helpers.
  package static let cache =
    ProcessInfo.processInfo.environment["V4L2LAB_CACHE"] ?? "/var/tmp/v4l2lab"

  /// The helper programs, inside and outside the machine.
  package static var tools: String { cache + "/bin" }

  /// Why the machine cannot be booted here; nil if it can.
  package static let obstacle: String? = {
    if isGuest { return "the lab's own guest boots no other" }
    if ProcessInfo.processInfo.environment["LAB"] == "0" {
      return "LAB=1 make test and make test-all run the lab's tests"
    }
    if getuid() != 0 { return "the lab needs root: its guest reads the host's files" }
    let paths = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let hasQEMU = paths.contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/qemu-system-x86_64")
    }
    if !hasQEMU { return "QEMU is missing: run Lab/lab-setup" }
    let kernel = (try? String(contentsOfFile: cache + "/kver", encoding: .utf8)) ?? ""
    let name = kernel.trimmingCharacters(in: .whitespacesAndNewlines)
    guard FileManager.default.fileExists(atPath: "\(cache)/initramfs-\(name).cpio") else {
      return "the lab is not set up: Lab/lab-setup makes it, on Debian 12"
    }
    return nil
  }()

  package static var canBoot: Bool { obstacle == nil }
}
