import Foundation

/// A JSON value that distinguishes true from 1.
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

  /// The value for a key; nil if there is none or this is not an object.
  subscript(key: String) -> AnswerValue? {
    if case .object(let object) = self { object[key] } else { nil }
  }

  var string: String? { if case .string(let text) = self { text } else { nil } }
  var array: [AnswerValue]? { if case .array(let values) = self { values } else { nil } }
  var keys: Set<String> { if case .object(let object) = self { Set(object.keys) } else { [] } }

  /// Its types in JSON Schema.
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

/// `docs/openapi.json`, and the schemas of `docs/schema` that it references with `x-schema`. Both are applied
/// strictly: an object has no keys beyond its schema's.
struct InterfaceSchema {
  /// A schema, and the document to which its `$ref`s are relative.
  struct Place {
    var file: String
    var schema: AnswerValue
  }

  private static let main = "openapi.json"
  /// Keys that begin lines of the control socket and that objects within an answer lack.
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

  /// A schema of the description, by name.
  func component(_ name: String) -> Place? { find("#/components/schemas/" + name, in: Self.main) }

  /// The schema of an answer; nil if the description promises none.
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

  /// Resolves `file.json#/a/b` or `#/a/b`.
  private func find(_ reference: String, in file: String) -> Place? {
    let parts = reference.split(separator: "#", omittingEmptySubsequences: false)
    let file = parts[0].isEmpty ? file : String(parts[0])
    var schema = documents[file]
    for key in parts.dropFirst().first?.split(separator: "/") ?? [] {
      schema = schema?[String(key)]
    }
    return schema.map { Place(file: file, schema: $0) }
  }

  /// The differences between a value and its schema, one per line; empty if there are none.
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
  /// Makes keys optional in an object's schema.
  fileprivate mutating func dropRequired(_ keys: Set<String>) {
    guard case .object(var object) = self, let needed = object["required"]?.array else { return }
    object["required"] = .array(needed.filter { !keys.contains($0.string ?? "") })
    self = .object(object)
  }
}
