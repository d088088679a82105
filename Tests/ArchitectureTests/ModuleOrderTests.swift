import Foundation
import Testing

/// Compares the folders below `Sources` with the table of modules in `docs/architecture.md`.
struct ModuleOrderTests {
  @Test func every_module_is_in_the_documented_table() throws {
    let documented = try SourceTree.documentedModules()
    #expect(Set(documented) == Set(try SourceTree.folders(of: "Sources")))
    #expect(documented.count == Set(documented).count, "a module is listed twice in the table")
  }

  @Test func a_module_imports_only_modules_above_it() throws {
    let documented = try SourceTree.documentedModules()
    #expect(documented.count > 10)
    var seen = 0
    for (place, module) in documented.enumerated() {
      for (file, imported) in try SourceTree.imports(below: "Sources/\(module)") {
        guard let above = documented.firstIndex(of: imported) else { continue }
        seen += 1
        #expect(above < place, "\(file) imports \(imported), which is listed below \(module)")
      }
    }
    #expect(seen > 100, "the imports were not found")
  }
}
