import Foundation

/// A value as JSON has it, which tells true from 1.
enum AnswerValue: Decodable, Hashable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([AnswerValue])
  case object([String: AnswerValue])

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let bool = try? value.decode(Bool.self) {
      self = .bool(bool)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let string = try? value.decode(String.self) {
      self = .string(string)
    } else if let array = try? value.decode([AnswerValue].self) {
      self = .array(array)
    } else {
      self = .object(try value.decode([String: AnswerValue].self))
    }
  }

  init(_ data: Data) throws { self = try JSONDecoder().decode(AnswerValue.self, from: data) }

  /// What an object has for a key; nil for none, and if it is no object.
  subscript(key: String) -> AnswerValue? {
    if case .object(let object) = self { object[key] } else { nil }
  }

  var string: String? { if case .string(let text) = self { text } else { nil } }
  var array: [AnswerValue]? { if case .array(let values) = self { values } else { nil } }
  var keys: Set<String> { if case .object(let object) = self { Set(object.keys) } else { [] } }

  /// Its names among the types of JSON Schema.
  var types: Set<String> {
    switch self {
    case .null: ["null"]
    case .bool: ["boolean"]
    case .number(let number): number == number.rounded() ? ["number", "integer"] : ["number"]
    case .string: ["string"]
    case .array: ["array"]
    case .object: ["object"]
    }
  }
}

/// `docs/openapi.json`, and the schemas of `docs/schema` that it names by `x-schema`. Both are taken as strictly as
/// can be: an object has no key besides those of its schema.
struct InterfaceSchema {
  /// A schema, and the document that its `$ref` count in.
  struct Place {
    var file: String
    var schema: AnswerValue
  }

  private static let main = "openapi.json"
  /// What lines of the control socket begin with, and objects within an answer do not.
  private static let heads: Set = ["schema", "version"]

  private var documents: [String: AnswerValue] = [:]

  init() throws {
    let docs = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs")
      .standardized
    let schemas = try FileManager.default.contentsOfDirectory(atPath: docs.path + "/schema")
    for name in schemas where name.hasSuffix(".json") {
      documents[name] = try AnswerValue(Data(contentsOf: docs.appending(path: "schema/" + name)))
    }
    documents[Self.main] = try AnswerValue(Data(contentsOf: docs.appending(path: Self.main)))
  }

  /// A schema of the description by its name.
  func component(_ name: String) -> Place? { find("#/components/schemas/" + name, in: Self.main) }

  /// The schema of an answer; nil if none is promised.
  func answer(to method: String, _ path: String, status: Int) -> Place? {
    let operation = documents[Self.main]?["paths"]?[path]?[method.lowercased()]
    guard var answer = operation?["responses"]?["\(status)"] else { return nil }
    if let reference = answer["$ref"]?.string, let place = find(reference, in: Self.main) {
      answer = place.schema
    }
    return answer["content"]?["application/json"]?["schema"].map {
      Place(file: Self.main, schema: $0)
    }
  }

  /// What `file.json#/a/b` or `#/a/b` stands for.
  private func find(_ reference: String, in file: String) -> Place? {
    let parts = reference.split(separator: "#", omittingEmptySubsequences: false)
    let file = parts[0].isEmpty ? file : String(parts[0])
    var schema = documents[file]
    for key in parts.dropFirst().first?.split(separator: "/") ?? [] {
      schema = schema?[String(key)]
    }
    return schema.map { Place(file: file, schema: $0) }
  }

  /// What of a value is not as documented, a line each; empty for nothing.
  func faults(of value: AnswerValue, by place: Place?, at path: String = "$") -> [String] {
    guard let place else { return ["\(path): there is no such schema"] }
    let schema = place.schema
    if let reference = schema["$ref"]?.string ?? schema["x-schema"]?.string {
      var found = find(reference, in: place.file)
      if schema["x-schema"] != nil, value["schema"] == nil {
        found?.schema.dropRequired(Self.heads)
      }
      return faults(of: value, by: found, at: path)
    }
    var faults: [String] = []
    let wanted = Set(
      schema["type"]?.array?.compactMap(\.string) ?? [schema["type"]?.string].compactMap(\.self))
    if !wanted.isEmpty, wanted.isDisjoint(with: value.types) {
      faults.append("\(path): \(value.types.sorted()) and not \(wanted.sorted())")
    }
    if let values = schema["enum"]?.array, !values.contains(value) {
      faults.append("\(path): \(value) is none of \(values)")
    }
    if let only = schema["const"], only != value { faults.append("\(path): \(value), not \(only)") }
    if case .array(let items) = value, let item = schema["items"] {
      for (index, one) in items.enumerated() {
        faults += self.faults(
          of: one, by: .init(file: place.file, schema: item), at: "\(path)[\(index)]")
      }
    }
    if case .object(let object) = value { faults += self.faults(of: object, by: place, at: path) }
    return faults
  }

  private func faults(
    of object: [String: AnswerValue], by place: Place, at path: String
  ) -> [String] {
    let known = place.schema["properties"]
    let needed = Set(place.schema["required"]?.array?.compactMap(\.string) ?? [])
    return needed.subtracting(object.keys).sorted().map { "\(path): \($0) is missing" }
      + object.sorted { $0.key < $1.key }.flatMap { key, value in
        guard let schema = known?[key] else { return ["\(path): \(key) is not documented"] }
        return faults(of: value, by: .init(file: place.file, schema: schema), at: "\(path).\(key)")
      }
  }
}

extension AnswerValue {
  /// Makes keys of an object's schema ones that may be missing.
  fileprivate mutating func dropRequired(_ keys: Set<String>) {
    guard case .object(var object) = self, let needed = object["required"]?.array else { return }
    object["required"] = .array(needed.filter { !keys.contains($0.string ?? "") })
    self = .object(object)
  }
}
