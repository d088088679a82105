import Foundation
import MediaCore
import TestSupport
import Testing

/// `make install` into a folder instead of the system.
@Suite(.tags(.judges)) struct InstallationTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../..").standardized

  @Test(.enabled(if: Judges.find("make") != nil, "make is not installed"))
  func the_command_manual_and_completions_install_and_work() throws {
    let folder = try TemporaryFolder()
    func make(_ target: String) throws -> String {
      // The binary built with the tests stands in for the release build.
      try Judges.run(
        "make",
        [
          "-s", "-C", Self.root.path, "recordctl=\(Recordctl.binary.path)",
          "DESTDIR=\(folder.url.path)", "PREFIX=/usr", target,
        ]
      ).errors
    }
    #expect(try make("install").isEmpty)
    let share = folder.path("usr/share")
    let files = [
      folder.path("usr/bin/recordctl"), share + "/man/man1/recordctl.1",
      share + "/man/man1/recordctl-library-import.1",
      share + "/bash-completion/completions/recordctl", share + "/zsh/site-functions/_recordctl",
      share + "/fish/vendor_completions.d/recordctl.fish",
    ]
    for file in files { #expect(FileManager.default.fileExists(atPath: file), "\(file)") }

    #expect(try Judges.run(files[0], ["--version"]).output.hasPrefix("recordctl "))
    if Judges.find("bash") != nil {
      let script = """
        source \(files[3]); COMP_WORDS=(recordctl rec); COMP_CWORD=1; COMP_LINE='recordctl rec' COMP_POINT=13
        complete -p recordctl; $(complete -p recordctl | sed 's/.*-F \\([^ ]*\\).*/\\1/') \
          recordctl rec recordctl; echo "${COMPREPLY[@]}"
        """
      let run = try Judges.run("bash", ["-c", script])
      #expect(run.errors.isEmpty, "\(run.errors)")
      #expect(run.output.contains("complete ") && run.output.contains("recover"), "\(run.output)")
    }
    for (shell, file) in [("zsh", files[4]), ("fish", files[5])] where Judges.find(shell) != nil {
      #expect(try Judges.run(shell, ["-n", file]).errors.isEmpty)
    }
    if Judges.find("man") != nil {
      let page = try Judges.run("man", ["--warnings", "-l", files[1]])
      #expect(page.output.contains("recordctl") && page.errors.isEmpty, "\(page.errors)")
      #expect(page.output.contains("recordctl \(PackageVersion.current)"))
    }
    #expect(try make("uninstall").isEmpty)
    for file in files { #expect(!FileManager.default.fileExists(atPath: file), "\(file)") }
    let missing = ["bash", "zsh", "fish", "man"].filter { Judges.find($0) == nil }
    if !missing.isEmpty {
      try Test.cancel("not here to judge its file: \(missing.joined(separator: ", "))")
    }
  }
}
