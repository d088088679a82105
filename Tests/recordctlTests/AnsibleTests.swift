import Foundation
import TestSupport
import Testing

/// The `presets/ansible` role that sets up recorders, checked by Ansible's own programs.
@Suite(.timeLimit(.minutes(10))) struct AnsibleTests {
  private static let presets = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../presets").standardized
  private static let environment: Result<PythonEnvironment, any Error> = Result {
    try PythonEnvironment(
      "ansible-2.19.14", packages: ["ansible-core==2.19.14", "ansible-lint==26.10.1"])
  }

  private let folder: TemporaryFolder

  /// Copies the presets because Ansible leaves tokens and caches beside them.
  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.copyItem(at: Self.presets, to: folder.url("presets"))
  }

  /// A Python interpreter that has Ansible.
  private func python() throws -> String {
    do { return try Self.environment.get().python } catch { try Test.cancel("\(error)") }
  }

  private func ansible(_ name: String, _ arguments: [String]) throws -> Command.Result {
    let programs = URL(filePath: try python()).deletingLastPathComponent()
    var variables = ProcessInfo.processInfo.environment
    variables["PATH"] = programs.path + ":" + (variables["PATH"] ?? "")
    variables["HOME"] = folder.path
    variables["NO_COLOR"] = "1"
    return try Command.run(
      programs.appending(path: name).path, arguments, environment: variables,
      in: folder.url("presets/ansible"), limit: 300)
  }

  private static func file(_ name: String) throws -> String {
    try String(
      contentsOf: presets.appending(path: "ansible/roles/recordctl/" + name), encoding: .utf8)
  }

  /// ASCII JSON writes an emoji as two surrogates, which TOML does not allow.
  @Test func non_ascii_characters_are_kept_in_the_configuration() throws {
    let template = try Self.file("templates/serve.toml.j2")
    let count = template.matches(of: /to_json/).count
    #expect(count > 5 && template.matches(of: /to_json\(ensure_ascii=false\)/).count == count)
  }

  /// `get_url` keeps an existing file unless it has a checksum or is forced.
  @Test func a_package_url_without_a_checksum_replaces_the_older_file() throws {
    let tasks = try Self.file("tasks/package.yml")
    #expect(
      tasks.contains(
        "force: \"{{ recordctl_package_checksum | default('', true) | length == 0 }}\""))
  }

  @Test(
    .tags(.slow, .judges, .network),
    .enabled(if: TestRun.isThorough, "installs Ansible: with TEST_ALL=1"))
  func the_playbook_passes_the_syntax_check_and_ansible_lint() throws {
    let syntax = try ansible("ansible-playbook", ["--syntax-check", "site.yml"])
    #expect(syntax.status == 0, "\(syntax.output)\(syntax.errors)")
    let lint = try ansible("ansible-lint", ["--offline", "--strict"])
    #expect(lint.status == 0, "\(lint.output)\(lint.errors)")
  }

  @Test(
    .tags(.slow, .judges, .network),
    .enabled(if: TestRun.isThorough, "installs Ansible: with TEST_ALL=1"))
  func the_gateway_accepts_the_configuration_of_each_machine() throws {
    let serve = Recordctl.binary.deletingLastPathComponent().appending(path: "recordctl-serve").path
    for (number, cameras) in [
      "cam01, cam02, cam03, cam04", "cam05, cam06, cam07, cam08", "cam09, cam10, cam11, cam12",
      "cam13, cam14, cam15, cam16",
    ].enumerated() {
      let path = folder.path("serve.toml")
      let made = try ansible(
        "ansible",
        [
          "recorder\(number + 1).example", "-c", "local", "-m", "ansible.builtin.template", "-a",
          "src=roles/recordctl/templates/serve.toml.j2 dest=\(path)", "-e",
          #"{"recordctl_listen": "0.0.0.0:8437", "recordctl_allow": [], "#
            + #""recordctl_tls_certificate": "", "ansible_python_interpreter": "\#(try python())"}"#,
        ])
      #expect(made.status == 0, "\(made.output)\(made.errors)")
      let checked = try Command.run(serve, ["--config", path, "--check-config"])
      #expect(
        checked.status == 0 && checked.output.contains("channels: \(cameras)"),
        "\(checked.output)\(checked.errors)")
    }
  }
}
