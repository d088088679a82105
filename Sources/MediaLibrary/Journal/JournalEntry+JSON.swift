/// How journal entries are written: each property under its name.
extension JournalEntry: JSONObject {
  func write(to json: inout JSONText) {
    json.add("version", version)
    json.add("sequence", sequence)
    json.add("date", date)
    json.add("begins", begins)
    json.add("staging", staging)
    json.add("moves", moves)
    json.add("created", created)
    json.add("updates", updates)
    json.add("removed", removed)
    json.add("unlinks", unlinks)
    if let albums { json.add("albums", albums) }
    json.add("note", note)
  }
}

extension JournalEntry.Move: JSONObject {
  func write(to json: inout JSONText) {
    json.add("from", from)
    json.add("to", to)
    json.add("status", status)
  }
}

extension JournalEntry.Unlink: JSONObject {
  func write(to json: inout JSONText) {
    json.add("path", path)
    json.add("status", status)
  }
}

extension JournalEntry.Update: JSONObject {
  func write(to json: inout JSONText) {
    json.add("id", id)
    json.add("favorite", favorite)
    json.add("created", created)
    json.add("location", location)
    json.add("trashed", trashed)
    if let resources { json.add("resources", resources) }
  }
}

extension JournalEntry.Update.Place: JSONObject {
  func write(to json: inout JSONText) { json.add("value", value) }
}

extension JournalEntry.Update.Moment: JSONObject {
  func write(to json: inout JSONText) { json.add("value", value) }
}

extension FileStatus: JSONObject {
  func write(to json: inout JSONText) {
    json.add("device", device)
    json.add("inode", inode)
    json.add("size", size)
    json.add("modified", modified)
    json.add("changed", changed)
    json.add("mode", mode)
    json.add("linkCount", linkCount)
  }
}

extension AssetRecord: JSONObject {
  func write(to json: inout JSONText) {
    json.add("id", id)
    json.add("mediaType", mediaType.rawValue)
    json.add("created", created)
    json.add("added", added)
    json.add("modified", modified)
    json.add("trashed", trashed)
    json.add("favorite", favorite)
    json.add("location", location)
    json.add("facts", facts)
    json.add("resources", resources)
  }
}

extension ResourceRecord: JSONObject {
  func write(to json: inout JSONText) {
    json.add("type", type.name)
    json.add("path", path)
    json.add("name", name)
    json.add("uti", uti)
    json.add("size", size)
    json.add("hash", hash)
    json.add("modified", modified)
  }
}

extension MediaFacts: JSONObject {
  func write(to json: inout JSONText) {
    json.add("container", container)
    json.add("codec", codec)
    json.add("codecName", codecName)
    json.add("width", width)
    json.add("height", height)
    json.add("frameRate", frameRate)
    json.add("duration", duration)
    json.add("frameCount", frameCount)
    json.add("timecode", timecode)
    json.add("color", color)
    json.add("audioChannels", audioChannels)
    json.add("sampleRate", sampleRate)
    json.add("make", make)
    json.add("model", model)
    json.add("software", software)
    json.add("reel", reel)
    json.add("scene", scene)
    json.add("take", take)
    json.add("takeIdentifier", takeIdentifier)
    json.add("creationDate", creationDate)
    json.add("location", location)
    json.add("isProRes", isProRes)
    json.add("isRAW", isRAW)
    json.add("isLinearRAW", isLinearRAW)
  }
}

extension GeographicLocation: JSONObject {
  func write(to json: inout JSONText) {
    json.add("latitude", latitude)
    json.add("longitude", longitude)
    json.add("altitude", altitude)
  }
}
